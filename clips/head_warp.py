"""The displacement of every pixel of a portrait for a pose, and the picture it makes."""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from clips import face
from clips.frames import Plane, Planes
from clips.head_motion import Pose
from clips.portrait import Portrait
from clips.supersampled import ENLARGED_SIDE
from rtc.values.formats import FrameSize

_ONE = 127
"""A pose of 1 as an integer factor of a displacement field."""
_SHIFT = 7
_INNER, _OUTER = 0.35, 1.0
"""Squared distance from the head's centre, in its reach, within which all moves with it, and beyond which nothing."""
_REACH = (138.0, 165.0)
"""Columns and rows of the photograph over which the movement dies away."""
_SWAY, _NOD, _TILT, _LEAN = 10.0, 5.0, 0.06, 0.035
"""Largest movement: columns, rows, slope of the tilt (3.4 degrees), growth when leaning in."""

_NO_FRACTIONS = np.empty(0, np.uint16)


class HeadWarp:
    """Moves a portrait's head over a still background, by nearest-sample indexing into the enlarged picture.

    Displacements are whole samples of the enlarged picture and all arithmetic on them is on integers, so that no CPU
    differs from another.
    """

    def __init__(self, portrait: Portrait, size: FrameSize) -> None:
        self._portrait = portrait
        self._luma = _WarpedRegion(portrait, size, shift=0)
        self._chroma = _WarpedRegion(portrait, size, shift=1)
        first, steps = portrait.steps // 2, portrait.steps
        self._still = Planes(*(np.ascontiguousarray(plane[first::steps, first::steps]) for plane in portrait.picture))

    def draw(self, pose: Pose, into: Planes) -> None:
        """Fill the planes with the portrait at a pose."""
        self._portrait.pose_face(mouth=pose.mouth, lids=pose.lids)
        for plane, still in zip(into, self._still, strict=True):
            np.copyto(plane, still)
        factors = tuple(round(part * _ONE) for part in (pose.sway, pose.nod, pose.tilt, pose.lean))
        self._luma.draw(factors, (self._portrait.picture.y,), (into.y,))
        self._chroma.draw(factors, self._portrait.picture[1:], into[1:])


class _WarpedRegion:
    """The moving columns of luma (`shift` 0) or chroma (1), and how far each of their pixels goes.

    Fields are (pairs of rows, 2 x columns): across and down interleaved, as OpenCV wants places, and one displacement
    for two rows, which differ by less than a step.
    """

    def __init__(self, portrait: Portrait, size: FrameSize, *, shift: int) -> None:
        steps, scale = portrait.steps, portrait.scale / (1 << shift)
        middle = (face.HEAD[0] - portrait.crop.left) * scale / steps
        half = _REACH[0] * scale / steps
        self._left = max(int(middle - half), 0)
        self._right = min(int(middle + half) + 1, size.width >> shift)
        x = np.arange(self._left, self._right) * steps + steps // 2
        y = np.arange(size.height >> shift) * steps + steps // 2
        self._still = _interleaved(*np.meshgrid(x, y), np.dtype(np.int16))
        # Up to there the sum of all displacements at their largest fits 16 bits, which are twice as fast.
        narrow = max(size.width, size.height) * steps <= ENLARGED_SIDE
        self._kind: np.dtype[Any] = np.dtype(np.int16 if narrow else np.int32)
        photo_places = np.meshgrid(x / scale + portrait.crop.left, y[::2] / scale + portrait.crop.top)
        self._fields = tuple(
            _interleaved(np.rint(across * scale), np.rint(down * scale), self._kind)
            for across, down in _fields(*photo_places)
        )
        self._total, self._term = np.empty_like(self._fields[0]), np.empty_like(self._fields[0])
        self._sway_and_nod = np.empty_like(self._fields[0][0])
        self._moved = np.empty_like(self._still)

    def draw(self, factors: tuple[int, ...], sources: tuple[Plane, ...], into: tuple[Plane, ...]) -> None:
        """Draw the moving columns of each plane; `factors` are sway, nod, tilt and lean in 1/127."""
        places = self._places(factors)
        for source, plane in zip(sources, into, strict=True):
            region = plane[:, self._left : self._right]
            cv2.remap(source, places, _NO_FRACTIONS, cv2.INTER_NEAREST, dst=region, borderMode=cv2.BORDER_REPLICATE)

    def _places(self, factors: tuple[int, ...]) -> NDArray[np.int16]:
        """(rows, columns, 2): the column and row of the enlarged picture to take each pixel from."""
        self._sway_and_nod[0::2], self._sway_and_nod[1::2] = factors[:2]
        np.multiply(self._fields[0], self._sway_and_nod, out=self._total)
        for field, factor in zip(self._fields[1:], factors[2:], strict=True):
            np.multiply(field, self._kind.type(factor), out=self._term)
            np.add(self._total, self._term, out=self._total)
        np.right_shift(self._total, _SHIFT, out=self._total)
        moved = self._total.astype(np.int16, copy=False)
        rows = self._still.shape[0]
        np.add(self._still[0::2], moved, out=self._moved[0::2])
        np.add(self._still[1::2], moved[: rows // 2], out=self._moved[1::2])
        return self._moved.reshape(rows, -1, 2)


def _fields(columns: face.Places, rows: face.Places) -> tuple[tuple[face.Places, face.Places], ...]:
    """At 1, how far away, across and down, each place takes its pixel from: sway with nod, tilt, lean."""
    right, down = columns - face.HEAD[0], rows - face.HEAD[1]
    weight = _weight(right / _REACH[0], down / _REACH[1])
    return (
        (-_SWAY * weight, -_NOD * weight),
        (_TILT * weight * down, -_TILT * weight * right),
        (-_LEAN * weight * right, -_LEAN * weight * down),
    )


def _weight(right: face.Places, down: face.Places) -> face.Places:
    """1 on the head, 0 far from it, smooth between."""
    part = np.clip((_OUTER - (right * right + down * down)) / (_OUTER - _INNER), 0.0, 1.0)
    return part * part * (3.0 - 2.0 * part)


def _interleaved(across: NDArray[Any], down: NDArray[Any], kind: np.dtype[Any]) -> NDArray[Any]:
    both = np.empty((across.shape[0], across.shape[1] * 2), kind)
    both[:, 0::2], both[:, 1::2] = across, down
    return both
