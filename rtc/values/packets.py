"""Packets of media, parsed and unwrapped."""

from dataclasses import dataclass

from rtc.values.frames import FrameMetadata


@dataclass(frozen=True, slots=True, kw_only=True)
class MediaPacket:
    """One RTP packet of a video stream after parsing, with every wire counter unwrapped."""

    unwrapped_sequence: int
    payload: bytes
    """RTP payload: one packet of the codec's payload format."""
    starts_frame: bool
    ends_frame: bool
    metadata: FrameMetadata
    """From our frame-metadata extension, which every packet of a frame carries."""
    received_at_us: int
    is_retransmission: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AssembledFrame:
    """A frame all of whose packets are here, in order."""

    metadata: FrameMetadata
    payloads: tuple[bytes, ...]
    first_sequence: int
    last_sequence: int
    first_packet_at_us: int
    assembled_at_us: int
    retransmissions: int = 0
    """How many of its packets came only as retransmissions."""
