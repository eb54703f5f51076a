"""The folder a call leaves behind: what it holds, and how each file gets there whole or not at all."""

import contextlib
import gzip
import io
import os
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Self, TextIO

import yaml

from rtc.metrics.direction_records import DirectionRecords
from rtc.report import record_tables
from rtc.report.json_text import json_text
from rtc.values.errors import LocalMisuse

SUMMARY = "summary.json"
TRACE = "trace.jsonl"
TRACE_COMPRESSED = "trace.jsonl.gz"
FRAMES = "frames.parquet"
PACKETS = "packets.parquet"
FILM = "received.mp4"
PAGE = "report.html"
SCENARIO = "scenario.yaml"
RUN = "run.json"
NAMES = frozenset({SUMMARY, TRACE, TRACE_COMPRESSED, FRAMES, PACKETS, FILM, PAGE, SCENARIO, RUN})
_MARKS = frozenset({SUMMARY, TRACE, TRACE_COMPRESSED, SCENARIO})
"""A folder holding one of these was left by a call."""
_UNFINISHED = ".unfinished-"
_GZIP_LEVEL = 6


class RunFolder:
    """One call's folder. Files are written under another name and renamed when whole; only the trace grows in place."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def prepare(cls, path: Path) -> Self:
        """Make the folder ready and empty of an earlier call's files.

        Raises LocalMisuse, before anything is changed, for a path that is a file, cannot be written, or already holds
        something that no call has put there.
        """
        refuse_unsuitable(path)
        with _refusing_what_the_system_refuses(path):
            path.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=path):
                pass
            for left in path.iterdir():
                left.unlink()
        return cls(path)

    @contextlib.contextmanager
    def trace_stream(self, *, compressed: bool = False) -> Iterator[TextIO]:
        """The trace's file, open for writing; what an interrupted run wrote stays and reads.

        Compressed, its bytes hold no time and no name, and are the same wherever zlib is.
        """
        if not compressed:
            with (self.path / TRACE).open("w", encoding="utf-8", newline="\n") as plain:
                yield plain
            return
        with (
            (self.path / TRACE_COMPRESSED).open("wb") as raw,
            gzip.GzipFile(filename="", mode="wb", compresslevel=_GZIP_LEVEL, fileobj=raw, mtime=0) as packed,
            io.TextIOWrapper(packed, encoding="utf-8", newline="\n") as text,
        ):
            yield text

    def write_summary(self, document: Mapping[str, Any]) -> None:
        """`summary.json`: the figures; see `summary_document`."""
        self._write_text(SUMMARY, json_text(document))

    def write_run(self, document: Mapping[str, Any]) -> None:
        """`run.json`: what is not repeatable (when, where, wall time by part, machine)."""
        self._write_text(RUN, json_text(document))

    def write_scenario(self, document: Mapping[str, Any]) -> None:
        """`scenario.yaml`: everything needed to run the call again."""
        self._write_text(SCENARIO, yaml.safe_dump(dict(document), sort_keys=False, allow_unicode=True))

    def write_page(self, html: str) -> None:
        """`report.html`."""
        self._write_text(PAGE, html)

    def write_records(self, directions: Mapping[str, DirectionRecords]) -> None:
        """`frames.parquet` and `packets.parquet`."""
        with self.whole(FRAMES) as unfinished:
            record_tables.write_frames(unfinished, directions)
        with self.whole(PACKETS) as unfinished:
            record_tables.write_packets(unfinished, directions)

    @property
    def film_path(self) -> Path:
        """`received.mp4`, which a FilmWriter renames into place itself."""
        return self.path / FILM

    @contextlib.contextmanager
    def whole(self, name: str) -> Iterator[Path]:
        """A path to write to, which takes its name when the block ends well and vanishes when it does not."""
        unfinished = unfinished_path(self.path / name)
        try:
            yield unfinished
            unfinished.replace(self.path / name)
        finally:
            unfinished.unlink(missing_ok=True)

    def _write_text(self, name: str, text: str) -> None:
        with self.whole(name) as unfinished:
            unfinished.write_text(text, encoding="utf-8", newline="\n")


def unfinished_path(path: Path) -> Path:
    """The name a file has until it is whole."""
    return path.with_name(f"{_UNFINISHED}{path.name}")


def refuse_unsuitable(path: Path) -> None:
    """Raise LocalMisuse for a path that cannot become a call's folder; changes nothing, so it can be asked early."""
    with _refusing_what_the_system_refuses(path):
        _refuse_other_than_folder(path)
        strangers = _strangers(path) if path.exists() else []
    if strangers:
        raise LocalMisuse(
            f"output folder {path}: holds {strangers[0]!r} and is not an earlier call's folder; name a new or empty one"
        )


def _refuse_other_than_folder(path: Path) -> None:
    nearest = next(folder for folder in (path.absolute(), *path.absolute().parents) if os.path.lexists(folder))
    if not nearest.is_dir():
        raise LocalMisuse(f"output folder {path}: {nearest} is not a folder; name a new one or an earlier call's")
    if not os.access(nearest, os.W_OK | os.X_OK):
        raise LocalMisuse(f"output folder {path}: {nearest} cannot be written; choose another")


def _strangers(path: Path) -> list[str]:
    """What is in a folder that no call has put there; everything, unless a call has left its marks."""
    entries = sorted(path.iterdir())
    marked = any(entry.name in _MARKS or entry.name.startswith(_UNFINISHED) for entry in entries)
    return [entry.name for entry in entries if not (marked and _is_ours(entry))]


def _is_ours(entry: Path) -> bool:
    return entry.name.removeprefix(_UNFINISHED) in NAMES and not entry.is_dir()


@contextlib.contextmanager
def _refusing_what_the_system_refuses(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise LocalMisuse(f"output folder {path}: cannot be written ({error.strerror}); choose another") from error
    except ValueError as error:
        raise LocalMisuse(f"output folder {str(path)!r}: not a name for a folder ({error}); choose another") from error
