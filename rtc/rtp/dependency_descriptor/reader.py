"""Dependency Descriptors from bytes (appendix A.8.2); remembers the structure that key frames bring."""

from rtc.rtp.dependency_descriptor.bits import BitReader
from rtc.rtp.dependency_descriptor.values import (
    DecodeTargetIndication,
    DependencyDescriptor,
    DependencyStructure,
    FrameTemplate,
)
from rtc.values.errors import RemoteProtocolError

MANDATORY_BYTES = 3
_TEMPLATE_IDS = 64
_NEXT_TEMPORAL = 1
_NEXT_SPATIAL = 2
_NO_MORE_LAYERS = 3
_INDICATIONS = tuple(DecodeTargetIndication)


class DependencyDescriptorReader:
    """Fed the descriptors of one stream in order of arrival.

    Promises to change nothing when it raises. A structure arrives with a key frame; before the first one, and for
    frames of a structure whose key frame was lost, there is nothing to read by and RemoteProtocolError is raised.
    """

    __slots__ = ("_active_decode_targets", "_structure")

    def __init__(self) -> None:
        self._structure: DependencyStructure | None = None
        self._active_decode_targets = 0

    @property
    def structure(self) -> DependencyStructure | None:
        """The structure in force, or None before the first key frame."""
        return self._structure

    @property
    def active_decode_targets(self) -> int:
        """The bit mask in force (appendix A.4); 0 before the first key frame."""
        return self._active_decode_targets

    def read(self, data: bytes) -> DependencyDescriptor:
        """The descriptor in a header extension element."""
        bits = BitReader(data)
        starts_frame, ends_frame = bits.flag(), bits.flag()
        template_id, frame_number = bits.fixed(6), bits.fixed(16)
        has_structure = has_active = custom_indications = custom_diffs = custom_chains = False
        if len(data) > MANDATORY_BYTES:
            has_structure, has_active = bits.flag(), bits.flag()
            custom_indications, custom_diffs, custom_chains = bits.flag(), bits.flag(), bits.flag()
        received = _read_structure(bits) if has_structure else None
        structure = received or self._structure
        if structure is None:
            raise RemoteProtocolError("dependency descriptor before any structure: a key frame must bring one")
        active = bits.fixed(structure.decode_target_count) if has_active else None
        template = _template(structure, template_id)
        descriptor = DependencyDescriptor(
            starts_frame=starts_frame,
            ends_frame=ends_frame,
            frame_number=frame_number,
            spatial_layer=template.spatial_layer,
            temporal_layer=template.temporal_layer,
            indications=_read_indications(bits, structure) if custom_indications else template.indications,
            frame_diffs=_read_frame_diffs(bits) if custom_diffs else template.frame_diffs,
            chain_diffs=_read_chain_diffs(bits, structure) if custom_chains else template.chain_diffs,
            structure=received,
            active_decode_targets=active,
        )
        self._remember(received, active)
        return descriptor

    def _remember(self, received: DependencyStructure | None, active: int | None) -> None:
        if received is not None:
            self._structure = received
            self._active_decode_targets = (1 << received.decode_target_count) - 1
        if active is not None:
            self._active_decode_targets = active


def _template(structure: DependencyStructure, template_id: int) -> FrameTemplate:
    index = (template_id - structure.template_id_offset) % _TEMPLATE_IDS
    if index >= len(structure.templates):
        raise RemoteProtocolError(f"dependency template {template_id} is not in the structure: its key frame was lost")
    return structure.templates[index]


def _read_indications(bits: BitReader, structure: DependencyStructure) -> tuple[DecodeTargetIndication, ...]:
    return tuple([_INDICATIONS[bits.fixed(2)] for _ in range(structure.decode_target_count)])


def _read_frame_diffs(bits: BitReader) -> tuple[int, ...]:
    diffs = []
    while nibbles := bits.fixed(2):
        diffs.append(bits.fixed(4 * nibbles) + 1)
    return tuple(diffs)


def _read_chain_diffs(bits: BitReader, structure: DependencyStructure) -> tuple[int, ...]:
    return tuple([bits.fixed(8) for _ in range(structure.chain_count)])


def _read_structure(bits: BitReader) -> DependencyStructure:
    template_id_offset = bits.fixed(6)
    targets = bits.fixed(5) + 1
    layers = _read_layers(bits)
    indications = [tuple([_INDICATIONS[bits.fixed(2)] for _ in range(targets)]) for _ in layers]
    frame_diffs = [_read_template_diffs(bits) for _ in layers]
    chains = bits.non_symmetric(targets + 1)
    protected_by = tuple([bits.non_symmetric(chains) for _ in range(targets)]) if chains else ()
    chain_diffs = [tuple([bits.fixed(4) for _ in range(chains)]) for _ in layers]
    resolutions: tuple[tuple[int, int], ...] = ()
    if bits.flag():
        resolutions = tuple([(bits.fixed(16) + 1, bits.fixed(16) + 1) for _ in range(layers[-1][0] + 1)])
    return DependencyStructure(
        template_id_offset=template_id_offset,
        templates=tuple(
            [
                FrameTemplate(
                    spatial_layer=spatial,
                    temporal_layer=temporal,
                    indications=indications[index],
                    frame_diffs=frame_diffs[index],
                    chain_diffs=chain_diffs[index],
                )
                for index, (spatial, temporal) in enumerate(layers)
            ]
        ),
        protected_by=protected_by,
        resolutions=resolutions,
    )


def _read_layers(bits: BitReader) -> list[tuple[int, int]]:
    """Spatial and temporal layer of each template (table A.2)."""
    layers = [(0, 0)]
    while (step := bits.fixed(2)) != _NO_MORE_LAYERS:
        spatial, temporal = layers[-1]
        if step == _NEXT_TEMPORAL:
            temporal += 1
        elif step == _NEXT_SPATIAL:
            spatial, temporal = spatial + 1, 0
        layers.append((spatial, temporal))
        if len(layers) > _TEMPLATE_IDS:
            raise RemoteProtocolError(f"dependency structure of more than {_TEMPLATE_IDS} templates: ids have 6 bits")
    return layers


def _read_template_diffs(bits: BitReader) -> tuple[int, ...]:
    diffs = []
    while bits.flag():
        diffs.append(bits.fixed(4) + 1)
    return tuple(diffs)
