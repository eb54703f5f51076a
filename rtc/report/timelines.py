"""The timelines of a call: one column a direction, one panel a subject, all on one time axis."""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from resilience.receive.freeze_detector import long_gaps
from rtc.metrics.bitrate import rate_per_bin
from rtc.metrics.direction_records import DirectionRecords
from rtc.metrics.rate_timeline import RateStep, RateTimeline
from rtc.metrics.vbv import VBV_GOAL_US
from rtc.report.figure_rows import direction_title
from rtc.report.holes import broken_at, dot_sizes
from rtc.report.panel import COLOURS, SOFT_INK, Panel
from rtc.report.stillness import shade_stillness
from rtc.trace.series import Series
from rtc.values.trace_events import PacketKind
from rtc.values.units import US_PER_MS, US_PER_S

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

RATE_BIN_US = 500_000
MOST_POINTS = 1_500
"""Points a curve may have; longer ones keep the highest value of each stretch, so no peak is lost."""
HEADROOM = 2.5
"""A link that carries more than this multiple of what was used is drawn out of the picture, or hides all the rest."""
DELAY_GOAL_US = 300_000
"""From the camera to the screen, above which people notice the delay."""
INK, GRID = "#1f2937", "#e5e7eb"
PANELS = ("rate, kbps", "VBV delay, ms", "queue delay, ms", "capture to display, ms")


def timelines(directions: Mapping[str, DirectionRecords]) -> "Figure":
    """The figure of a call with one direction or two."""
    from plotly.subplots import make_subplots  # noqa: PLC0415 - slow to import, and only a page needs it

    figure = make_subplots(
        rows=len(PANELS),
        cols=len(directions),
        shared_xaxes=True,
        vertical_spacing=0.035,
        horizontal_spacing=0.075,
        row_heights=[0.31, 0.23, 0.23, 0.23],
        column_titles=[direction_title(name) for name in directions],
    )
    for column, direction in enumerate(directions.values(), start=1):
        _draw_rates(Panel(figure=figure, row=1, column=column), direction)
        _draw_vbv(Panel(figure=figure, row=2, column=column), direction)
        _draw_queue(Panel(figure=figure, row=3, column=column), direction)
        _draw_delay(Panel(figure=figure, row=4, column=column), direction)
        shade_stillness(figure, len(PANELS), column, direction)
    _lay_out(figure, max(direction.duration_us for direction in directions.values()))
    return figure


def _draw_rates(panel: Panel, direction: DirectionRecords) -> None:
    duration_us = direction.duration_us
    sent = rate_per_bin(((one.sent_at_us, one.size_bytes) for one in direction.packets), RATE_BIN_US, duration_us)
    encoded = rate_per_bin(
        ((one.captured_at_us, one.encoded_bytes or 0) for one in direction.frames), RATE_BIN_US, duration_us
    )
    target, capacity = _binned(direction.target_steps, duration_us), _binned(direction.capacity, duration_us)
    if capacity:
        area = {"fill": "tozeroy", "fillcolor": "rgba(148,163,184,0.16)", "line": {"shape": "hv", "width": 1}}
        panel.draw(Series.LINK_CAPACITY, _kbps(capacity, duration_us), **area)
    panel.draw(Series.SENT_BITRATE, _kbps(sent, duration_us), line={"shape": "hv"})
    panel.draw(Series.ENCODED_BITRATE, _kbps(encoded, duration_us), line={"shape": "hv"})
    panel.draw(Series.TARGET_BITRATE, _kbps(target, duration_us), line={"shape": "hv", "dash": "dot"})
    used_bps = max((step.bps for step in (*sent, *encoded, *target)), default=0)
    if max((step.bps for step in capacity), default=0) > HEADROOM * used_bps > 0:
        panel.figure.update_yaxes(range=[0, HEADROOM * used_bps / 1_000], row=panel.row, col=panel.column)


def _draw_vbv(panel: Panel, direction: DirectionRecords) -> None:
    captured = (frame.captured_at_us for frame in direction.frames)
    points = list(zip(captured, direction.vbv_delays_us, strict=True))
    panel.draw(Series.VBV_DELAY, _ms(points, direction.duration_us))
    _draw_goal(panel, VBV_GOAL_US, "200 ms")


def _draw_queue(panel: Panel, direction: DirectionRecords) -> None:
    media = [packet for packet in direction.packets if packet.kind is not PacketKind.FEEDBACK]
    points = [(packet.sent_at_us, packet.queue_delay_us) for packet in media]
    panel.draw(Series.QUEUE_DELAY, _ms(points, direction.duration_us))
    lost = [(packet.sent_at_us, 0) for packet in media if packet.loss_reason is not None]
    marker = {"symbol": "line-ns-open", "size": 7, "color": COLOURS[Series.LOSS]}
    panel.draw(Series.LOSS, _ms(lost, direction.duration_us), mode="markers", marker=marker, cliponaxis=False)


def _draw_delay(panel: Panel, direction: DirectionRecords) -> None:
    """Where the screen stood still the line has a hole; a picture between two holes is a dot."""
    shown = sorted(
        (frame.displayed_at_us, frame.displayed_at_us - frame.captured_at_us)
        for frame in direction.frames
        if frame.displayed_at_us is not None
    )
    gaps = long_gaps(direction.display_times_us)
    points = broken_at([gap.start_us / US_PER_S for gap in gaps], _ms(shown, direction.duration_us))
    marker = {"size": dot_sizes(points), "line": {"width": 0}, "opacity": 1}
    panel.draw(Series.CAPTURE_TO_DISPLAY, points, mode="lines+markers", marker=marker)
    if not shown:
        panel.note("nothing was displayed")
        panel.figure.update_yaxes(range=[0, 2 * DELAY_GOAL_US // US_PER_MS], row=panel.row, col=panel.column)
    _draw_goal(panel, DELAY_GOAL_US, "300 ms")


def _draw_goal(panel: Panel, goal_us: int, text: str) -> None:
    """Its label stands beside the panel, where no curve goes."""
    panel.figure.add_hline(
        y=goal_us // US_PER_MS, row=panel.row, col=panel.column, line={"color": "#9ca3af", "width": 1, "dash": "dash"}
    )
    panel.figure.add_annotation(
        text=text,
        xref=f"{panel.time_axis} domain",
        yref=panel.value_axis,
        x=1,
        y=goal_us // US_PER_MS,
        xanchor="left",
        xshift=3,
        showarrow=False,
        font={"size": 10, "color": SOFT_INK},
    )


def _lay_out(figure: "Figure", duration_us: int) -> None:
    figure.update_layout(
        height=968,
        margin={"l": 64, "r": 52, "t": 112, "b": 48},
        paper_bgcolor="white",
        plot_bgcolor="white",
        font={"family": "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif", "color": INK},
        legend={"orientation": "h", "y": 1.04, "yanchor": "bottom", "x": 0, "itemsizing": "constant"},
        hovermode="x",
    )
    axis = {"gridcolor": GRID, "zeroline": False, "linecolor": "#9ca3af", "showline": True, "ticks": "outside"}
    figure.update_xaxes(**axis, matches="x", range=[0, duration_us / US_PER_S], tickcolor="#9ca3af")
    figure.update_xaxes(title_text="time, s", row=len(PANELS))
    figure.update_yaxes(**axis, rangemode="tozero", tickcolor="#9ca3af")
    for row, title in enumerate(PANELS, start=1):
        figure.update_yaxes(title_text=title, title_standoff=8, row=row, col=1)


def _binned(steps: Sequence[RateStep], duration_us: int) -> Sequence[RateStep]:
    """Steps as they are when few, else their means over the same bins as the other rates."""
    if len(steps) <= MOST_POINTS:
        return steps
    timeline = RateTimeline(steps)
    starts = range(0, duration_us, RATE_BIN_US)
    means = (timeline.mean_bps(start, min(start + RATE_BIN_US, duration_us)) or 0 for start in starts)
    return [RateStep(at_us=start, bps=mean) for start, mean in zip(starts, means, strict=True)]


def _kbps(steps: Sequence[RateStep], duration_us: int) -> list[tuple[float, float]]:
    """Points of a step curve, its last value drawn out to the end."""
    points = [(step.at_us / US_PER_S, step.bps / 1_000) for step in steps if step.at_us < duration_us]
    return [*points, (duration_us / US_PER_S, points[-1][1])] if points else []


def _ms(points: Iterable[tuple[int, int | None]], duration_us: int) -> list[tuple[float, float]]:
    """Delays over time, thinned to the highest of each stretch where there are too many."""
    present = [(at_us, delay_us) for at_us, delay_us in points if delay_us is not None]
    if len(present) > MOST_POINTS:
        stretch_us = max(1, duration_us // MOST_POINTS)
        stretches = itertools.groupby(present, key=lambda point: point[0] // stretch_us)
        present = [max(stretch, key=lambda point: point[1]) for _, stretch in stretches]
    return [(at_us / US_PER_S, delay_us / US_PER_MS) for at_us, delay_us in present]
