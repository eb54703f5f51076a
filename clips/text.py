"""Sharp monospaced text on planes: glyphs drawn once, pasted ever after."""

import functools
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from clips.frames import Plane, Planes, halved

_FIRST, _LAST = 32, 126
Colour = tuple[int, int, int]
"""Y, Cb, Cr in limited range."""


@dataclass(frozen=True, slots=True)
class Cell:
    """Width and height of a character in luma pixels; both even."""

    width: int
    height: int


@functools.cache
def _glyphs(cell: Cell) -> tuple[Plane, Plane]:
    """How much of each luma and each chroma pixel of every printable ASCII character is ink, 0 to 255."""
    luma = np.zeros((_LAST - _FIRST + 1, cell.height, cell.width), np.uint8)
    base = cell.height * 3 // 4
    scale = cell.height / 42
    for glyph, code in zip(luma, range(_FIRST, _LAST + 1), strict=True):
        (width, _), _ = cv2.getTextSize(chr(code), cv2.FONT_HERSHEY_SIMPLEX, scale, 1)
        left = max((cell.width - width) // 2, 0)
        cv2.putText(glyph, chr(code), (left, base), cv2.FONT_HERSHEY_SIMPLEX, scale, (255,), 1, cv2.LINE_AA)
    return luma, np.stack([halved(glyph) for glyph in luma])


class TextCanvas:
    """Rows and columns of characters on paper of one colour, kept as planes."""

    def __init__(self, *, columns: int, rows: int, cell: Cell, paper: Colour) -> None:
        self.columns, self.rows, self.cell = columns, rows, cell
        self._paper = paper
        width, height = columns * cell.width, rows * cell.height
        shapes = ((height, width), (height // 2, width // 2), (height // 2, width // 2))
        self.picture = Planes(*(np.full(shape, value, np.uint8) for shape, value in zip(shapes, paper, strict=True)))

    def write(self, row: int, column: int, text: str, ink: Colour) -> None:
        """Put printable ASCII there, in place of what was; what does not fit in the row is left out."""
        codes = np.frombuffer(text[: max(self.columns - column, 0)].encode("ascii"), np.uint8) - _FIRST
        if not codes.size:
            return
        for plane, coverage, paper, colour in zip(self.picture, self._coverages(), self._paper, ink, strict=True):
            shift = self.cell.width // coverage.shape[2] - 1
            top, left = row * self.cell.height >> shift, column * self.cell.width >> shift
            strip = np.concatenate(list(coverage[codes]), axis=1)
            blended = _blended(strip, paper, colour)
            plane[top : top + strip.shape[0], left : left + strip.shape[1]] = blended

    def fill(self, row: int, column: int, *, rows: int, columns: int, colour: Colour) -> None:
        """Paint a block of cells in one colour."""
        for plane, value, shift in zip(self.picture, colour, (0, 1, 1), strict=True):
            height, width = self.cell.height >> shift, self.cell.width >> shift
            plane[row * height : (row + rows) * height, column * width : (column + columns) * width] = value

    def _coverages(self) -> tuple[Plane, Plane, Plane]:
        luma, chroma = _glyphs(self.cell)
        return luma, chroma, chroma


def _blended(coverage: Plane, paper: int, ink: int) -> NDArray[np.uint8]:
    return ((coverage.astype(np.int32) * (ink - paper) + 128 >> 8) + paper).astype(np.uint8)
