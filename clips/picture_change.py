"""How much a picture differs from the one before it, for rate control to expect its cost."""

import cv2
import numpy as np
from numpy.typing import NDArray

from rtc.values.frames import PictureChange, VideoFrame

STEP = 4
"""Every fourth sample each way: 1/16 of the picture tells as much as all of it (measured), in some 30 us at 640x360."""
RESTING_LEVELS = 4
"""A sample whose luma differs by no more rests; noise of a camera is about that."""
LEVEL = 256
PERMILLE = 1000


class PictureChangeMeter:
    """Compares each picture with the one before; driven by whatever delivers pictures, in order.

    Whole-number sums, so the figures are the same on every machine. Pictures may change size; then nothing compares,
    and everything has changed.
    """

    def __init__(self) -> None:
        self._before: NDArray[np.uint8] | None = None

    def measure(self, picture: VideoFrame) -> PictureChange:
        """What changed since the picture before; nothing, for the first."""
        before, now = self._before, _samples(picture)
        self._before = now
        if before is None:
            return PictureChange()
        if before.shape != now.shape:
            return PictureChange(difference=LEVEL * LEVEL - 1, resting_permille=0)
        difference = cv2.absdiff(now, before)
        moving = int(np.count_nonzero(difference > RESTING_LEVELS))
        return PictureChange(
            difference=int(difference.sum(dtype=np.int64)) * LEVEL // difference.size,
            resting_permille=(difference.size - moving) * PERMILLE // difference.size,
        )


def _samples(picture: VideoFrame) -> NDArray[np.uint8]:
    """A copy of the sampled luma; of a picture smaller than a step, its first sample."""
    width, height = picture.size.width, picture.size.height
    luma = np.frombuffer(picture.data, np.uint8, count=width * height).reshape(height, width)
    return np.ascontiguousarray(luma[min(STEP // 2, height - 1) :: STEP, min(STEP // 2, width - 1) :: STEP])
