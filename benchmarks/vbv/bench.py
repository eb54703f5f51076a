"""Runs the matrix, or the parts of it that are asked for, and reports."""

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import track

from benchmarks.report import BenchReport, Section
from benchmarks.vbv.bd_rates import bd_rates
from benchmarks.vbv.clip_choice import chosen_clips
from benchmarks.vbv.matrix import Job, jobs
from benchmarks.vbv.measurement import Failure, Row
from benchmarks.vbv.notes import notes
from benchmarks.vbv.plots import check_plots, write_plots
from benchmarks.vbv.run_log import RunLog
from benchmarks.vbv.selection import parse_selection
from benchmarks.vbv.tables import bd_rate_cells, median_rows
from benchmarks.vbv.verdicts import verdicts
from benchmarks.vbv.workers import results
from benchmarks.vmaf import HOW_TO_GET, vmaf_available
from rtc.values.errors import LocalMisuse


def run(
    *,
    quick: bool,
    clip: Sequence[str] = (),
    only: Sequence[str] = (),
    vmaf: bool = False,
    plots: Path | None = None,
    out: Path | None = None,
) -> BenchReport:
    """Measure all that is chosen; each run is noted in a file beside `out` as soon as it is done.

    Raises:
        LocalMisuse: an option that cannot be followed, in one line and before anything runs.

    """
    if vmaf and not vmaf_available():
        raise LocalMisuse(f"--vmaf: {HOW_TO_GET}")
    wanted = jobs(chosen_clips(clip, quick=quick), parse_selection(only), quick=quick, vmaf=vmaf)
    if not wanted:
        raise LocalMisuse(f"--only {' --only '.join(only)}: no such run in this matrix{' with --quick' * quick}")
    if plots is not None:
        check_plots(plots)
    rows, failures = _measure(wanted, RunLog(out))
    if plots is not None:
        write_plots(rows, plots)
    return _report(rows, failures, notes(wanted, quick=quick))


def _measure(wanted: Sequence[Job], log: RunLog) -> tuple[list[Row], list[Failure]]:
    rows: list[Row] = []
    failures: list[Failure] = []
    console = Console(stderr=True)
    with log:
        shown = track(
            results(wanted),
            "Measuring",
            total=len(wanted),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        for found in shown:
            log.write(found)
            rows += [one for one in found if isinstance(one, Row)]
            failures += [one for one in found if isinstance(one, Failure)]
    return rows, failures


def _report(rows: Sequence[Row], failures: Sequence[Failure], method: tuple[str, ...]) -> BenchReport:
    found = bd_rates(rows)
    return BenchReport(
        name="vbv",
        goal="the VBV delay stays bounded and the rate on target, at no cost in quality",
        rows=median_rows(rows),
        sections=(Section(title="BD-rate over the steady points; negative is fewer bits", rows=bd_rate_cells(found)),),
        verdicts=verdicts(rows, failures, found),
        notes=method,
    )
