"""Retransmissions on a stream of their own (RFC 4588 section 4): a 2-byte original sequence number before the payload.

+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
| original sequence number (OSN) |  original payload ...
+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
"""

import struct

from rtc.rtp.header_extensions import Extensions
from rtc.rtp.packet import RtpPacket
from rtc.values.errors import RemoteProtocolError

OVERHEAD_BYTES = 2

_ORIGINAL_SEQUENCE = struct.Struct("!H")


def wrap(
    original: RtpPacket, *, payload_type: int, ssrc: int, sequence_number: int, extensions: Extensions | None = None
) -> RtpPacket:
    """The retransmission of a packet, on the RTX stream's payload type, SSRC and next sequence number.

    `extensions` replaces the original's; a transport-wide sequence number, for one, must be a fresh one.
    """
    return RtpPacket(
        payload_type=payload_type,
        marker=original.marker,
        sequence_number=sequence_number,
        timestamp=original.timestamp,
        ssrc=ssrc,
        extensions=original.extensions if extensions is None else extensions,
        payload=_ORIGINAL_SEQUENCE.pack(original.sequence_number) + original.payload,
        contributing_sources=original.contributing_sources,
    )


def unwrap(retransmission: RtpPacket, *, payload_type: int, ssrc: int) -> RtpPacket:
    """The packet that was lost, on its own stream's payload type (`apt`) and SSRC, with the extensions of the carrier.

    Raises RemoteProtocolError when there is no original sequence number. Padding alone on an RTX stream (some senders
    probe with it) has an empty payload: leave such packets out before.
    """
    payload = retransmission.payload
    if len(payload) < OVERHEAD_BYTES:
        raise RemoteProtocolError(f"retransmission of {len(payload)} bytes: its original sequence number takes 2")
    return RtpPacket(
        payload_type=payload_type,
        marker=retransmission.marker,
        sequence_number=payload[0] << 8 | payload[1],
        timestamp=retransmission.timestamp,
        ssrc=ssrc,
        extensions=retransmission.extensions,
        payload=payload[OVERHEAD_BYTES:],
        contributing_sources=retransmission.contributing_sources,
    )
