"""Time on the way that is not queueing: propagation, jitter, and recorded delays."""

import itertools
from bisect import bisect_right
from dataclasses import dataclass, field

from netem.node import Drop, Forward, Transit
from netem.packet import DropCause
from rtc.values.errors import LocalMisuse
from rtc.values.randomness import RandomStream
from rtc.values.units import US_PER_S


@dataclass(frozen=True, slots=True, kw_only=True)
class DelayTrace:
    """One-way delay over time, each value held until the next; after the last the first again.

    None stands for an outage: what is sent then is lost.
    """

    starts_us: tuple[int, ...] = field(repr=False)
    """When each value begins to hold; the first is 0."""
    delays_us: tuple[int | None, ...] = field(repr=False)
    duration_us: int

    def __post_init__(self) -> None:
        starts = (*self.starts_us, self.duration_us)
        if len(self.starts_us) != len(self.delays_us) or not self.starts_us or self.starts_us[0] != 0:
            raise LocalMisuse("delay trace: need a first value at 0, and a time for each value")
        if any(later <= earlier for earlier, later in itertools.pairwise(starts)):
            raise LocalMisuse("delay trace: times must increase")
        known = [delay for delay in self.delays_us if delay is not None]
        if not known:
            raise LocalMisuse("delay trace: every value is empty, so nothing would ever arrive")
        if min(known) < 0 or max(known) > MAX_DELAY_US:
            raise LocalMisuse(f"delay trace: delays must be from 0 to {MAX_DELAY_US // US_PER_S} s")

    def delay_us_at(self, at_us: int) -> int | None:
        """The delay of a packet that leaves at `at_us`, or None when it is lost."""
        return self.delays_us[bisect_right(self.starts_us, at_us % self.duration_us) - 1]


MAX_DELAY_US = 600 * US_PER_S
"""Ten minutes: the longest one-way delay that is not a mistaken unit (real pings went to 10 s)."""


class DelayNode:
    """Delays every packet by the same time, plus jitter.

    Jitter is `jitter_us * u * v` with two uniform draws: never negative, mostly small with a tail (mean a quarter of
    `jitter_us`, 95th percentile about 0.7 of it). A packet never overtakes the one before: a radio link delivers in
    order (3GPP TS 38.323 section 5.2.2.2), so a late packet holds up those behind it and they come in a bunch.
    """

    __slots__ = ("_delay_us", "_draw", "_forward", "_jitter_us", "_last_us")

    def __init__(self, *, delay_us: int, jitter_us: int, random_stream: RandomStream) -> None:
        self._delay_us = delay_us
        self._jitter_us = jitter_us
        self._draw = random_stream.random
        self._last_us = 0

    def connect(self, forward: Forward, drop: Drop) -> None:  # noqa: ARG002 - delay loses nothing
        """Say where packets go from here."""
        self._forward = forward

    def accept(self, transit: Transit) -> None:
        """Hand the packet on, later."""
        at_us = transit.at_us + self._delay_us
        if self._jitter_us:
            at_us += int(self._jitter_us * self._draw() * self._draw())
            if at_us < self._last_us:  # noqa: PLR1730 - a call of max() costs several times as much here
                at_us = self._last_us
            self._last_us = at_us
        transit.at_us = at_us
        self._forward(transit)


class DelayTraceNode:
    """Delays every packet by what the trace says when it leaves, in order, and loses it where the trace is empty."""

    __slots__ = ("_drop", "_forward", "_last_us", "_trace")

    def __init__(self, trace: DelayTrace) -> None:
        self._trace = trace
        self._last_us = 0

    def connect(self, forward: Forward, drop: Drop) -> None:
        """Say where packets go from here."""
        self._forward = forward
        self._drop = drop

    def accept(self, transit: Transit) -> None:
        """Hand the packet on, later, or lose it."""
        delay_us = self._trace.delay_us_at(transit.at_us)
        if delay_us is None:
            self._drop(transit, transit.at_us, DropCause.OUTAGE)
            return
        self._last_us = max(self._last_us, transit.at_us + delay_us)
        transit.at_us = self._last_us
        self._forward(transit)
