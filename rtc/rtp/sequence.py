"""Wrap-around, solved once: wire counters go in, unbounded integers come out."""


class SequenceUnwrapper:
    """Follows one wire counter (16-bit sequence and frame numbers, 32-bit RTP timestamps) past its wrap-arounds.

    Promises that the first value maps to itself and every later one to the integer nearest the highest so far that has
    the same low bits: at most half the range ahead or behind. Values from before the first may come out negative.
    """

    __slots__ = ("_half", "_highest", "_mask")

    def __init__(self, bits: int = 16) -> None:
        self._mask = (1 << bits) - 1
        self._half = 1 << (bits - 1)
        self._highest: int | None = None

    @property
    def highest(self) -> int | None:
        """The highest value so far, or None before the first."""
        return self._highest

    def unwrap(self, wire: int) -> int:
        """The unbounded value of a wire value (0 to 2^bits - 1)."""
        highest = self._highest
        if highest is None:
            self._highest = wire
            return wire
        unwrapped = highest + ((wire - highest + self._half) & self._mask) - self._half
        if unwrapped > highest:
            self._highest = unwrapped
        return unwrapped
