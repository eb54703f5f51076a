"""Open bitstream units of AV1 (AV1 specification section 5.3): with size fields for codecs, without for RTP.

+-+-+-+-+-+-+-+-+
|0| type  |X|S|0|  [temporal id, spatial id (if X)]  [obu_size, leb128 (if S)]  payload
+-+-+-+-+-+-+-+-+
"""

from rtc.rtp.leb128 import leb128, read_leb128
from rtc.values.errors import LocalMisuse, RemoteProtocolError

TEMPORAL_DELIMITER = b"\x12\x00"
"""The OBU that starts every temporal unit, with its size field."""

_FORBIDDEN = 0x80
_EXTENSION = 0x04
_HAS_SIZE = 0x02
_TYPE_SHIFT = 3
_TYPE_MASK = 0x0F
_UNSENT_TYPES = frozenset({2, 8, 15})
"""Temporal delimiter, tile list and padding (section 6.2.2): both ends of an RTP stream drop them."""


def split_temporal_unit(temporal_unit: bytes) -> list[bytes]:
    """The OBUs worth sending, their size fields taken out. Raises LocalMisuse when they do not add up."""
    obus = []
    position, end = 0, len(temporal_unit)
    while position < end:
        head = temporal_unit[position]
        header_end = position + (2 if head & _EXTENSION else 1)
        start, after = header_end, end
        if head & _HAS_SIZE:
            try:
                size, start = read_leb128(temporal_unit, header_end)
            except RemoteProtocolError as error:
                raise LocalMisuse(f"OBU at byte {position}: {error}") from None
            after = start + size
        if head & _FORBIDDEN or max(start, after) > end:
            raise LocalMisuse(f"temporal unit of {end} bytes: the OBU at byte {position} is malformed or runs past it")
        if head >> _TYPE_SHIFT & _TYPE_MASK not in _UNSENT_TYPES:
            obus.append(
                bytes((head & ~_HAS_SIZE,)) + temporal_unit[position + 1 : header_end] + temporal_unit[start:after]
            )
        position = after
    return obus


def with_size_field(obu: bytes) -> bytes:
    """An OBU as it came over RTP, with its size field put in; empty when receivers must ignore its type.

    Raises RemoteProtocolError when it has no header, or a size field that disagrees with its size.
    """
    if not obu or obu[0] & _FORBIDDEN:
        raise RemoteProtocolError("OBU without a valid header: its first byte must be there, with the top bit 0")
    head = obu[0]
    if head >> _TYPE_SHIFT & _TYPE_MASK in _UNSENT_TYPES:
        return b""
    header_size = 2 if head & _EXTENSION else 1
    size = len(obu) - header_size
    if size < 0:
        raise RemoteProtocolError("OBU ends before its extension header")
    if head & _HAS_SIZE:
        stated, start = read_leb128(obu, header_size)
        if start + stated != len(obu):
            raise RemoteProtocolError(f"OBU states {stated} bytes where {len(obu) - start} follow")
        return obu
    return b"".join((bytes((head | _HAS_SIZE,)), obu[1:header_size], leb128(size), obu[header_size:]))


def layer_of(obu: bytes) -> int | None:
    """Temporal and spatial id of an OBU as one byte, or None when it belongs to every layer."""
    return obu[1] if obu[0] & _EXTENSION else None
