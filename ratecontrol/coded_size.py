"""The largest size at which a rate still makes pictures: below it even the coarsest frames break every bound.

A key frame at the coarsest quantizer costs some 0.035 (AV1) or 0.055 (H.264) bits a pixel on easy content and half as
much again on hard; the size is such that one fits its bound on VBV delay. That bites under about 55 kbps at 640x360.
"""

from typing import Final

from rtc.values.errors import LocalMisuse
from rtc.values.formats import Codec, FrameSize

FRACTIONS: Final = ((1, 1), (4, 5), (3, 4), (2, 3), (3, 5), (1, 2), (1, 3), (1, 4), (1, 8))
"""Of each side: those that AV1 reaches without a key frame (libaom's scaling modes)."""
MICROBITS_PER_PIXEL: Final = {Codec.AV1: 35_000, Codec.H264: 55_000}
KEY_DELAY_US: Final = 146_000
GROWTH_PERCENT: Final = 140
"""A larger size must be affordable by this much, so that a target that wavers does not move the size."""
MOST_SHRINK: Final = 2
"""A frame is at least half its reference (AV1 specification, section 7.9.1), so that shrinking further takes two."""


class SizeForRate:
    """Follows the target; driven by the call's controller, which asks before each frame that may change size."""

    def __init__(self, codec: Codec, full: FrameSize) -> None:
        self._codec = codec
        self._sizes = tuple(_fractions(full))
        self._index = 0
        self._settled_at_bps: int | None = None

    @property
    def size(self) -> FrameSize:
        """The size now."""
        return self._sizes[self._index]

    @property
    def sizes(self) -> tuple[FrameSize, ...]:
        """All there are, largest first."""
        return self._sizes

    def follow(self, target_bps: int, *, is_key: bool) -> FrameSize:
        """The size of the next frame, which may be of any size if `is_key`."""
        if target_bps == self._settled_at_bps and not is_key:
            return self.size
        wanted = self._affordable(target_bps)
        if wanted < self._index and not is_key:
            wanted = min(self._index, self._affordable(target_bps * 100 // GROWTH_PERCENT))
        self._settled_at_bps = target_bps
        while not is_key and self.size.width > MOST_SHRINK * self._sizes[wanted].width:
            wanted -= 1
            self._settled_at_bps = None
        self._index = wanted
        return self.size

    def _affordable(self, target_bps: int) -> int:
        """Index of the largest size whose coarsest key frame fits; the smallest where none does."""
        microbits = target_bps * KEY_DELAY_US
        for index, size in enumerate(self._sizes):
            if size.pixels * MICROBITS_PER_PIXEL[self._codec] <= microbits:
                return index
        return len(self._sizes) - 1


def _fractions(full: FrameSize) -> list[FrameSize]:
    """Sizes largest first; fractions that leave an odd or a tiny side are left out."""
    sizes = []
    for numerator, denominator in FRACTIONS:
        width, height = (-(-side * numerator // denominator) for side in (full.width, full.height))
        try:
            sizes.append(FrameSize(width, height))
        except LocalMisuse:
            continue
    return sizes
