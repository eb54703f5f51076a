"""A rate that changes in steps, and exactly how much it carries between two moments."""

import itertools
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class RateStep:
    """From this moment on, until the next step, the rate is `bps`."""

    at_us: int
    bps: int


class RateTimeline:
    """A step function of time. The first step also holds before its own moment; with no steps the rate is zero.

    Amounts are in microbits (a millionth of a bit), because bits a second times microseconds is a whole number of them.
    """

    def __init__(self, steps: Sequence[RateStep]) -> None:
        self._starts = [step.at_us for step in steps]
        self._rates = [step.bps for step in steps]
        carried = (step.bps * (following.at_us - step.at_us) for step, following in itertools.pairwise(steps))
        self._carried_before = list(itertools.accumulate(carried, initial=0))

    def bps_at(self, now_us: int) -> int:
        """The rate in force at `now_us`; a step is in force at its own moment."""
        return self._rates[self._index(now_us)] if self._rates else 0

    def microbits(self, start_us: int, end_us: int) -> int:
        """What flows from `start_us` to `end_us`."""
        return self._until(end_us) - self._until(start_us) if self._rates else 0

    def mean_bps(self, start_us: int, end_us: int) -> int | None:
        """The mean over a span, weighed by time, to the nearest bit a second; None where nothing is known."""
        if not self._rates or end_us <= start_us:
            return None
        return round(self.microbits(start_us, end_us) / (end_us - start_us))

    def _index(self, now_us: int) -> int:
        return max(0, bisect_right(self._starts, now_us) - 1)

    def _until(self, now_us: int) -> int:
        index = self._index(now_us)
        return self._carried_before[index] + self._rates[index] * (now_us - self._starts[index])
