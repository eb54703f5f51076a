"""Photographs enlarged beyond the picture's size, so that motion finer than a pixel is only indexing."""

from dataclasses import dataclass

import cv2
import numpy as np

from clips.frames import Plane, Planes
from rtc.values.formats import FrameSize

ENLARGED_SIDE = 2816
"""Up to here pictures are enlarged; larger frames are not divided further."""


@dataclass(frozen=True, slots=True)
class Crop:
    """A rectangle of a photograph, in its pixels."""

    left: int
    top: int
    width: int
    height: int


def sub_pixel_steps(size: FrameSize) -> int:
    """Steps a pixel is divided into: 4, 2 or 1, so that a step is about as fine a part of the picture at any size.

    The enlarged picture stays within the caches of a processor, or nearly, and within 16-bit places.
    """
    longest = max(size.width, size.height)
    if longest <= ENLARGED_SIDE // 4:
        return 4
    return 2 if longest <= ENLARGED_SIDE // 2 else 1


def cover_crop(photo: Planes, *, aspect: FrameSize, centre: tuple[int, int], margin: int) -> Crop:
    """The largest rectangle of the aspect asked for, `margin` pixels inside the photo, as near `centre` as fits."""
    rows, columns = (side - 2 * margin for side in photo.y.shape)
    width = min(columns, rows * aspect.width // aspect.height)
    height = min(rows, columns * aspect.height // aspect.width)
    left = min(max(centre[0] - width // 2, margin), margin + columns - width)
    top = min(max(centre[1] - height // 2, margin), margin + rows - height)
    return Crop(left, top, max(width, 1), max(height, 1))


def enlarged(photo: Planes, crop: Crop, *, width: int, height: int) -> Planes:
    """A crop at luma size `width` x `height`, chroma at half of that.

    INTER_LINEAR_EXACT is fixed-point: the one interpolation OpenCV documents as bit-exact on every CPU.
    """
    cut = Planes(*(plane[crop.top : crop.top + crop.height, crop.left : crop.left + crop.width] for plane in photo))
    half = (width // 2, height // 2)
    return Planes(_resized(cut.y, (width, height)), _resized(cut.u, half), _resized(cut.v, half))


def clamped(picture: Planes, headroom: int) -> Planes:
    """The picture kept `headroom` away from 0 and 255, so that noise cannot wrap."""
    return Planes(*(np.clip(plane, headroom, 255 - headroom) for plane in picture))


class PannedPicture:
    """A picture larger than the frame, of which any window can be copied at sub-pixel offsets.

    Held as one picture for each sub-pixel phase, so that a window is a plain copy of rows.
    """

    def __init__(self, picture: Planes, *, steps: int) -> None:
        """Take a picture `steps` times as large, each way, as it is to be seen."""
        self._steps = steps
        self._phases = Planes(*(_phases(plane, steps) for plane in picture))
        luma = self._phases.y
        self.height, self.width = luma.shape[2], luma.shape[3]

    def copy_window(self, into: Planes, *, left: float, top: float) -> None:
        """Copy the window whose corner is there, in luma pixels, rounded to the nearest step."""
        for plane, phases, scale in zip(into, self._phases, (1.0, 0.5, 0.5), strict=True):
            row, row_phase = divmod(round(top * scale * self._steps), self._steps)
            column, column_phase = divmod(round(left * scale * self._steps), self._steps)
            rows, columns = plane.shape
            np.copyto(plane, phases[row_phase, column_phase, row : row + rows, column : column + columns])


def _phases(plane: Plane, steps: int) -> Plane:
    rows, columns = (side // steps for side in plane.shape)
    grid = plane[: rows * steps, : columns * steps].reshape(rows, steps, columns, steps)
    return np.ascontiguousarray(grid.transpose(1, 3, 0, 2))


def _resized(plane: Plane, width_and_height: tuple[int, int]) -> Plane:
    return np.asarray(cv2.resize(plane, width_and_height, interpolation=cv2.INTER_LINEAR_EXACT), np.uint8)
