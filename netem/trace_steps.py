"""Rows of time and rate to `RateSteps`, shared by the text formats."""

from collections.abc import Sequence

from netem.capacity_trace import MAX_DURATION_US, MAX_RATE_BPS, RateSteps
from netem.trace_text import durations_of, non_negative, scaled
from rtc.values.units import US_PER_S

_LATEST_US = 100 * MAX_DURATION_US
"""Times may count from 1970, so they are only bounded by a century."""


def time_us(cell: str, *, line: int, unit_us: int = US_PER_S) -> int:
    """A time of 0 or more in whole microseconds."""
    return scaled(non_negative(cell, line=line, what="time"), unit_us, line=line, what="time", most=_LATEST_US)


def rate_bps(cell: str, *, line: int, unit_bps: int) -> int:
    """A rate of 0 or more in whole bits a second."""
    return scaled(non_negative(cell, line=line, what="rate"), unit_bps, line=line, what="rate", most=MAX_RATE_BPS)


def steps_from_times(rows: Sequence[tuple[int, str, str]], *, unit_us: int, unit_bps: int) -> RateSteps:
    """Steps from rows of (line number, time, rate), each rate held until the next time."""
    starts = [time_us(row[1], line=row[0], unit_us=unit_us) for row in rows]
    rates = [rate_bps(row[2], line=row[0], unit_bps=unit_bps) for row in rows]
    return steps(durations_of(starts, [row[0] for row in rows]), rates)


def steps(durations_us: Sequence[int], rates_bps: Sequence[int]) -> RateSteps:
    """Steps without those of no length (where a time stamp repeats, the later line holds)."""
    kept = [(length, rate) for length, rate in zip(durations_us, rates_bps, strict=True) if length]
    return RateSteps(durations_us=tuple(row[0] for row in kept), rates_bps=tuple(row[1] for row in kept))
