"""The coded sizes libaom can make of one input size without a key frame (reference picture resampling)."""

from typing import Final

from rtc.values.errors import LocalMisuse
from rtc.values.formats import FrameSize

FULL_SIZE_MODE: Final = 0
SCALE_FRACTIONS: Final = {
    0: (1, 1),
    1: (4, 5),
    3: (3, 4),
    7: (2, 3),
    2: (3, 5),
    6: (1, 2),
    8: (1, 3),
    4: (1, 4),
    5: (1, 8),
}
"""libaom's scaling modes (AOM_SCALING_MODE) and the fraction of each side they keep, largest first."""


def coded_sizes(full: FrameSize) -> tuple[FrameSize, ...]:
    """Every coded size that pictures of this size can be given, largest first; the first is the full size itself."""
    return tuple(scale_modes(full))


def scale_modes(full: FrameSize) -> dict[FrameSize, int]:
    """The scaling mode of each coded size; fractions that would leave an odd or a tiny side are left out."""
    sizes: dict[FrameSize, int] = {}
    for mode, (numerator, denominator) in SCALE_FRACTIONS.items():
        # libaom rounds up.
        width, height = (-(-side * numerator // denominator) for side in (full.width, full.height))
        try:
            sizes.setdefault(FrameSize(width, height), mode)
        except LocalMisuse:
            continue
    return sizes
