"""The coded size for content too hard for its rate: smaller rather than pinned at the coarsest quantizer.

What a delta frame costs at the coarsest quantizer is known from the rate model. Where it takes longer to send than the
next picture takes to come, no quantizer keeps up, and pictures would have to go. A smaller size costs less at once and
looks better at a middling quantizer than a larger one at the coarsest.
"""

import math
from collections import deque
from collections.abc import Sequence
from typing import Final

from ratecontrol.rounding import to_six_places
from rtc.values.formats import FrameSize

AREA_EXPONENT: Final = 0.8
"""Bits grow a little slower than pixels at one quantizer."""
SHRINKS_ABOVE: Final = 1.0
"""Intervals between pictures that a frame at the coarsest quantizer takes to send."""
AIM: Final = 0.65
"""The same at the smaller size, which is the largest that stays below."""
GROWS_BELOW: Final = 0.4
"""The same at the larger size, by the dearest of a second's frames; a target that rises is followed at once."""
WEIGHT: Final = 0.25
SETTLING: Final = 6
"""Frames at a new size before the next change, for the rate model to learn it."""
OVERRUN_AIM: Final = 0.8
"""Of its bound, for a picture encoded again at a smaller size."""


class SizeForContent:
    """Follows what frames at the coarsest quantizer cost; driven by `CodedSizePlanner`.

    Sizes, largest first, are told by their index.
    """

    def __init__(self, sizes: Sequence[FrameSize], pictures_per_s: int) -> None:
        self._pixels = tuple(size.pixels for size in sizes)
        self._log_areas = tuple(AREA_EXPONENT * math.log(pixels) for pixels in self._pixels)
        self._index = 0
        self._log_cost: float | None = None
        self._second = deque[float](maxlen=pictures_per_s)
        self._since_change = SETTLING

    def follow(self, share_bits: int) -> int:
        """Of the largest size for the next picture, when an average frame has this many bits."""
        if self._log_cost is None or self._since_change < SETTLING:
            return self._index
        if self._load(self._log_cost, self._index, share_bits) > SHRINKS_ABOVE:
            self._move(max(self._index, self._largest_below(AIM, self._log_cost, share_bits)))
        elif self._index:
            self._move(min(self._index, self._largest_below(GROWS_BELOW, max(self._second), share_bits)))
        return self._index

    def smaller_than(self, index: int, overrun: float) -> int | None:
        """For a picture that came to `overrun` times its bound at this index; None where there is no smaller size."""
        further = range(index + 1, len(self._pixels))
        fitting = (n for n in further if overrun * self._growth(index, n) <= OVERRUN_AIM)
        return next(fitting, further[-1] if further else None)

    def on_sent(self, log_coarsest_bits: float, pixels: int) -> None:
        """A delta frame of so many pixels is sent; at the coarsest quantizer it would have come to this log(bits)."""
        cost = log_coarsest_bits - AREA_EXPONENT * math.log(pixels)
        before = cost if self._log_cost is None else self._log_cost
        self._log_cost = to_six_places(before + WEIGHT * (cost - before))
        self._second.append(self._log_cost)
        self._since_change += 1

    def hold(self, log_coarsest_bits: float, index: int) -> None:
        """A picture that broke its bound is sent at this smaller size, and came to this log(bits)."""
        self._second.append(to_six_places(log_coarsest_bits - AREA_EXPONENT * math.log(self._pixels[index])))
        self._move(max(self._index, index))

    def _load(self, log_cost: float, index: int, share_bits: int) -> float:
        return to_six_places(math.exp(log_cost + self._log_areas[index]) / share_bits)

    def _growth(self, index: int, other: int) -> float:
        """Of a frame's bits, from one size to another."""
        return to_six_places(math.exp(AREA_EXPONENT * math.log(self._pixels[other] / self._pixels[index])))

    def _largest_below(self, load: float, log_cost: float, share_bits: int) -> int:
        sizes = range(len(self._pixels))
        return next((index for index in sizes if self._load(log_cost, index, share_bits) <= load), sizes[-1])

    def _move(self, index: int) -> None:
        if index != self._index:
            self._index, self._since_change = index, 0
