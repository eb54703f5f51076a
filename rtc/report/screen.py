"""Several pictures side by side in one I420 picture."""

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from clips.frames import Plane, planes, split
from rtc.values.errors import LocalMisuse
from rtc.values.formats import FrameSize
from rtc.values.frames import VideoFrame

_BLACK_LUMA = 16
_BLACK_CHROMA = 128


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    left: int
    top: int
    size: FrameSize


class Screen:
    """Where each direction's picture stands: left to right in order, as wide as all together, as high as the highest.

    Pictures are numpy arrays of shape (height * 3 / 2, width) of uint8, planar I420; they are never changed once made.
    """

    def __init__(self, sizes: Mapping[str, FrameSize]) -> None:
        if not sizes:
            raise LocalMisuse("film: there must be at least one picture to show")
        self.width = sum(size.width for size in sizes.values())
        self.height = max(size.height for size in sizes.values())
        self._places: dict[str, _Place] = {}
        left = 0
        for direction, size in sizes.items():
            # Even, so that the chroma planes, half as high, start on a whole line.
            top = (self.height - size.height) // 4 * 2
            self._places[direction] = _Place(left=left, top=top, size=size)
            left += size.width

    @property
    def black(self) -> Plane:
        """Nothing shown yet."""
        screen = np.full((self.height * 3 // 2, self.width), _BLACK_CHROMA, dtype=np.uint8)
        screen[: self.height] = _BLACK_LUMA
        return screen

    def with_picture(self, shown: Plane, direction: str, frame: VideoFrame) -> Plane:
        """A copy of the screen with this frame in its direction's place, scaled when it was coded at another size."""
        place = self._places.get(direction)
        if place is None:
            raise LocalMisuse(f"film: no picture is called {direction!r}; there are {', '.join(self._places)}")
        screen = shown.copy()
        targets = split(screen.reshape(-1), FrameSize(self.width, self.height))
        for target, source, scale in zip(targets, planes(frame), (1, 2, 2), strict=True):
            width, height = place.size.width // scale, place.size.height // scale
            left, top = place.left // scale, place.top // scale
            target[top : top + height, left : left + width] = _scaled(source, width, height)
        return screen


def _scaled(source: Plane, width: int, height: int) -> Plane:
    if source.shape == (height, width):
        return source
    return np.asarray(cv2.resize(source, (width, height), interpolation=cv2.INTER_LINEAR), dtype=np.uint8)
