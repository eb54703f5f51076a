"""How far apart the pictures are that are encoded: as the camera promised, or further where pictures are missing."""

from typing import Final

MISSING_PERCENT: Final = 150
"""Of the promised interval; a longer gap means that a picture is missing."""
MOST_INTERVALS: Final = 4
"""A longer gap is a pause, and says nothing of the pictures after it."""
WEIGHT: Final = 4
"""Pictures over which the interval is averaged."""


class PictureInterval:
    """Follows the pictures that rate control is asked about; driven by it.

    An encoder slower than the camera leaves pictures out, and each of the others may then take more of the target.
    """

    def __init__(self, promised_us: int) -> None:
        self._promised_us = promised_us
        self._last_us: int | None = None
        self.interval_us = promised_us
        self.keeps_up = True
        """Whether no picture was missing before the latest."""

    def on_picture(self, captured_at_us: int) -> None:
        """A picture came, whether it will be encoded or dropped on purpose."""
        gap_us = self._promised_us if self._last_us is None else captured_at_us - self._last_us
        self._last_us = captured_at_us
        self.keeps_up = gap_us * 100 <= self._promised_us * MISSING_PERCENT
        if self.keeps_up:
            gap_us = self._promised_us
        gap_us = min(gap_us, self._promised_us * MOST_INTERVALS)
        self.interval_us += (gap_us - self.interval_us) // WEIGHT
