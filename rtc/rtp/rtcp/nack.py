"""Generic NACK (RFC 4585 section 6.2.1): a packet id, and a bit for each of the 16 packets after it.

+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
|              PID              |              BLP              |
+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
"""

import struct

from rtc.rtp.rtcp.framing import FMT_NACK, SSRC_PAIR, TRANSPORT_FEEDBACK, frame_packet
from rtc.values.errors import LocalMisuse, RemoteProtocolError
from rtc.values.feedback import Nack

_ENTRY = struct.Struct("!HH")
_MASK_BITS = 16
_SEQUENCE_MASK = 0xFFFF
_MAX_SEQUENCES = 1 << 16


def serialise_nack(nack: Nack) -> bytes:
    """One RTCP packet."""
    if not nack.sequences:
        raise LocalMisuse("NACK of no packets: name at least one")
    parts = [SSRC_PAIR.pack(nack.sender_ssrc, nack.media_ssrc)]
    first, mask = nack.sequences[0], 0
    for sequence in nack.sequences[1:]:
        bit = (sequence - first - 1) & _SEQUENCE_MASK
        if bit < _MASK_BITS:
            mask |= 1 << bit
        else:
            parts.append(_ENTRY.pack(first, mask))
            first, mask = sequence, 0
    parts.append(_ENTRY.pack(first, mask))
    return frame_packet(TRANSPORT_FEEDBACK, FMT_NACK, b"".join(parts))


def parse_nack(body: bytes) -> Nack:
    """The request in a body, sequence numbers in wire order."""
    entries = len(body) - SSRC_PAIR.size
    if entries < _ENTRY.size or entries % _ENTRY.size:
        raise RemoteProtocolError(f"NACK of {len(body)} bytes: must be 8 and 4 more for each entry, one at least")
    sender_ssrc, media_ssrc = SSRC_PAIR.unpack_from(body)
    sequences: list[int] = []
    for first, mask in _ENTRY.iter_unpack(body[SSRC_PAIR.size :]):
        sequences.append(first)
        if mask:
            sequences += [(first + 1 + bit) & _SEQUENCE_MASK for bit in range(_MASK_BITS) if mask >> bit & 1]
    if len(sequences) > _MAX_SEQUENCES:
        raise RemoteProtocolError(f"NACK of {len(sequences)} packets: there are only {_MAX_SEQUENCES} sequence numbers")
    return Nack(sender_ssrc=sender_ssrc, media_ssrc=media_ssrc, sequences=tuple(sequences))
