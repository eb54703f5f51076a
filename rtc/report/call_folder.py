"""Runs a call into a folder: trace and film while it runs, tables, page and summary when it is over."""

import contextlib
import datetime as dt
import os
import platform
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from netem.path_profile import NetworkProfile
from rtc.metrics.direction_summary import DirectionSummary, summarise_direction
from rtc.report.folder_names import unfinished_path
from rtc.report.folder_suitability import refuse_unsuitable
from rtc.report.run_folder import RunFolder
from rtc.report.scenario_files import described_scenario, scenario_document
from rtc.report.summary_document import summary_document
from rtc.report.versions import versions
from rtc.sim.assembly import directions_carried
from rtc.sim.direction import ShowPicture
from rtc.sim.scenario import Scenario
from rtc.sim.session import CallObservers, CallOutcome, SimulatedCall
from rtc.sim.sides import DirectionName
from rtc.trace.writer import JsonLinesTrace
from rtc.values.units import US_PER_S


@dataclass(frozen=True, slots=True, kw_only=True)
class CallReport:
    """A call that ran: where its files are and what they say."""

    folder: Path
    summary: dict[str, Any]
    directions: dict[str, DirectionSummary]
    wall_s: dict[str, float]


class Stopwatch:
    """Wall seconds by part of the work, for `run.json`."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextlib.contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Time a block."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = round(self.seconds.get(name, 0.0) + time.perf_counter() - began, 4)


def run_call(
    scenario: Scenario, network: NetworkProfile, out: Path, *, progress: Callable[[int], None] | None = None
) -> CallReport:
    """Run the call and leave its folder; LocalMisuse, before anything is written, for clips or a folder unfit for it.

    An interrupted run leaves the scenario and the trace as far as it came; every other file is whole or absent.
    """
    watch = Stopwatch()
    with contextlib.ExitStack() as stack:
        film = _Film(scenario, stack)
        with watch.part("open"):
            refuse_unsuitable(out)
            call = stack.enter_context(SimulatedCall(scenario, network))
            described, used = described_scenario(scenario), versions()
            folder = stack.enter_context(RunFolder.prepare(out))
            folder.write_scenario(scenario_document(scenario, used))
            trace = stack.enter_context(_trace(folder, scenario.seed))
            film.open(folder)
        with watch.part("call"):
            show = film.show if scenario.video else None
            outcome = call.run(CallObservers(trace=trace, show=show, progress=progress))
            trace.flush()
        with watch.part("film"):
            film.close(outcome.ended_at_us)
        with watch.part("metrics"):
            summaries = {name: summarise_direction(records) for name, records in outcome.directions.items()}
            document = summary_document(seed=scenario.seed, versions=used, scenario=described, directions=summaries)
        _write(folder, document, outcome, summaries, watch)
        return CallReport(folder=folder.path, summary=document, directions=summaries, wall_s=watch.seconds)


@contextlib.contextmanager
def _trace(folder: RunFolder, seed: int) -> Iterator[JsonLinesTrace]:
    """The trace, its header on the disk at once: by it the folder of a call that is killed is known to be one."""
    with folder.trace_stream() as stream, JsonLinesTrace(stream, seed=seed) as trace:
        trace.flush()
        yield trace


def _write(
    folder: RunFolder,
    document: dict[str, Any],
    outcome: CallOutcome,
    summaries: dict[str, DirectionSummary],
    watch: Stopwatch,
) -> None:
    with watch.part("tables"):
        folder.write_records(outcome.directions)
    if document["scenario"]["report"]:
        with watch.part("page"):
            _write_page(folder, document["scenario"], outcome, summaries)
    folder.write_summary(document)
    watch.seconds |= {f"{name}_in_codecs": round(us / US_PER_S, 4) for name, us in outcome.wall_us.items()}
    folder.write_run(_run_document(watch.seconds))


def _write_page(
    folder: RunFolder, described: dict[str, Any], outcome: CallOutcome, summaries: dict[str, DirectionSummary]
) -> None:
    from rtc.report.page import page  # noqa: PLC0415 - plotly takes a while to import

    subtitle = f"{described['clip']} over {described['network']}, seed {described['seed']}"
    folder.write_page(
        page(
            title="Call report",
            subtitle=subtitle,
            scenario=described,
            directions=outcome.directions,
            summaries=summaries,
        )
    )


def _run_document(seconds: dict[str, float]) -> dict[str, Any]:
    return {
        "finished_at": dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
        "machine": {"system": platform.platform(), "processor": platform.machine(), "cores": os.cpu_count()},
        "python": platform.python_version(),
        "wall_s": seconds,
    }


class _Film:
    """The film, opened once its folder exists and abandoned when the call does not end well."""

    def __init__(self, scenario: Scenario, stack: contextlib.ExitStack) -> None:
        self._scenario = scenario
        self._stack = stack
        self._writer: Any = None

    def show(self, direction: DirectionName) -> ShowPicture:
        """What to call with each picture that a direction shows."""
        return lambda now_us, picture: self._writer.add(direction.value, now_us, picture)

    def open(self, folder: RunFolder) -> None:
        """Begin, where a film is wanted."""
        if not self._scenario.video:
            return
        from rtc.report.film import FilmWriter  # noqa: PLC0415 - only a call that films needs it

        sizes = {name.value: self._scenario.size for name in directions_carried(self._scenario)}
        self._stack.callback(unfinished_path(folder.film_path).unlink, missing_ok=True)
        self._writer = FilmWriter(folder.film_path, sizes, self._scenario.fps)
        self._stack.callback(self._writer.abandon)

    def close(self, end_us: int) -> None:
        """Finish the file."""
        if self._writer is not None:
            self._writer.close(end_us)
