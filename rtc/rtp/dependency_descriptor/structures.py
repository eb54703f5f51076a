"""The two structures a one-to-one call needs: one spatial layer, with one temporal layer or with two.

Long-term references are in neither. A recovery frame is an ordinary frame of the base layer whose frame diff and chain
diff are its reference's age, which no template can say: the writer then spends three or four bytes on it.
"""

from rtc.rtp.dependency_descriptor.values import DecodeTargetIndication, DependencyStructure, FrameTemplate

_ABSENT = DecodeTargetIndication.NOT_PRESENT
_DISCARDABLE = DecodeTargetIndication.DISCARDABLE
_SWITCH = DecodeTargetIndication.SWITCH


def one_temporal_layer(
    resolution: tuple[int, int] | None = None, *, template_id_offset: int = 0
) -> DependencyStructure:
    """L1T1: each frame is predicted from the one before."""
    return DependencyStructure(
        template_id_offset=template_id_offset,
        templates=(
            FrameTemplate(indications=(_SWITCH,), frame_diffs=(), chain_diffs=(0,)),
            FrameTemplate(indications=(_SWITCH,), frame_diffs=(1,), chain_diffs=(1,)),
        ),
        protected_by=(0,),
        resolutions=() if resolution is None else (resolution,),
    )


def two_temporal_layers(
    resolution: tuple[int, int] | None = None, *, template_id_offset: int = 0
) -> DependencyStructure:
    """L1T2: base frames refer two back, the discardable ones between them one back; one chain along the base."""
    return DependencyStructure(
        template_id_offset=template_id_offset,
        templates=(
            FrameTemplate(indications=(_SWITCH, _SWITCH), frame_diffs=(), chain_diffs=(0,)),
            FrameTemplate(indications=(_SWITCH, _SWITCH), frame_diffs=(2,), chain_diffs=(2,)),
            FrameTemplate(temporal_layer=1, indications=(_ABSENT, _DISCARDABLE), frame_diffs=(1,), chain_diffs=(1,)),
        ),
        protected_by=(0, 0),
        resolutions=() if resolution is None else (resolution,),
    )
