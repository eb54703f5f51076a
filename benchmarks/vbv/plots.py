"""VBV delay over time, ours beside the codec's own rate control: steady, through a drop, with key frames."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from benchmarks.vbv.bounds import of_subject
from benchmarks.vbv.encoding import plan_of
from benchmarks.vbv.measurement import Row
from benchmarks.vbv.points import Subject, clip_title
from benchmarks.vbv.schedules import Schedule
from benchmarks.vbv.svg_plot import Curve, PlotPanel, svg_text
from rtc.metrics.vbv import VBV_GOAL_US
from rtc.values.errors import LocalMisuse
from rtc.values.units import US_PER_MS, US_PER_S

FILE_NAME: Final = "rate-control-vbv.svg"
CASES: Final = (Schedule.STEADY, Schedule.DROP_7, Schedule.KEY_FRAMES)
DRAWN: Final = ((Subject.NATIVE_AV1, "#dc2626"), (Subject.OURS_AV1, "#2563eb"))
_TARGET_COLOUR: Final = "#9ca3af"
_HEADROOM: Final = 1.1


def check_plots(folder: Path) -> None:
    """Raises LocalMisuse in one line where plots cannot be written; makes the folder."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / FILE_NAME).open("a", encoding="utf-8"):
            pass
    except OSError as error:
        raise LocalMisuse(f"--plots {folder}: cannot be written ({error.strerror}); name a folder") from error


def write_plots(rows: Sequence[Row], folder: Path) -> None:
    """One file with a panel for each case that was run: the talking head at 360p30, or the nearest to it there is."""
    panels = [panel for schedule in CASES if (panel := _panel(rows, schedule)) is not None]
    (folder / FILE_NAME).write_text(svg_text(panels), encoding="utf-8")


def _panel(rows: Sequence[Row], schedule: Schedule) -> PlotPanel | None:
    drawn = [subject for subject, _ in DRAWN]
    shown = {(row.point, row.subject): row for row in rows if row.subject in drawn}
    points = [row.point for row in of_subject(rows, Subject.OURS_AV1, schedule)]
    whole = [point for point in points if all((point, subject) in shown for subject in drawn)]
    if not whole:
        return None
    point = max(whole, key=lambda one: (one.clip == "talking_head", one.format.size.pixels, -abs(one.kbps - 400)))
    goal = VBV_GOAL_US / US_PER_MS
    seconds = point.duration_us / US_PER_S
    curves = [_curve(shown[point, subject], colour) for subject, colour in DRAWN]
    most = max(y for curve in curves for _, y in curve.points)
    line = Curve(name="200 ms", colour=_TARGET_COLOUR, points=((0, goal), (seconds, goal)), dashed=True)
    targets = plan_of(point).targets
    told = f", target down to {min(step.bps for step in targets) // 1_000} kbps" if len(targets) > 1 else ""
    return PlotPanel(
        title=f"{schedule.value}: {clip_title(point.clip)}, {point.format.name}, {point.kbps} kbps{told}",
        x_title="time, s",
        y_title="VBV delay, ms",
        curves=(line, *curves),
        most_x=seconds,
        most_y=max(goal, most) * _HEADROOM,
    )


def _curve(row: Row, colour: str) -> Curve:
    points = tuple((at_us / US_PER_S, delay_us / US_PER_MS) for at_us, delay_us in row.curve)
    return Curve(name=row.subject.value, colour=colour, points=points)
