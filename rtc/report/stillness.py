"""When the screen stood still, shaded through every panel of a direction."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from resilience.receive.freeze_detector import Freeze, freezes, long_gaps
from rtc.metrics.direction_records import DirectionRecords
from rtc.report.panel import COLOURS, Panel
from rtc.trace.series import Series
from rtc.values.units import US_PER_S

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

_OPACITY = {Series.FREEZE: 0.18, Series.LONG_GAP: 0.16}


def shade_stillness(figure: "Figure", rows: int, column: int, direction: DirectionRecords) -> None:
    """Freezes, and in a lighter colour the gaps over 200 ms that were none; each has an entry in the legend."""
    times_us = direction.display_times_us
    end_us = max(direction.end_us, times_us[-1]) if times_us else None
    frozen = freezes(times_us, end_us)
    others = sorted(set(long_gaps(times_us, end_us)) - set(frozen), key=lambda gap: gap.start_us)
    panels = [Panel(figure=figure, row=row, column=column) for row in range(1, rows + 1)]
    for series, stretches in ((Series.FREEZE, frozen), (Series.LONG_GAP, others)):
        _name_in_legend(panels[0], series)
        if stretches:
            path = _bands(stretches)
            # All at once: each shape that is added alone makes plotly go through all the others again.
            shapes = [_shape(panel, path, series) for panel in panels]
            figure.update_layout(shapes=[*figure.layout.shapes, *shapes])


def _bands(stretches: Iterable[Freeze]) -> str:
    """One outline, as SVG has them, of a bar from bottom to top for each stretch, however many there are."""
    ends = ((stretch.start_us / US_PER_S, stretch.end_us / US_PER_S) for stretch in stretches)
    return "".join(f"M{start:.3f},0L{start:.3f},1L{end:.3f},1L{end:.3f},0Z" for start, end in ends)


def _shape(panel: Panel, path: str, series: Series) -> dict[str, Any]:
    return {
        "type": "path",
        "path": path,
        "xref": panel.time_axis,
        "yref": f"{panel.value_axis} domain",
        "fillcolor": COLOURS[series],
        "opacity": _OPACITY[series],
        "line": {"width": 0},
        "layer": "below",
    }


def _name_in_legend(panel: Panel, series: Series) -> None:
    """The legend's entry is a curve without points."""
    marker = {"symbol": "square", "size": 12, "color": COLOURS[series], "opacity": 2 * _OPACITY[series]}
    panel.draw(series, [(None, None)], mode="markers", marker=marker)
