"""RTCP messages as values: reports, requests for packets and pictures, and arrival times.

Counters stay as wide as they are on the wire (a 16-bit sequence number is 0..65535); whoever keeps them longer than one
message unwraps them.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportBlock:
    """What a receiver says of one stream (RFC 3550 section 6.4.1)."""

    media_ssrc: int
    fraction_lost: int
    """Loss since the last report, in 1/256 (0..255)."""
    cumulative_lost: int
    """Packets missing since the start; signed 24 bits, because duplicates count against it."""
    highest_sequence: int
    """Cycles in the upper 16 bits, highest sequence number received in the lower."""
    jitter: int
    """Interarrival jitter in RTP clock ticks."""
    last_sender_report: int
    """Middle 32 bits of the NTP timestamp of the last sender report received; 0 when there was none."""
    delay_since_last_sender_report: int
    """In 1/65536 s."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SenderReport:
    """How a sender's RTP clock relates to its wall clock, and how much it sent (RFC 3550 section 6.4.1)."""

    sender_ssrc: int
    ntp_timestamp: int
    """64 bits: seconds in the upper 32, fraction in the lower."""
    rtp_timestamp: int
    """The same instant on the 32-bit RTP clock."""
    packet_count: int
    octet_count: int
    """Payload bytes sent."""
    reports: tuple[ReportBlock, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiverReport:
    """What a receiver heard of each stream (RFC 3550 section 6.4.2)."""

    sender_ssrc: int
    reports: tuple[ReportBlock, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Nack:
    """A request to send packets again (RFC 4585 section 6.2.1)."""

    sender_ssrc: int
    media_ssrc: int
    sequences: tuple[int, ...]
    """16-bit sequence numbers; ascending (with wrap-around) makes the shortest message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureLossIndication:
    """The receiver lost pictures and cannot go on; usually answered with a key frame (RFC 4585 section 6.3.1)."""

    sender_ssrc: int
    media_ssrc: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FullIntraRequest:
    """A command to send a key frame (RFC 5104 section 4.3.1); a packet with several becomes several values."""

    sender_ssrc: int
    media_ssrc: int
    command_sequence: int
    """8 bits; a repeat with the same number asks for nothing new."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferencePictureSelection:
    """The receiver names a picture it holds and that may be predicted from (RFC 4585 section 6.3.3).

    RFC 4585 leaves the picture's name to the codec, and neither AV1 nor H.264 defines one. Ours, for both codecs, is
    the 16-bit frame number of the frame-metadata header extension.
    """

    sender_ssrc: int
    media_ssrc: int
    payload_type: int
    frame_number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TransportFeedback:
    """When each packet arrived, by transport-wide sequence number (draft-holmer-rmcat-transport-wide-cc-extensions-01).

    `arrivals[i]` belongs to sequence number `base_sequence + i` (modulo 65536): microseconds on the receiver's clock,
    or None for a packet that has not arrived. The wire keeps multiples of 250 us.
    """

    sender_ssrc: int
    media_ssrc: int
    base_sequence: int
    arrivals: tuple[int | None, ...]
    feedback_count: int
    """8 bits, one more in each message, so that a lost message shows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnrecognisedRtcp:
    """An RTCP packet that was skipped: well formed, but of a type or format that is not read here."""

    packet_type: int
    format: int
    """The 5-bit field of the header: a feedback format or a count."""


RtcpMessage = (
    SenderReport
    | ReceiverReport
    | Nack
    | PictureLossIndication
    | FullIntraRequest
    | ReferencePictureSelection
    | TransportFeedback
    | UnrecognisedRtcp
)
