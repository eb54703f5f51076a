"""Line plots as one static SVG file, panels one above the other, that any page can show.

Plotly draws the pages of calls, but writes SVG only with a browser beside it.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from xml.sax.saxutils import escape

Points = Sequence[tuple[float, float]]
"""x and y, in the units of the axes."""
_WIDTH, _PANEL_HEIGHT, _GAP = 860, 210, 70
_LEFT, _RIGHT, _TOP = 58, 16, 40
_INK, _GRID, _SOFT = "#1f2937", "#e5e7eb", "#6b7280"
_FONT: Final = "system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"
_TICKS: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """One line of a panel."""

    name: str
    colour: str
    points: Points
    dashed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotPanel:
    """Axes with curves over them; both axes begin at 0."""

    title: str
    x_title: str
    y_title: str
    curves: tuple[Curve, ...]
    most_x: float
    most_y: float
    """What the axes reach at least; a curve that goes higher is cut at the edge."""


def svg_text(panels: Sequence[PlotPanel]) -> str:
    """The whole file."""
    height = _TOP + len(panels) * (_PANEL_HEIGHT + _GAP)
    body = [line for index, panel in enumerate(panels) for line in _panel(panel, index)]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" '
        f'height="{height}" font-family="{_FONT}" font-size="12" fill="{_INK}">'
    )
    background = f'<rect width="{_WIDTH}" height="{height}" fill="white"/>'
    return "\n".join([head, background, *body, "</svg>\n"])


class _Axes:
    """From a panel's values to places in the file."""

    def __init__(self, panel: PlotPanel, index: int) -> None:
        self.top = _TOP + index * (_PANEL_HEIGHT + _GAP)
        self.bottom = self.top + _PANEL_HEIGHT
        self.right = _WIDTH - _RIGHT
        self.most_x = panel.most_x
        self.most_y = tick_step(panel.most_y) * math.ceil(panel.most_y / tick_step(panel.most_y))

    def x(self, value: float) -> float:
        return round(_LEFT + (self.right - _LEFT) * value / self.most_x, 1)

    def y(self, value: float) -> float:
        return round(self.bottom - _PANEL_HEIGHT * min(value, self.most_y) / self.most_y, 1)


def tick_step(most: float) -> float:
    """A round distance (1, 2 or 5 of some power of ten) that puts about five ticks below `most`."""
    power = 10.0 ** math.floor(math.log10(most / _TICKS))
    return next(factor * power for factor in (1, 2, 5, 10) if most / (factor * power) <= _TICKS)


def _panel(panel: PlotPanel, index: int) -> Iterator[str]:
    axes = _Axes(panel, index)
    yield f'<text x="{_LEFT}" y="{axes.top - 10}" font-weight="600">{escape(panel.title)}</text>'
    yield from _grid(axes)
    yield _text((_LEFT + axes.right) / 2, axes.bottom + 34, panel.x_title)
    middle = (axes.top + axes.bottom) / 2
    yield (
        f'<text transform="translate(14 {middle}) rotate(-90)" text-anchor="middle" fill="{_SOFT}">'
        f"{escape(panel.y_title)}</text>"
    )
    for curve in panel.curves:
        yield _line(curve, axes)
    yield from _legend(panel.curves, axes)


def _grid(axes: _Axes) -> Iterator[str]:
    for value in _ticks(axes.most_y):
        y = axes.y(value)
        yield f'<path d="M{_LEFT} {y}H{axes.right}" stroke="{_GRID}"/>'
        yield _text(_LEFT - 6, y + 4, f"{value:g}", anchor="end")
    for value in _ticks(axes.most_x):
        x = axes.x(value)
        yield f'<path d="M{x} {axes.top}V{axes.bottom}" stroke="{_GRID}"/>'
        yield _text(x, axes.bottom + 16, f"{value:g}")


def _ticks(most: float) -> list[float]:
    step = tick_step(most)
    return [round(index * step, 6) for index in range(math.floor(most / step + 1e-9) + 1)]


def _line(curve: Curve, axes: _Axes) -> str:
    path = "M" + "L".join(f"{axes.x(x)} {axes.y(y)}" for x, y in curve.points)
    dash = ' stroke-dasharray="5 4"' if curve.dashed else ""
    return f'<path d="{path}" fill="none" stroke="{curve.colour}" stroke-width="1.5"{dash}/>'


def _legend(curves: Sequence[Curve], axes: _Axes) -> Iterator[str]:
    """From the right end of the title's line to the left."""
    x = axes.right
    for curve in reversed(curves):
        yield _text(x, axes.top - 10, curve.name, anchor="end")
        x -= round(6.6 * len(curve.name)) + 8
        dash = ' stroke-dasharray="5 4"' if curve.dashed else ""
        yield f'<path d="M{x - 18} {axes.top - 14}h18" stroke="{curve.colour}" stroke-width="2"{dash}/>'
        x -= 34


def _text(x: float, y: float, text: str, anchor: str = "middle") -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{_SOFT}">{escape(text)}</text>'
