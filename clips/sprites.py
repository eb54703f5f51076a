"""Textured balls that spin: small pictures with a mask, one for each step of a turn."""

import numpy as np
from numpy.typing import NDArray

from clips.frames import Planes
from clips.photographs import photograph
from clips.waves import sine

_TURN_STEPS = 24


class SpinningBall:
    """A disc cut from a photograph, at `_TURN_STEPS` angles, that can be put on a picture."""

    def __init__(self, *, texture: str, diameter: int) -> None:
        self.diameter = diameter & ~3
        photo = photograph(texture)
        self._turns = tuple(_turned(photo, self.diameter, step / _TURN_STEPS) for step in range(_TURN_STEPS))
        self._masks = tuple(_disc(self.diameter >> shift) for shift in (0, 1, 1))

    def put(self, onto: Planes, *, left: int, top: int, turns: float) -> None:
        """Put it there (made even), whatever part of it falls inside the picture."""
        ball = self._turns[int(turns * _TURN_STEPS) % _TURN_STEPS]
        for plane, texture, mask, shift in zip(onto, ball, self._masks, (0, 1, 1), strict=True):
            _put(plane, texture, mask, (left & ~1) >> shift, (top & ~1) >> shift)


def _put(plane: NDArray[np.uint8], texture: NDArray[np.uint8], mask: NDArray[np.bool_], column: int, row: int) -> None:
    rows, columns = plane.shape
    side = mask.shape[0]
    top, bottom = max(row, 0), min(row + side, rows)
    left, right = max(column, 0), min(column + side, columns)
    if top >= bottom or left >= right:
        return
    inside = (slice(top - row, bottom - row), slice(left - column, right - column))
    np.copyto(plane[top:bottom, left:right], texture[inside], where=mask[inside])


def _disc(side: int) -> NDArray[np.bool_]:
    """True inside the circle that touches the square's sides."""
    from_middle = 2 * np.arange(side) - (side - 1)
    square = from_middle * from_middle
    return np.asarray(square[:, None] + square[None, :] <= side * side)


def _turned(photo: Planes, diameter: int, turns: float) -> Planes:
    """The middle of a photograph, turned, at the ball's size; shaded darker towards the lower right."""
    luma = _sampled(photo.y, diameter, turns).astype(np.int32)
    shade = 256 - (np.arange(diameter)[:, None] + np.arange(diameter)[None, :]) * 100 // diameter
    lit = np.clip(luma * shade >> 7, 16, 235).astype(np.uint8)
    return Planes(lit, _sampled(photo.u, diameter // 2, turns), _sampled(photo.v, diameter // 2, turns))


def _sampled(plane: NDArray[np.uint8], side: int, turns: float) -> NDArray[np.uint8]:
    rows, columns = plane.shape
    reach = min(rows, columns) * 0.65 / side
    right, down = np.meshgrid(np.arange(side) - side / 2 + 0.5, np.arange(side) - side / 2 + 0.5)
    across, along = sine(turns + 0.25) * reach, sine(turns) * reach
    x = np.rint(right * across - down * along + columns / 2).astype(np.int64)
    y = np.rint(right * along + down * across + rows / 2).astype(np.int64)
    return np.asarray(plane[np.clip(y, 0, rows - 1), np.clip(x, 0, columns - 1)])
