"""Pictures whose content begins anew: a scene cut, a slide, a scroll."""

from typing import Final

from rtc.values.frames import PictureChange

TIMES: Final = 4
"""A difference this many times the usual one."""
AT_LEAST: Final = 2 * 256
"""Added to the usual difference, in 1/256 of a luma level, so that what rested may stir."""
WEIGHT: Final = 8
"""Frames over which the usual difference is averaged."""
PERMILLE: Final = 1000


class NewContentDetector:
    """Compares each picture's change with the usual one; driven by the rate controller, once a picture encoded."""

    def __init__(self) -> None:
        self._usual: int | None = None

    def permille(self, change: PictureChange) -> int:
        """The share of the picture that is new content; 0 where the change is no more than usual."""
        usual = self._usual
        if usual is not None and change.difference > TIMES * (usual + AT_LEAST):
            return PERMILLE - change.resting_permille
        self._usual = change.difference if usual is None else usual + (change.difference - usual) // WEIGHT
        return 0
