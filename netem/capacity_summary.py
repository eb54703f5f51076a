"""A capacity over time as figures: what `rtc netem show` prints and draws."""

from dataclasses import dataclass

from netem.capacity_trace import CapacityTrace
from rtc.values.errors import LocalMisuse
from rtc.values.units import US_PER_S


@dataclass(frozen=True, slots=True, kw_only=True)
class CapacitySummary:
    """Rates in bits a second: the mean of all, the others of whole windows of a second."""

    duration_us: int
    min_bps: int
    p5_bps: int
    mean_bps: int
    p95_bps: int


def capacity_series(capacity: int | CapacityTrace, *, until_us: int, window_us: int) -> tuple[int, ...]:
    """Mean rate in bits a second of each window that begins in [0, until); a trace repeats past its end."""
    if until_us <= 0 or window_us <= 0:
        raise LocalMisuse(f"capacity over {until_us} us in windows of {window_us} us: both must be above 0")
    return tuple(_mean_bps(capacity, start, start + window_us) for start in range(0, until_us, window_us))


def summarise_capacity(capacity: int | CapacityTrace, *, until_us: int) -> CapacitySummary:
    """The figures of [0, until); what is left after the last whole second counts in the mean alone."""
    window_us = min(US_PER_S, until_us)
    rates = sorted(capacity_series(capacity, until_us=until_us - until_us % window_us, window_us=window_us))
    return CapacitySummary(
        duration_us=until_us,
        min_bps=rates[0],
        p5_bps=_percentile(rates, 5),
        mean_bps=_mean_bps(capacity, 0, until_us),
        p95_bps=_percentile(rates, 95),
    )


def _mean_bps(capacity: int | CapacityTrace, from_us: int, until_us: int) -> int:
    return capacity if isinstance(capacity, int) else capacity.mean_bps_between(from_us, until_us)


def _percentile(ordered: list[int], percent: int) -> int:
    """The value at the rank `percent` of the way up, rounded down: no interpolation, so integers stay integers."""
    return ordered[(len(ordered) - 1) * percent // 100]
