"""A figure that no run may exceed, as a verdict that names the run that comes nearest to it or lies furthest above."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from benchmarks.report import Verdict
from benchmarks.vbv.measurement import Row
from benchmarks.vbv.points import Subject
from benchmarks.vbv.schedules import Schedule
from rtc.report.tables import cell_text

Figure = Callable[[Row], float | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """At most this much in every run."""

    goal: str
    figure: Figure
    """None for a run that has no such figure, which is left out."""
    most: float
    unit: str = "ms"

    def verdict(self, rows: Iterable[Row], beside: Sequence[tuple[str, Iterable[Row]]] = ()) -> Verdict | None:
        """How the runs did, and the worst of others to compare with; None where no run has the figure."""
        known = known_figures(rows, self.figure)
        if not known:
            return None
        worst, row = max(known, key=lambda one: one[0])
        over = sum(value > self.most for value, _ in known)
        measured = f"worst {cell_text(worst)} {self.unit} ({row.point}), {over} of {len(known)} over"
        for name, others in beside:
            values = [value for value, _ in known_figures(others, self.figure)]
            measured += f"; {name} worst {cell_text(max(values))} {self.unit}" if values else ""
        return Verdict(goal=self.goal, measured=measured, met=not over)


def known_figures(rows: Iterable[Row], figure: Figure) -> list[tuple[float, Row]]:
    """The figure of each run that has it."""
    return [(value, row) for row in rows if (value := figure(row)) is not None]


def of_subject(rows: Iterable[Row], subject: Subject, *schedules: Schedule) -> list[Row]:
    """The runs of one subject on any of these schedules; on all of them when none is named."""
    return [row for row in rows if row.subject is subject and (not schedules or row.point.schedule in schedules)]
