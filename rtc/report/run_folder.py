"""The folder a call leaves behind: what it holds, and how each file gets there whole or not at all."""

import contextlib
import gzip
import io
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Self, TextIO

import yaml

from rtc.metrics.direction_records import DirectionRecords
from rtc.report import record_tables
from rtc.report.folder_lock import MARKER, sole_writer
from rtc.report.folder_names import (
    FILM,
    FRAMES,
    PACKETS,
    PAGE,
    RUN,
    SCENARIO,
    SUMMARY,
    TRACE,
    TRACE_COMPRESSED,
    unfinished_path,
)
from rtc.report.folder_suitability import refuse_unsuitable, refusing_what_the_system_refuses
from rtc.report.json_text import json_text

_GZIP_LEVEL = 6


class RunFolder:
    """One call's folder. Files are written under another name and renamed when whole; only the trace grows in place."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    @contextlib.contextmanager
    def prepare(cls, path: Path) -> Iterator[Self]:
        """Make the folder ready and empty of an earlier call's files, and hold it alone while the block runs.

        Raises LocalMisuse, before anything is changed, for a path that is a file, cannot be written, already holds
        something that no call has put there, or is being written by another call; and from the block, in place of the
        system's own error, when a file cannot be written.
        """
        refuse_unsuitable(path)
        with contextlib.ExitStack() as held:
            with refusing_what_the_system_refuses(path):
                path.mkdir(parents=True, exist_ok=True)
                with tempfile.TemporaryFile(dir=path):
                    pass
                held.enter_context(sole_writer(path))
                refuse_unsuitable(path)  # another call may have ended in between
                for left in path.iterdir():
                    if left.name != MARKER:
                        left.unlink()
            with refusing_what_the_system_refuses(path), _noting_what_is_kept(path):
                yield cls(path)

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


@contextlib.contextmanager
def _noting_what_is_kept(path: Path) -> Iterator[None]:
    """Tell whoever stopped the call, in a note on the exception, where its files are."""
    try:
        yield
    except BaseException as error:
        error.add_note(f"{path} keeps the trace as far as it came")
        raise
