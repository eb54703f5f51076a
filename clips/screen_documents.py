"""What the windows of the shared screen show: each a canvas some screens high."""

import numpy as np

from clips.frames import Plane, Planes
from clips.photographs import photograph
from clips.screen_script import Window, random_code, random_words
from clips.supersampled import Crop, enlarged
from clips.text import Cell, Colour, TextCanvas
from rtc.values.formats import FrameSize
from rtc.values.randomness import RandomStream

WHITE, BLACK, GREY, DARK = (232, 128, 128), (44, 128, 128), (150, 128, 128), (38, 132, 124)
_BLUE, _GREEN, _YELLOW, _ROSE = (110, 170, 96), (150, 100, 104), (196, 84, 140), (150, 120, 176)
SCREENS = 4
"""Height of a document in screens."""


def cell_for(size: FrameSize) -> Cell:
    """A character's size: small, as on a screen that is shared scaled down."""
    height = min(max(size.height // 26, 10), 22) & ~1
    return Cell(width=height * 4 // 7 & ~1, height=height)


def _document(size: FrameSize, cell: Cell, paper: Colour) -> TextCanvas:
    return TextCanvas(
        columns=-(-size.width // cell.width), rows=-(-size.height * SCREENS // cell.height), cell=cell, paper=paper
    )


def title_bar(size: FrameSize, cell: Cell, shown: Window) -> TextCanvas:
    """The bar above every window, the name of the one shown in white."""
    bar = TextCanvas(columns=-(-size.width // cell.width), rows=1, cell=cell, paper=_BLUE)
    for window in Window:
        ink = WHITE if window is shown else BLACK
        bar.write(0, 2 + window.value * 12, window.name.lower(), ink)
    return bar


def page(size: FrameSize, cell: Cell, stream: RandomStream) -> TextCanvas:
    """Headings, text and a photograph on white."""
    page = _document(size, cell, WHITE)
    for row in range(1, page.rows - 1):
        if row % 9 == 1:
            page.write(row, 3, random_words(stream, 4).upper(), _BLUE)
        elif row % 9 > 2:  # noqa: PLR2004 - a heading and a blank line, then six of text
            page.write(row, 3, random_words(stream, 40)[: page.columns - 6 - stream.randrange(9)], BLACK)
    _inset(page, photograph("coffee"), row=11, column=page.columns // 2)
    return page


def _inset(page: TextCanvas, photo: Planes, *, row: int, column: int) -> None:
    """A photograph on the page, half its width."""
    width = (page.columns // 2 - 3) * page.cell.width & ~3
    height = width * 2 // 3 & ~1
    if width <= 0 or row * page.cell.height + height > page.picture.y.shape[0]:
        return
    picture = enlarged(photo, Crop(0, 0, photo.y.shape[1], photo.y.shape[0]), width=width, height=height)
    for plane, source, shift in zip(page.picture, picture, (0, 1, 1), strict=True):
        top, left = row * page.cell.height >> shift, column * page.cell.width >> shift
        plane[top : top + source.shape[0], left : left + source.shape[1]] = source


def editor(size: FrameSize, cell: Cell, stream: RandomStream) -> TextCanvas:
    """Coloured code on a dark ground, numbered lines."""
    editor = _document(size, cell, DARK)
    for row in range(editor.rows):
        editor.write(row, 0, f"{row:3d}", GREY)
        if row != 2 and stream.randrange(6):  # noqa: PLR2004 - where typing begins
            ink = stream.choice((WHITE, WHITE, _GREEN, _YELLOW, _ROSE))
            editor.write(row, 5 + 4 * stream.randrange(3), random_code(stream), ink)
    return editor


def sheet(size: FrameSize, cell: Cell, stream: RandomStream) -> TextCanvas:
    """Columns of figures on ruled white."""
    sheet = _document(size, cell, WHITE)
    for row in range(sheet.rows):
        for column in range(0, sheet.columns, 10):
            sheet.write(row, column, f"{stream.randrange(100_000) / 100:8.2f}", BLACK if row % 5 else _BLUE)
    _rule(sheet.picture.y, sheet.cell)
    return sheet


def _rule(luma: Plane, cell: Cell) -> None:
    luma[:: cell.height] = np.minimum(luma[:: cell.height], 200)
    luma[:, 9 * cell.width :: 10 * cell.width] = 200
