"""Pictures whose content begins anew: a scene cut, a slide, a scroll."""

from typing import Final

from rtc.values.frames import PictureChange

TIMES: Final = 4
"""A difference this many times the usual one."""
AT_LEAST: Final = 2 * 256
"""Added to the usual difference, in 1/256 of a luma level, so that what rested may stir."""
FIRST_USUAL: Final = 8 * 256
"""What counts as usual until a change was seen: content that moves, so that only a cut is new."""
WEIGHT: Final = 8
"""Frames over which the usual difference is averaged."""
MOST_NEW: Final = 8
"""Pictures in a row; what goes on being new is how this content moves, and the rate model knows its cost."""
PERMILLE: Final = 1000


class NewContentDetector:
    """Compares each picture's change with the usual one; driven by the rate controller, once a picture encoded."""

    def __init__(self) -> None:
        self._usual: int | None = None
        self._new_in_a_row = 0

    def permille(self, change: PictureChange) -> int:
        """The share of the picture that is new content; 0 where the change is no more than usual."""
        usual = self._usual
        if change.difference > TIMES * ((FIRST_USUAL if usual is None else usual) + AT_LEAST):
            self._new_in_a_row += 1
            if self._new_in_a_row <= MOST_NEW:
                return PERMILLE - change.resting_permille
            usual = None
        self._new_in_a_row = 0
        self._usual = change.difference if usual is None else usual + (change.difference - usual) // WEIGHT
        return 0
