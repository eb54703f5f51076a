"""The rows of a call that every figure is computed from: one a captured frame, one a packet, one a decision."""

from dataclasses import dataclass

from rtc.values.formats import Codec, FrameSize
from rtc.values.frames import FrameType
from rtc.values.trace_events import DecisionKind, DropReason, PacketKind


@dataclass(slots=True, kw_only=True)
class FrameRecord:
    """The life of one captured frame of one direction; None where it did not get so far."""

    capture_index: int
    captured_at_us: int
    drop_reason: DropReason | None = None
    frame_id: int | None = None
    codec: Codec | None = None
    frame_type: FrameType | None = None
    temporal_layer: int = 0
    is_long_term_reference: bool = False
    coded_size: FrameSize | None = None
    quantizer: int | None = None
    speed: int | None = None
    target_bps: int | None = None
    encoded_bytes: int | None = None
    encode_time_us: int | None = None
    encodes: int | None = None
    """How often it was encoded; `encode_time_us` is the time of all."""
    encoded_at_us: int | None = None
    packets: int = 0
    assembled_at_us: int | None = None
    decode_time_us: int | None = None
    decoded_at_us: int | None = None
    displayed_at_us: int | None = None
    drifted: bool | None = None
    """Whether the displayed pixels differ from those of a decoder fed the complete stream."""
    psnr_y_db: float | None = None
    ssim: float | None = None
    psnr_with_freeze_db: float | None = None
    """PSNR of what was on the screen in place of this frame: itself where it was displayed, else the one before."""


@dataclass(slots=True, kw_only=True)
class PacketRecord:
    """The life of one datagram of one direction."""

    packet_index: int
    sent_at_us: int
    kind: PacketKind
    size_bytes: int
    """Bytes on the wire: datagram plus UDP and IP headers."""
    frame_id: int | None = None
    unwrapped_sequence: int | None = None
    delivered_at_us: int | None = None
    queue_delay_us: int | None = None
    """Time in the bottleneck's queue, its own transmission not counted."""
    loss_reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A switch, level change, layer change, resolution change or recovery, with its reason."""

    at_us: int
    kind: DecisionKind
    reason: str
