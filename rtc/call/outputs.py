"""What an endpoint asks of its driver, one value at a time, from `poll_output`."""

from dataclasses import dataclass

from rtc.values.encoding import FrameEncodeSettings
from rtc.values.formats import Codec
from rtc.values.frames import EncodedFrame
from rtc.values.trace_events import PacketKind


@dataclass(frozen=True, slots=True, kw_only=True)
class SendDatagram:
    """Send these bytes to the peer; the rest says what they are, for the books only."""

    data: bytes
    kind: PacketKind
    frame_id: int | None = None
    unwrapped_sequence: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EncodeFrame:
    """Encode a captured picture to this order and answer with `handle_encode_result`."""

    frame_id: int
    capture_index: int
    attempt: int
    """0 for the first encode of the picture; a picture may be ordered again, until its CommitEncode."""
    codec: Codec
    settings: FrameEncodeSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitEncode:
    """Of all encodes of this frame, this one is sent; no further one is ordered."""

    frame_id: int
    attempt: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DecodeFrame:
    """Decode this frame after every earlier one and answer with `handle_decode_result`."""

    frame: EncodedFrame


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowFrame:
    """Put this decoded frame on the screen now."""

    frame_id: int


CallEvent = ShowFrame
"""What an application is told; more kinds join as the call learns to tell more."""

Output = SendDatagram | EncodeFrame | CommitEncode | DecodeFrame | CallEvent
