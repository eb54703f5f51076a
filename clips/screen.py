"""A shared screen: a page, an editor and a sheet that are scrolled, typed into and switched between."""

from clips import screen_documents as documents
from clips.clip import Clip
from clips.frames import Planes
from clips.scene_clips import SceneClip
from clips.screen_script import Action, Point, Scroll, Show, TypeText, Window, actions
from rtc.values.formats import FrameSize
from rtc.values.randomness import RandomStream
from rtc.values.units import US_PER_MS

_CARET_US = 530 * US_PER_MS
_POINTER_ROWS = 16


class ScreenScene:
    """Draws the desktop as the user's actions have left it; between actions only the caret blinks."""

    def __init__(self, *, size: FrameSize, stream: RandomStream) -> None:
        self._size = size
        self._cell = documents.cell_for(size)
        self._windows = {
            Window.PAGE: documents.page(size, self._cell, stream.substream("page")),
            Window.EDITOR: documents.editor(size, self._cell, stream.substream("editor")),
            Window.SHEET: documents.sheet(size, self._cell, stream.substream("sheet")),
        }
        self._bars = {window: documents.title_bar(size, self._cell, window) for window in Window}
        self._scrolled = dict.fromkeys(Window, 0)
        self._shown = Window.PAGE
        self._pointer = Point(500, 500)
        self._caret = (2, 5)
        self._actions = actions(stream.substream("actions"))
        self._next = next(self._actions)

    def draw(self, at_us: int, into: Planes) -> None:
        """See `Scene`."""
        while self._next[0] <= at_us:
            self._apply(self._next[1])
            self._next = next(self._actions)
        top = self._scrolled[self._shown] & ~1
        _copy(self._windows[self._shown].picture, into, from_row=top, to_row=self._cell.height)
        _copy(self._bars[self._shown].picture, into, from_row=0, to_row=0)
        if self._shown is Window.EDITOR and at_us // _CARET_US % 2 == 0:
            self._draw_caret(into, top)
        self._draw_pointer(into)

    def _apply(self, action: Action) -> None:
        match action:
            case Scroll():
                furthest = (documents.SCREENS - 1) * self._size.height
                moved = self._scrolled[self._shown] + action.parts * self._size.height // 1000
                self._scrolled[self._shown] = min(max(moved, 0), furthest)
            case TypeText():
                self._type(action.text)
            case Show():
                self._shown = action.window
            case Point():
                self._pointer = action

    def _type(self, character: str) -> None:
        editor = self._windows[Window.EDITOR]
        row, column = self._caret
        if character == "\n" or column >= editor.columns - 1:
            row = (row + 1) % editor.rows
            editor.fill(row, 0, rows=1, columns=editor.columns, colour=documents.DARK)
            editor.write(row, 0, f"{row:3d}", documents.GREY)
            self._caret = (row, 5)
            self._follow_caret()
            return
        editor.write(row, column, character, documents.WHITE)
        self._caret = (row, column + 1)

    def _follow_caret(self) -> None:
        at = self._caret[0] * self._cell.height
        top = self._scrolled[Window.EDITOR]
        seen = self._size.height - 3 * self._cell.height
        self._scrolled[Window.EDITOR] = min(max(top, at - seen), at)

    def _draw_caret(self, into: Planes, top: int) -> None:
        row, column = self._caret
        y, x = (row + 1) * self._cell.height - top, column * self._cell.width
        if y >= self._cell.height:
            into.y[y : y + self._cell.height, x : x + 2] = documents.WHITE[0]

    def _draw_pointer(self, into: Planes) -> None:
        """A white arrow head with a dark edge, on luma alone."""
        x, y = self._pointer.across * self._size.width // 1000, self._pointer.down * self._size.height // 1000
        for row in range(_POINTER_ROWS):
            into.y[y + row : y + row + 1, x : x + row * 3 // 4 + 2] = documents.BLACK[0]
            into.y[y + row : y + row + 1, x + 1 : x + row * 3 // 4] = documents.WHITE[0]


def screen(*, size: FrameSize, fps: int, seed: int) -> Clip:
    """A shared screen."""
    scene = ScreenScene(size=size, stream=RandomStream.of_seed(seed, "clip/screen"))
    return SceneClip(scene, name="screen", size=size, fps=fps)


def _copy(source: Planes, into: Planes, *, from_row: int, to_row: int) -> None:
    """Rows of `source` from there on, as many as there are and fit, to the top left of `into` from `to_row` on."""
    for plane, rows, shift in zip(into, source, (0, 1, 1), strict=True):
        first, at = from_row >> shift, to_row >> shift
        count = min(rows.shape[0] - first, plane.shape[0] - at)
        plane[at : at + count] = rows[first : first + count, : plane.shape[1]]
