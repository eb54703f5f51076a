"""Ctrl-C, `kill` and a closed terminal end the program alike: what is half done is cleared away first."""

import atexit
import contextlib
import signal
import sys
from collections.abc import Callable, Iterator
from types import FrameType

_WORDS = {"SIGINT": "interrupted", "SIGTERM": "terminated", "SIGHUP": "terminal closed"}
SIGNALS = tuple(getattr(signal, name) for name in _WORDS if hasattr(signal, name))  # Windows has no SIGHUP


class Stopped(BaseException):
    """A signal asked the program to end. No Exception, so that nothing takes it for a failure and goes on."""

    def __init__(self, number: int) -> None:
        self._number = number
        super().__init__(_WORDS[signal.Signals(number).name])

    @property
    def exit_status(self) -> int:
        """As shells give it: 128 and the signal's number."""
        return 128 + self._number


def run_until_stopped(run: Callable[[], int]) -> int:
    """The status that `run` returns; where a signal stops it, one line on standard error and that signal's status."""
    try:
        with _handling(_stop):
            atexit.register(_ignore)
            return run()
    except Stopped as stopped:
        with _handling(signal.SIG_IGN):
            kept = "".join(f"; {note}" for note in getattr(stopped, "__notes__", ()))
            sys.stderr.write(f"rtc: {stopped}{kept}\n")
        return stopped.exit_status


@contextlib.contextmanager
def _handling(handler: "Callable[[int, FrameType | None], None] | signal.Handlers") -> Iterator[None]:
    """Answer the signals so; but those that whoever started the program has it ignore (`nohup`) stay ignored."""
    before = {number: signal.getsignal(number) for number in SIGNALS}
    changed = [number for number in SIGNALS if before[number] not in {signal.SIG_IGN, None}]
    try:
        for number in changed:
            signal.signal(number, handler)
        yield
    finally:
        for number in changed:
            signal.signal(number, before[number])


def _stop(number: int, _frame: FrameType | None) -> None:
    raise Stopped(number)


def _ignore() -> None:
    """The files are written and the status is known: a signal now would only spoil the status."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)
