"""One call at a time in a folder: a lock that the system frees by itself when the process dies, where it has one."""

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from rtc.values.errors import LocalMisuse

MARKER = ".running"
"""Stands in the folder while it is written, where folders cannot be locked: on Windows, on some network drives."""


@contextlib.contextmanager
def sole_writer(folder: Path) -> Iterator[None]:
    """Hold the folder while the block runs; LocalMisuse at once, nothing changed, where another call holds it."""
    with _system_lock(folder) as is_locked:
        if is_locked:
            yield
        else:
            with _marker(folder):
                yield


@contextlib.contextmanager
def _system_lock(folder: Path) -> Iterator[bool]:
    """Lock the folder itself, so that nothing is left in it; False where the system cannot."""
    if sys.platform == "win32":
        yield False
        return
    import fcntl  # noqa: PLC0415 - Windows has none

    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            is_locked = True
        except BlockingIOError:
            raise LocalMisuse(f"output folder {folder}: another call is writing it; name another or wait") from None
        except OSError:
            is_locked = False
        yield is_locked
    finally:
        os.close(handle)


@contextlib.contextmanager
def _marker(folder: Path) -> Iterator[None]:
    path = folder / MARKER
    try:
        handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY)
    except FileExistsError:
        raise LocalMisuse(
            f"output folder {folder}: another call is writing it; name another, or remove {MARKER} if none runs"
        ) from None
    try:
        with os.fdopen(handle, "w", encoding="ascii") as marker:
            marker.write(f"{os.getpid()}\n")
        yield
    finally:
        path.unlink(missing_ok=True)
