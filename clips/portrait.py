"""The photograph of the talking head, enlarged, with its lids and mouth at every stage of closing and opening."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clips import face
from clips.frames import Plane, Planes
from clips.photographs import photograph
from clips.supersampled import clamped, cover_crop, enlarged, sub_pixel_steps
from rtc.values.formats import FrameSize

MOUTH_LEVELS = 6
LID_LEVELS = 4
_MARGIN = 4
_LOOK_AT = (256, 137)
_INSIDE_MOUTH = (40, 122, 142)
"""Y, Cb and Cr of the dark behind the teeth."""
Seen = Callable[[face.Places, face.Places], tuple[face.Places, NDArray[np.bool_]]]
"""Columns and rows to the row seen at each, and whether it is inside the mouth."""


@dataclass(frozen=True, slots=True)
class Patch:
    """A part of the enlarged picture as it looks at one stage; `left` and `top` in luma pixels, both even."""

    left: int
    top: int
    picture: Planes

    def paste(self, onto: Planes) -> None:
        """Put it where it belongs."""
        for plane, source, shift in zip(onto, self.picture, (0, 1, 1), strict=True):
            row, column = self.top >> shift, self.left >> shift
            plane[row : row + source.shape[0], column : column + source.shape[1]] = source


class Portrait:
    """The photograph cropped to a frame's aspect and enlarged to `steps` times its size, able to move its face."""

    def __init__(self, size: FrameSize, *, headroom: int, lighting: Plane | None = None) -> None:
        """Make it, darkened by a table of 256 luma values where there is one, `headroom` away from 0 and 255."""
        photo = photograph("astronaut")
        self.steps = sub_pixel_steps(size)
        self.crop = cover_crop(photo, aspect=size, centre=_LOOK_AT, margin=_MARGIN)
        self.scale = size.width * self.steps / self.crop.width
        """Pixels of the enlarged picture to one of the photograph."""
        if lighting is not None:
            photo = Planes(lighting[photo.y], *(plane // 2 + 64 for plane in (photo.u, photo.v)))
        bright = enlarged(photo, self.crop, width=size.width * self.steps, height=size.height * self.steps)
        self.picture = clamped(bright, headroom)
        luma, *chroma = _INSIDE_MOUTH
        self._inside_mouth = (luma if lighting is None else int(lighting[luma]), *chroma)
        self._mouths = tuple(self._mouth(level / (MOUTH_LEVELS - 1)) for level in range(MOUTH_LEVELS))
        self._lids = tuple(self._both_lids(level / (LID_LEVELS - 1)) for level in range(LID_LEVELS))
        self._posed = (0, 0)

    def pose_face(self, *, mouth: int, lids: int) -> None:
        """Open the mouth (0 closed) and close the lids (0 open), in the enlarged picture."""
        if (mouth, lids) == self._posed:
            return
        for patch in (*self._mouths[mouth], *self._lids[lids]):
            patch.paste(self.picture)
        self._posed = (mouth, lids)

    def _mouth(self, openness: float) -> tuple[Patch, ...]:
        column, row = face.LIPS
        half = face.MOUTH_HALF_WIDTH
        box = (column - half, row - 12, column + half, face.CHIN_ROW)
        return self._patch(box, lambda columns, rows: face.open_mouth(columns, rows, openness))

    def _both_lids(self, closedness: float) -> tuple[Patch, ...]:
        return tuple(patch for eye in face.EYES for patch in self._lid(eye, closedness))

    def _lid(self, eye: tuple[int, int], closedness: float) -> tuple[Patch, ...]:
        half = face.EYE_HALF_WIDTH
        box = (eye[0] - half, eye[1] - 9, eye[0] + half, eye[1] + 8)

        def seen(columns: face.Places, rows: face.Places) -> tuple[face.Places, NDArray[np.bool_]]:
            return face.close_lid(columns, rows, eye, closedness), np.zeros(rows.shape, np.bool_)

        return self._patch(box, seen)

    def _patch(self, box: tuple[int, int, int, int], seen: Seen) -> tuple[Patch, ...]:
        """The part of the picture in a (left, top, right, bottom) of the photograph; none where the crop cut it off."""
        rows, columns = self.picture.y.shape
        left, right = (self._even(at - self.crop.left, columns) for at in (box[0], box[2]))
        top, bottom = (self._even(at - self.crop.top, rows) for at in (box[1], box[3]))
        if right <= left or bottom <= top:
            return ()
        spans = [(left >> shift, top >> shift, right >> shift, bottom >> shift) for shift in (0, 1, 1)]
        parts = (
            self._part(plane, span, seen, dark)
            for plane, span, dark in zip(self.picture, spans, self._inside_mouth, strict=True)
        )
        return (Patch(left, top, Planes(*parts)),)

    def _even(self, at: int, limit: int) -> int:
        return min(max(int(at * self.scale), 0), limit) & ~1

    def _part(self, plane: Plane, span: tuple[int, int, int, int], seen: Seen, dark: int) -> Plane:
        left, top, right, bottom = span
        scale = self.scale * plane.shape[1] / self.picture.y.shape[1]
        x, y = np.arange(left, right), np.arange(top, bottom)
        columns, rows = np.meshgrid(x / scale + self.crop.left, y / scale + self.crop.top)
        source, inside = seen(columns, rows)
        at = np.clip(np.rint((source - self.crop.top) * scale).astype(np.int64), 0, plane.shape[0] - 1)
        return np.where(inside, dark, plane[at, np.broadcast_to(x, at.shape)]).astype(np.uint8)
