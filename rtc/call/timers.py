"""Every timer of an endpoint, in one table; the driver arms only the earliest."""

import enum


class Timer(enum.Enum):
    """What can fall due."""

    TRANSPORT_FEEDBACK = "transport_feedback"
    """Arrivals wait to be reported."""
    REPORT = "report"
    """The regular sender and receiver reports (RFC 3550 section 6.4)."""


class TimerTable:
    """Deadlines by timer. Setting one again moves it; a deadline of None stops it."""

    def __init__(self) -> None:
        self._deadlines: dict[Timer, int] = {}

    def set(self, timer: Timer, at_us: int | None) -> None:
        """Let `timer` fall due at `at_us`, or never."""
        if at_us is None:
            self._deadlines.pop(timer, None)
        else:
            self._deadlines[timer] = at_us

    def is_set(self, timer: Timer) -> bool:
        """Whether the timer will fall due."""
        return timer in self._deadlines

    def take_expired(self, timer: Timer, now_us: int) -> bool:
        """Whether `timer` has fallen due by now; if so it is stopped."""
        at_us = self._deadlines.get(timer)
        if at_us is None or at_us > now_us:
            return False
        del self._deadlines[timer]
        return True

    def next_timeout_us(self) -> int | None:
        """When the earliest falls due."""
        return min(self._deadlines.values(), default=None)
