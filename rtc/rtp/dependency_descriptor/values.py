"""What a Dependency Descriptor says of a frame, and the structure its templates come from (appendix A.2, A.8.3)."""

import enum
from dataclasses import dataclass

from rtc.values.errors import LocalMisuse


class DecodeTargetIndication(enum.Enum):
    """What a frame is to one decode target (table A.1)."""

    NOT_PRESENT = 0
    DISCARDABLE = 1
    SWITCH = 2
    REQUIRED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameTemplate:
    """A frame description that many frames share."""

    spatial_layer: int = 0
    temporal_layer: int = 0
    indications: tuple[DecodeTargetIndication, ...]
    """One for each decode target."""
    frame_diffs: tuple[int, ...]
    """How many frames back each referred frame is, 1..16 here."""
    chain_diffs: tuple[int, ...] = ()
    """For each chain, how many frames back its previous frame is, 0..15 here; 0: none is needed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DependencyStructure:
    """Templates, decode targets and chains of one coded video sequence; sent with its key frame."""

    template_id_offset: int = 0
    """Id of the first template, 0..63; a new structure should not reuse ids of the one before."""
    templates: tuple[FrameTemplate, ...]
    """In order of spatial, then temporal layer."""
    protected_by: tuple[int, ...] = ()
    """For each decode target the index of the chain that protects it; empty without chains."""
    resolutions: tuple[tuple[int, int], ...] = ()
    """Largest render width and height of each spatial layer, 1..65536; empty when not told."""

    def __post_init__(self) -> None:
        if not self.templates:
            raise LocalMisuse("dependency structure without templates: it needs at least one")

    @property
    def decode_target_count(self) -> int:
        """1..32."""
        return len(self.templates[0].indications)

    @property
    def chain_count(self) -> int:
        """0 to `decode_target_count`."""
        return len(self.templates[0].chain_diffs)


@dataclass(frozen=True, slots=True, kw_only=True)
class DependencyDescriptor:
    """One packet's descriptor, templates and custom fields already resolved."""

    starts_frame: bool
    ends_frame: bool
    frame_number: int
    """16 bits."""
    spatial_layer: int = 0
    temporal_layer: int = 0
    indications: tuple[DecodeTargetIndication, ...]
    frame_diffs: tuple[int, ...]
    """1..4096."""
    chain_diffs: tuple[int, ...] = ()
    """0..255."""
    structure: DependencyStructure | None = None
    """On the first packet of a key frame; its frame and all that follow use it."""
    active_decode_targets: int | None = None
    """Bit i is set when decode target i is produced; None when this packet does not say."""
