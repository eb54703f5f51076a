"""What every command writes to: figures on standard output, progress and complaints on standard error."""

import contextlib
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from rtc.report.json_text import json_text

FILE_WIDTH: Final = 160
"""Columns in a file or a pipe: no table is so wide, where a terminal's 80 would cut names and figures short."""

out = Console(highlight=False, width=None if sys.stdout.isatty() or "COLUMNS" in os.environ else FILE_WIDTH)
"""Standard output: tables and figures."""
err = Console(stderr=True, highlight=False)
"""Standard error: progress and complaints."""

BAD_INPUT = 2
"""Exit status for input that cannot be used."""
CHECK_FAILED = 1
"""Exit status when a stated check fails."""


def print_json(document: Mapping[str, Any]) -> None:
    """A document of figures, alone on standard output, never wrapped or coloured."""
    sys.stdout.write(json_text(document))
    sys.stdout.flush()


def print_refusal(error: Exception) -> None:
    """One line that says what is wrong and what would be right, on standard error."""
    print_notice(str(error))


def print_notice(text: str) -> None:
    """One line, on standard error."""
    line = " ".join(text.split())
    sys.stderr.write(f"rtc: {line}\n")
    sys.stderr.flush()


@contextlib.contextmanager
def progress(what: str, total: float) -> Iterator[Callable[[float], None]]:
    """A bar while something runs; the block is given a function that takes how much is done, from 0 to `total`.

    It shows only where standard error is a terminal, and leaves nothing behind.
    """
    if not err.is_terminal:
        yield lambda _done: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)
