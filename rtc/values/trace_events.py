"""What can happen in a call, as typed events; a sink stamps them with the time it is given."""

import enum
from dataclasses import dataclass
from typing import ClassVar, Protocol

from rtc.values.formats import Codec, FrameSize
from rtc.values.frames import FrameType


class PacketKind(enum.Enum):
    """Why a datagram was sent."""

    MEDIA = "media"
    RETRANSMISSION = "retransmission"
    FEC = "fec"
    FEEDBACK = "feedback"


class DropReason(enum.Enum):
    """Why a captured frame was never sent."""

    ENCODER_BUSY = "encoder_busy"
    """The encoder still worked on an earlier frame and a newer one took this one's place."""
    ENCODER_SKIPPED = "encoder_skipped"
    """The codec's own rate control made no bytes of it."""
    RATE_CONTROL = "rate_control"
    """Our rate control owes more bits than any quantizer could pay back."""
    CALL_ENDED = "call_ended"
    """The call ended before it was encoded."""


class SkipReason(enum.Enum):
    """Why a received frame was never decoded or shown."""

    REFERENCES_MISSING = "references_missing"
    SUPERSEDED = "superseded"
    """A newer frame was shown first."""
    DECODER_REFUSED = "decoder_refused"


class KeyFrameRequestKind(enum.Enum):
    """The RTCP message that asked for a key frame."""

    PLI = "pli"
    FIR = "fir"


class DecisionKind(enum.Enum):
    """What a decision was about."""

    CODEC = "codec"
    SPEED = "speed"
    TEMPORAL_LAYERS = "temporal_layers"
    RESOLUTION = "resolution"
    RECOVERY = "recovery"
    FRAME_DROP = "frame_drop"
    KEY_FRAME = "key_frame"


@dataclass(frozen=True, slots=True, kw_only=True)
class CodecsNegotiated:
    """Set-up ended: what this endpoint will send first, and all it may send and must expect."""

    name: ClassVar[str] = "call:codecs_negotiated"
    send_codec: Codec
    may_send: tuple[Codec, ...]
    may_receive: tuple[Codec, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameCaptured:
    """The camera delivered a picture."""

    name: ClassVar[str] = "video:frame_captured"
    capture_index: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameDropped:
    """A captured picture will not be sent."""

    name: ClassVar[str] = "video:frame_dropped"
    capture_index: int
    reason: DropReason


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameEncoded:
    """A picture was encoded, once or several times, and one of its encodes is sent."""

    name: ClassVar[str] = "video:frame_encoded"
    frame_id: int
    capture_index: int
    codec: Codec
    frame_type: FrameType
    references: tuple[int, ...]
    temporal_layer: int
    is_long_term_reference: bool
    size: FrameSize
    speed: int
    target_bps: int
    encoded_bytes: int
    quantizer: int
    encode_time_us: int
    """Of all encodes together."""
    encodes: int
    """How often the picture was encoded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PacketSent:
    """A datagram left this endpoint."""

    name: ClassVar[str] = "transport:packet_sent"
    packet_index: int
    kind: PacketKind
    size_bytes: int
    frame_id: int | None
    unwrapped_sequence: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PacketDelivered:
    """A datagram came out of the path."""

    name: ClassVar[str] = "path:packet_delivered"
    packet_index: int
    queue_delay_us: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PacketDropped:
    """The path lost a datagram."""

    name: ClassVar[str] = "path:packet_dropped"
    packet_index: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InvalidPacketDropped:
    """Bytes from the peer did not parse."""

    name: ClassVar[str] = "transport:invalid_packet_dropped"
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameAssembled:
    """Every packet of a frame is here."""

    name: ClassVar[str] = "video:frame_assembled"
    frame_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameDecoded:
    """A decoder answered; `size` is None when it refused the frame."""

    name: ClassVar[str] = "video:frame_decoded"
    frame_id: int
    size: FrameSize | None
    decode_time_us: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameDisplayed:
    """A frame reached the screen."""

    name: ClassVar[str] = "video:frame_displayed"
    frame_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameSkipped:
    """A received frame will never be shown."""

    name: ClassVar[str] = "video:frame_skipped"
    frame_id: int
    reason: SkipReason


@dataclass(frozen=True, slots=True, kw_only=True)
class NackSent:
    """The receiver asked for packets again."""

    name: ClassVar[str] = "recovery:nack_sent"
    sequences: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyFrameRequestSent:
    """The receiver asked for a key frame."""

    name: ClassVar[str] = "recovery:key_frame_request_sent"
    kind: KeyFrameRequestKind


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyFrameRequestReceived:
    """The sender was asked for a key frame; `honoured` is False when one is already on its way."""

    name: ClassVar[str] = "recovery:key_frame_request_received"
    kind: KeyFrameRequestKind
    honoured: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetChanged:
    """The encoder's target bitrate changed."""

    name: ClassVar[str] = "rate:target_changed"
    target_bps: int
    capacity_bps: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionMade:
    """A policy decided something a person will want to know."""

    name: ClassVar[str] = "call:decision"
    kind: DecisionKind
    reason: str


TraceEvent = (
    CodecsNegotiated
    | FrameCaptured
    | FrameDropped
    | FrameEncoded
    | PacketSent
    | PacketDelivered
    | PacketDropped
    | InvalidPacketDropped
    | FrameAssembled
    | FrameDecoded
    | FrameDisplayed
    | FrameSkipped
    | NackSent
    | KeyFrameRequestSent
    | KeyFrameRequestReceived
    | TargetChanged
    | DecisionMade
)


class TraceSink(Protocol):
    """Takes events as they happen; must not keep the call waiting."""

    def record(self, now_us: int, event: TraceEvent) -> None:
        """Take one event that happened at `now_us`."""
