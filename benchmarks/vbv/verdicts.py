"""Every goal of rate control held against the runs."""

from collections.abc import Sequence

from benchmarks.report import Verdict
from benchmarks.vbv.bd_rates import BdRate
from benchmarks.vbv.cost_verdicts import cost_verdicts
from benchmarks.vbv.delay_verdicts import delay_verdicts
from benchmarks.vbv.measurement import Failure, Row


def verdicts(rows: Sequence[Row], failures: Sequence[Failure], bd_rates: Sequence[BdRate]) -> tuple[Verdict, ...]:
    """Those that the runs let be judged."""
    found = (*delay_verdicts(rows), *cost_verdicts(rows, bd_rates), _all_ran(rows, failures))
    return tuple(verdict for verdict in found if verdict is not None)


def _all_ran(rows: Sequence[Row], failures: Sequence[Failure]) -> Verdict:
    first = "".join(f"; {one.subject.value}, {one.point}: {one.reason}" for one in failures[:1])
    return Verdict(
        goal="every run gives a stream that decodes",
        measured=f"{len(rows)} of {len(rows) + len(failures)}{first}",
        met=not failures,
    )
