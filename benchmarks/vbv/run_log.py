"""Every run as a line of JSON, written as soon as it is done: a long bench that stops has not been for nothing."""

import json
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Self, TextIO

from benchmarks.vbv.measurement import Failure, Row
from benchmarks.vbv.points import clip_title
from benchmarks.vbv.tables import run_cells
from rtc.report.tables import Cell

SUFFIX = ".runs.jsonl"


class RunLog:
    """A file beside the one the report goes to; without that one nothing is written. Driven by the bench."""

    def __init__(self, report: Path | None) -> None:
        self._path = None if report is None else report.with_suffix(SUFFIX)
        self._file: TextIO | None = None

    def __enter__(self) -> Self:
        if self._path is not None:
            self._file = self._path.open("w", encoding="utf-8")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()

    def write(self, results: Iterable[Row | Failure]) -> None:
        """A line for each."""
        if self._file is None:
            return
        for one in results:
            cells = run_cells(one) if isinstance(one, Row) else _failure_cells(one)
            self._file.write(json.dumps(cells, ensure_ascii=False, allow_nan=False) + "\n")
        self._file.flush()


def _failure_cells(failure: Failure) -> dict[str, Cell]:
    point = failure.point
    return {
        "clip": clip_title(point.clip),
        "format": point.format.name,
        "kbps": point.kbps,
        "schedule": point.schedule.value,
        "subject": failure.subject.value,
        "failed": failure.reason,
    }
