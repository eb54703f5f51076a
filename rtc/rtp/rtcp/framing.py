"""What every RTCP packet shares: its header, and the numbers that stand for each kind (RFC 3550 section 6.4).

 0                   1                   2                   3
 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
|V=2|P| RC/FMT  |      PT       |      length in words - 1      |
+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
"""

import struct
from collections.abc import Iterator
from typing import Final

from rtc.values.errors import LocalMisuse, RemoteProtocolError

SENDER_REPORT: Final = 200
RECEIVER_REPORT: Final = 201
TRANSPORT_FEEDBACK: Final = 205
"""RTPFB, RFC 4585 section 6.2."""
PAYLOAD_FEEDBACK: Final = 206
"""PSFB, RFC 4585 section 6.3."""

FMT_NACK: Final = 1
FMT_TRANSPORT_WIDE: Final = 15
FMT_PICTURE_LOSS: Final = 1
FMT_REFERENCE_PICTURE: Final = 3
FMT_FULL_INTRA: Final = 4

SSRC_PAIR: Final = struct.Struct("!II")
"""Every feedback message begins with the SSRCs of its sender and of the media it speaks of."""

_HEADER = struct.Struct("!BBH")
_VERSION_2 = 0x80
_VERSION_MASK = 0xC0
_PADDING_FLAG = 0x20
_COUNT_MASK = 0x1F
_MAX_WORDS = 0xFFFF


def frame_packet(packet_type: int, count_or_format: int, body: bytes) -> bytes:
    """An RTCP packet; the body is filled up with zeros to 32 bits."""
    excess = len(body) & 3
    if excess:
        body += bytes(4 - excess)
    if len(body) >> 2 > _MAX_WORDS:
        raise LocalMisuse(f"RTCP body of {len(body)} bytes: at most {4 * _MAX_WORDS} fit one packet; split the message")
    return _HEADER.pack(_VERSION_2 | count_or_format, packet_type, len(body) >> 2) + body


def split_packets(data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Packet type, count or format, and body without padding, of each packet of a compound.

    Reduced-size RTCP (RFC 5506) is a compound like any other. Raises RemoteProtocolError when lengths do not add up.
    """
    position, end = 0, len(data)
    if end == 0:
        raise RemoteProtocolError("RTCP datagram of 0 bytes: one header is 4")
    while position < end:
        start = position + _HEADER.size
        if start > end:
            raise RemoteProtocolError(f"RTCP datagram of {end} bytes ends inside a header")
        flags, packet_type, words = _HEADER.unpack_from(data, position)
        if flags & _VERSION_MASK != _VERSION_2:
            raise RemoteProtocolError(f"RTCP version {flags >> 6}: must be 2")
        position = start + 4 * words
        if position > end:
            raise RemoteProtocolError(f"RTCP packet of {4 * words} bytes where {end - start} are left")
        yield packet_type, flags & _COUNT_MASK, _body(data, start, position, is_padded=flags & _PADDING_FLAG != 0)


def _body(data: bytes, start: int, after: int, *, is_padded: bool) -> bytes:
    if not is_padded:
        return data[start:after]
    padding = data[after - 1] if after > start else 0
    if not 0 < padding <= after - start:
        raise RemoteProtocolError(f"{padding} bytes of RTCP padding in a packet of {after - start}")
    return data[start : after - padding]
