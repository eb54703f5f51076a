"""Whether a path can become a call's folder: a new one, an empty one, or one that an earlier call left and no more."""

import contextlib
import gzip
import json
import os
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, Literal

from rtc.report.folder_lock import MARKER
from rtc.report.folder_names import NAMES, SCENARIO, TRACE, TRACE_COMPRESSED, UNFINISHED
from rtc.trace.writer import FORMAT
from rtc.values.errors import LocalMisuse

_LEFT_ON_THE_WAY = frozenset({MARKER, *(f"{UNFINISHED}{name}" for name in NAMES)})
"""Names that only a call gives, and only until it ends; a call that was killed leaves them."""
_HEADER_BYTES = 256
"""More than the first line of a trace has."""


def refuse_unsuitable(path: Path) -> None:
    """Raise LocalMisuse for a path that cannot become a call's folder; changes nothing, so it can be asked early."""
    with refusing_what_the_system_refuses(path):
        _refuse_other_than_folder(path)
        stranger = _stranger(path) if path.exists() else None
    if stranger is not None:
        raise LocalMisuse(
            f"output folder {path}: holds {stranger!r} and is not an earlier call's folder; name a new or empty one"
        )


@contextlib.contextmanager
def refusing_what_the_system_refuses(path: Path) -> Iterator[None]:
    """Turn errors of the folder's file system into LocalMisuse; those of a file elsewhere pass."""
    try:
        yield
    except OSError as error:
        if _is_elsewhere(error.filename, path):
            raise
        reason = error.strerror or str(error)
        raise LocalMisuse(f"output folder {path}: cannot be written ({reason}); choose another") from error


def _is_elsewhere(file: object, folder: Path) -> bool:
    if not isinstance(file, str):
        return False
    there, here = Path(file).absolute(), folder.absolute()
    return not (there.is_relative_to(here) or here.is_relative_to(there))


def _refuse_other_than_folder(path: Path) -> None:
    try:
        nearest = next(folder for folder in (path.absolute(), *path.absolute().parents) if os.path.lexists(folder))
        is_folder = nearest.is_dir()
    except ValueError as error:
        raise LocalMisuse(f"output folder {str(path)!r}: not a name for a folder ({error}); choose another") from None
    if not is_folder:
        raise LocalMisuse(f"output folder {path}: {nearest} is not a folder; name a new one or an earlier call's")
    if not os.access(nearest, os.W_OK | os.X_OK):
        raise LocalMisuse(f"output folder {path}: {nearest} cannot be written; choose another")


def _stranger(folder: Path) -> str | None:
    """Something in a folder that must not be lost; None when there is nothing or an earlier call has put it there."""
    entries = sorted(folder.iterdir())
    if any(entry.is_dir() for entry in entries):
        return next(entry.name for entry in entries if entry.is_dir())
    is_calls = _was_left_by_a_call(folder)
    ours = _LEFT_ON_THE_WAY | (NAMES if is_calls else frozenset())
    return next((entry.name for entry in entries if entry.name not in ours), None)


def _was_left_by_a_call(folder: Path) -> bool:
    """A scenario beside a trace, both as this program writes them: other programs have a summary.json too."""
    traces = (_first_line(folder / TRACE, open), _first_line(folder / TRACE_COMPRESSED, gzip.open))
    return _first_line(folder / SCENARIO, open) == b"scenario:\n" and any(map(_begins_a_trace, traces))


def _begins_a_trace(line: bytes | None) -> bool:
    if not line:  # a call that found the disk full leaves its trace empty
        return line is not None
    try:
        header = json.loads(line)
    except ValueError:
        return False
    return isinstance(header, dict) and header.get("format") == FORMAT


def _first_line(path: Path, opened: Callable[[Path, Literal["rb"]], BinaryIO | gzip.GzipFile]) -> bytes | None:
    """None for what is no file, or cannot be read as one."""
    if not path.is_file():  # a pipe would wait for somebody to write
        return None
    try:
        with opened(path, "rb") as file:
            return file.readline(_HEADER_BYTES)
    except (OSError, EOFError, zlib.error):
        return None
