"""Bit fields, most significant bit first, as appendix A.8.2 writes f(n) and ns(n)."""

from rtc.values.errors import LocalMisuse, RemoteProtocolError

MAX_BYTES = 255
"""The longest header extension element; longer input is refused before any work is done on it."""


class BitReader:
    """Takes fields off the front of bytes; raises RemoteProtocolError past their end."""

    __slots__ = ("_bits", "_left")

    def __init__(self, data: bytes) -> None:
        if len(data) > MAX_BYTES:
            raise RemoteProtocolError(f"descriptor of {len(data)} bytes: a header extension has at most {MAX_BYTES}")
        self._bits = int.from_bytes(data, "big")
        self._left = 8 * len(data)

    def fixed(self, width: int) -> int:
        """f(n): an unsigned number of `width` bits."""
        self._left -= width
        if self._left < 0:
            raise RemoteProtocolError(f"descriptor ends inside a field of {width} bits")
        return self._bits >> self._left & ((1 << width) - 1)

    def flag(self) -> bool:
        """f(1) as a truth value."""
        return self.fixed(1) == 1

    def non_symmetric(self, values: int) -> int:
        """ns(n): a number below `values`, the lower ones in one bit less."""
        width = values.bit_length()
        short_forms = (1 << width) - values
        value = self.fixed(width - 1)
        if value < short_forms:
            return value
        return (value << 1) - short_forms + self.fixed(1)


class BitWriter:
    """Gathers fields, then gives them as bytes filled up with zero bits."""

    __slots__ = ("_bits", "_size")

    def __init__(self) -> None:
        self._bits = 0
        self._size = 0

    def fixed(self, width: int, value: int) -> None:
        """f(n): an unsigned number of `width` bits."""
        if value < 0 or value >> width:
            raise LocalMisuse(f"descriptor field {value}: must fit {width} bits")
        self._bits = self._bits << width | value
        self._size += width

    def non_symmetric(self, values: int, value: int) -> None:
        """ns(n): a number below `values`, the lower ones in one bit less."""
        if not 0 <= value < values:
            raise LocalMisuse(f"descriptor field {value}: must be 0..{values - 1}")
        width = values.bit_length()
        short_forms = (1 << width) - values
        if value < short_forms:
            self.fixed(width - 1, value)
        else:
            self.fixed(width, value + short_forms)

    def to_bytes(self) -> bytes:
        """All fields so far."""
        size = (self._size + 7) // 8
        if size > MAX_BYTES:
            raise LocalMisuse(f"descriptor of {size} bytes: a header extension has at most {MAX_BYTES}")
        return (self._bits << (8 * size - self._size)).to_bytes(size, "big")
