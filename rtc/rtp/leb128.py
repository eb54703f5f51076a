"""Little-endian base-128 numbers (AV1 specification section 4.10.5), as OBU and OBU element sizes are written."""

from rtc.values.errors import RemoteProtocolError

MAX_BYTES = 8
_ONE_BYTE_LIMIT = 0x80
_TWO_BYTE_LIMIT = 0x4000


def leb128(value: int) -> bytes:
    """The shortest form of a value."""
    if value < _ONE_BYTE_LIMIT:
        return bytes((value,))
    if value < _TWO_BYTE_LIMIT:
        return bytes((value & 0x7F | 0x80, value >> 7))
    parts = []
    while value >= _ONE_BYTE_LIMIT:
        parts.append(value & 0x7F | 0x80)
        value >>= 7
    parts.append(value)
    return bytes(parts)


def leb128_size(value: int) -> int:
    """Bytes of the shortest form of a value."""
    if value < _ONE_BYTE_LIMIT:
        return 1
    return (value.bit_length() + 6) // 7


def read_leb128(data: bytes, position: int) -> tuple[int, int]:
    """A value and the position behind it. Raises RemoteProtocolError when it does not end within 8 bytes of `data`."""
    value = shift = 0
    for byte in data[position : position + MAX_BYTES]:
        position += 1
        value |= (byte & 0x7F) << shift
        if byte < _ONE_BYTE_LIMIT:
            return value, position
        shift += 7
    raise RemoteProtocolError("leb128 number has no last byte: it must end within 8 bytes and within the data")
