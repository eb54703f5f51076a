"""When a transmission may begin and when it ends, for each kind of capacity; every one carries its remainder."""

from bisect import bisect_right
from typing import Protocol

from netem.capacity_trace import MAX_RATE_BPS, CapacityTrace, DeliveryOpportunities, RateSteps
from rtc.values.errors import LocalMisuse
from rtc.values.units import BITS_PER_BYTE, US_PER_MS, US_PER_S

WORK_PER_BYTE = BITS_PER_BYTE * US_PER_S
"""Bit-microseconds in a byte sent at one bit a second: the integer unit that makes rates exact."""


class Transmitter(Protocol):
    """The sending side of a link; its two methods alternate, with times that never decrease."""

    def start_us(self, ready_us: int) -> int:
        """When a packet that is ready at `ready_us` can begin, after all that were sent before."""

    def finish_us(self, start_us: int, size_bytes: int) -> int:
        """Send a packet from `start_us`, as `start_us()` gave it, and say when its last byte is out."""

    def mean_bps(self, now_us: int, window_us: int) -> int:
        """What can be carried on average in [now, now + window)."""


class ConstantTransmitter:
    """A fixed rate. Times are rounded down, and what was cut off is carried: bytes are exact to one packet for ever."""

    __slots__ = ("_free_us", "_rate_bps", "_remainder")

    def __init__(self, rate_bps: int) -> None:
        if not 0 < rate_bps <= MAX_RATE_BPS:
            raise LocalMisuse(f"capacity {rate_bps} bits a second: must be above 0 and at most {MAX_RATE_BPS}")
        self._rate_bps = rate_bps
        self._free_us = 0
        self._remainder = 0

    def start_us(self, ready_us: int) -> int:
        """At once, or when the packet before is out."""
        free_us = self._free_us
        if ready_us <= free_us:
            return free_us
        # The true end of the packet before lies within this microsecond or earlier: nothing is left to carry.
        self._remainder = 0
        return ready_us

    def finish_us(self, start_us: int, size_bytes: int) -> int:
        """Size over rate later, remainder carried."""
        whole, self._remainder = divmod(size_bytes * WORK_PER_BYTE + self._remainder, self._rate_bps)
        self._free_us = free_us = start_us + whole
        return free_us

    def mean_bps(self, now_us: int, window_us: int) -> int:  # noqa: ARG002 - the same at all times
        """The rate."""
        return self._rate_bps


class SteppedTransmitter:
    """A rate that changes in steps; a packet under way is slowed or sped up at the step, and waits through zeros."""

    __slots__ = ("_ends_us", "_free_us", "_index", "_remainder", "_trace")

    def __init__(self, trace: RateSteps) -> None:
        self._trace = trace
        self._index = 0
        self._ends_us = trace.durations_us[0]
        self._free_us = 0
        self._remainder = 0
        """Work of the last packet that reaches into the microsecond at `_free_us`, at the current step's rate."""

    def start_us(self, ready_us: int) -> int:
        """At once, when the packet before is out, or when the rate rises above 0 again."""
        if ready_us > self._free_us:
            self._free_us = ready_us
            self._remainder = 0
        self._skip_to(self._free_us)
        return self._free_us

    def finish_us(self, start_us: int, size_bytes: int) -> int:
        """Through as many steps as the packet takes."""
        work = size_bytes * WORK_PER_BYTE + self._remainder
        # Whole rounds at once: a long packet on a trace of short steps must not walk them one by one.
        rounds = (work - 1) // self._trace.work_before[-1]
        work -= rounds * self._trace.work_before[-1]
        now_us = start_us + rounds * self._trace.duration_us
        self._ends_us += rounds * self._trace.duration_us
        rates = self._trace.rates_bps
        while work >= (fits := rates[self._index] * (self._ends_us - now_us)):
            work -= fits
            now_us = self._ends_us
            self._next_step()
            if work == 0:
                break
        rate = rates[self._index]
        whole, self._remainder = divmod(work, rate) if work else (0, 0)
        self._free_us = now_us + whole
        return self._free_us

    def mean_bps(self, now_us: int, window_us: int) -> int:
        """The trace's mean over the window."""
        return self._trace.mean_bps_between(now_us, now_us + window_us)

    def _skip_to(self, at_us: int) -> None:
        if self._ends_us <= at_us:
            self._ends_us += (at_us - self._ends_us) // self._trace.duration_us * self._trace.duration_us
        while self._ends_us <= at_us:
            self._next_step()
        if self._trace.rates_bps[self._index] == 0:
            while self._trace.rates_bps[self._index] == 0:
                self._free_us = self._ends_us
                self._next_step()
            self._remainder = 0

    def _next_step(self) -> None:
        self._index += 1
        if self._index == len(self._trace.durations_us):
            self._index = 0
        self._ends_us += self._trace.durations_us[self._index]


class OpportunityTransmitter:
    """Mahimahi's semantics (its `link_queue.cc`): each opportunity carries a budget of bytes to the head of the queue.

    A packet that does not fit continues in the next opportunity, several small ones may share one, and what is left
    when the queue is empty is lost. An opportunity at the very time of an arrival is over before it.
    """

    __slots__ = ("_budget", "_cursor", "_left", "_open_us", "_overhead", "_period_us", "_times_us", "_trace")

    def __init__(self, trace: DeliveryOpportunities) -> None:
        self._trace = trace
        self._times_us = tuple(ms * US_PER_MS for ms in trace.times_ms)
        self._period_us = trace.duration_us
        self._budget = trace.opportunity_bytes
        self._overhead = trace.packet_overhead_bytes
        self._cursor = 0
        """Counts opportunities over all rounds: the next one not yet used or lost."""
        self._open_us = -1
        self._left = 0

    def start_us(self, ready_us: int) -> int:
        """In what is left of the open opportunity, or at the first one after `ready_us`."""
        if self._left and ready_us < self._open_us:
            return self._open_us
        self._left = 0
        at_us = self._time_of(self._cursor)
        if at_us > ready_us:
            return at_us
        rounds, offset_us = divmod(ready_us, self._period_us)
        self._cursor = rounds * len(self._times_us) + bisect_right(self._times_us, offset_us)
        return self._time_of(self._cursor)

    def finish_us(self, start_us: int, size_bytes: int) -> int:
        """The time of the opportunity that carries the last byte."""
        at_us = start_us
        left = self._left
        needed = size_bytes + self._overhead
        while True:
            if left == 0:
                at_us = self._time_of(self._cursor)
                self._cursor += 1
                left = self._budget
            if needed <= left:
                break
            needed -= left
            left = 0
        self._open_us = at_us
        self._left = left - needed
        return at_us

    def mean_bps(self, now_us: int, window_us: int) -> int:
        """The bytes of every opportunity in the window."""
        return self._trace.mean_bps_between(now_us, now_us + window_us)

    def _time_of(self, cursor: int) -> int:
        rounds, index = divmod(cursor, len(self._times_us))
        return rounds * self._period_us + self._times_us[index]


def transmitter_of(capacity: int | CapacityTrace) -> Transmitter:
    """The transmitter of a constant rate in bits a second or of a trace."""
    if isinstance(capacity, RateSteps):
        return SteppedTransmitter(capacity)
    if isinstance(capacity, DeliveryOpportunities):
        return OpportunityTransmitter(capacity)
    return ConstantTransmitter(capacity)
