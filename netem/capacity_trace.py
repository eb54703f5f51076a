"""What a link carries over time, as frozen values; each one repeats for ever.

Integers throughout: a rate step carries `rate * duration` bit-microseconds, so sums and windows are exact.
"""

from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from typing import Final

from rtc.values.errors import LocalMisuse
from rtc.values.units import BITS_PER_BYTE, US_PER_MS, US_PER_S

MAX_RATE_BPS: Final = 100_000_000_000
"""Faster than any access link; a larger figure is a mistaken unit."""
MAX_DURATION_US: Final = 366 * 24 * 3600 * US_PER_S
"""One year; a longer trace is a mistaken unit."""
OPPORTUNITY_BYTES: Final = 1500
"""IP bytes that one line of a Mahimahi trace stands for. Its `mm-link` counts 1504, because the TUN device puts 4 bytes
in front of every packet; see `DeliveryOpportunities.packet_overhead_bytes`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RateSteps:
    """A rate held for a while, then the next; after the last the first again."""

    durations_us: tuple[int, ...] = field(repr=False)
    rates_bps: tuple[int, ...] = field(repr=False)
    ends_us: tuple[int, ...] = field(init=False, repr=False, compare=False)
    work_before: tuple[int, ...] = field(init=False, repr=False, compare=False)
    """Bit-microseconds carried before each step, and one more entry for the whole trace."""

    def __post_init__(self) -> None:
        if not self.durations_us or len(self.durations_us) != len(self.rates_bps):
            raise LocalMisuse("rate steps: need at least one, and a duration for each rate")
        if min(self.durations_us) <= 0 or sum(self.durations_us) > MAX_DURATION_US:
            raise LocalMisuse("rate steps: durations must be above 0 and add up to at most a year")
        if min(self.rates_bps) < 0 or max(self.rates_bps) > MAX_RATE_BPS:
            raise LocalMisuse(f"rate steps: rates must be from 0 to {MAX_RATE_BPS} bits a second")
        if max(self.rates_bps) == 0:
            raise LocalMisuse("rate steps: every rate is 0, so nothing would ever arrive; some rate must be above 0")
        object.__setattr__(self, "ends_us", tuple(accumulate(self.durations_us)))
        work = (rate * length for rate, length in zip(self.rates_bps, self.durations_us, strict=True))
        object.__setattr__(self, "work_before", tuple(accumulate(work, initial=0)))

    @property
    def duration_us(self) -> int:
        """Length of one round."""
        return self.ends_us[-1]

    @property
    def mean_bps(self) -> int:
        """Mean rate over one round, every step weighted with its duration."""
        return self.work_before[-1] // self.duration_us

    def mean_bps_between(self, from_us: int, until_us: int) -> int:
        """Mean rate over [from, until), both since the trace began."""
        return (self._work_until(until_us) - self._work_until(from_us)) // (until_us - from_us)

    def _work_until(self, at_us: int) -> int:
        rounds, offset = divmod(at_us, self.duration_us)
        step = bisect_right(self.ends_us, offset)
        begins = self.ends_us[step] - self.durations_us[step]
        return rounds * self.work_before[-1] + self.work_before[step] + self.rates_bps[step] * (offset - begins)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryOpportunities:
    """A Mahimahi trace: at each time the link can deliver `opportunity_bytes`; unused bytes are gone.

    The last time is also the length of a round, as in mahimahi's `link_queue.cc`.
    """

    times_ms: tuple[int, ...] = field(repr=False)
    opportunity_bytes: int = OPPORTUNITY_BYTES
    packet_overhead_bytes: int = 0
    """Counted with every packet. With 4, and 1504 bytes an opportunity, deliveries are `mm-link`'s own to the byte for
    every packet size; with the defaults a full-size packet still takes exactly one opportunity."""

    def __post_init__(self) -> None:
        times = self.times_ms
        if not times or times[-1] <= 0 or times[-1] * US_PER_MS > MAX_DURATION_US:
            raise LocalMisuse("delivery times: need at least one, the last from 1 ms to a year")
        if times[0] < 0 or any(later < earlier for earlier, later in pairwise(times)):
            raise LocalMisuse("delivery times: must begin at 0 or later and never decrease")
        if self.opportunity_bytes <= self.packet_overhead_bytes or self.packet_overhead_bytes < 0:
            raise LocalMisuse("delivery times: an opportunity must carry more than a packet's overhead")

    @property
    def duration_us(self) -> int:
        """Length of one round."""
        return self.times_ms[-1] * US_PER_MS

    @property
    def mean_bps(self) -> int:
        """Mean rate over one round."""
        return self.mean_bps_between(0, self.duration_us)

    def mean_bps_between(self, from_us: int, until_us: int) -> int:
        """Mean rate over (from, until], both since the trace began: every opportunity's bytes, used or not.

        Open at the left, because a packet that arrives at the time of an opportunity is too late for it.
        """
        opportunities = self._opportunities_until(until_us) - self._opportunities_until(from_us)
        bits = opportunities * self.opportunity_bytes * BITS_PER_BYTE
        return bits * US_PER_S // (until_us - from_us)

    def _opportunities_until(self, at_us: int) -> int:
        rounds, offset_us = divmod(at_us, self.duration_us)
        return rounds * len(self.times_ms) + bisect_right(self.times_ms, offset_us // US_PER_MS)


CapacityTrace = RateSteps | DeliveryOpportunities
"""A link's capacity over time."""
