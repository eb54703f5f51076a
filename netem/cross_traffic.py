"""Traffic of others in the bottleneck's queue.

A source stands in front of the link and merges its packets into the stream of arrivals. They take room in the queue
and time on the link, and end there.
"""

from dataclasses import dataclass
from typing import Protocol

from netem.node import Drop, Forward, Transit
from netem.packet import NEVER, NetworkPacket
from netem.transmitters import WORK_PER_BYTE
from rtc.values.errors import LocalMisuse
from rtc.values.randomness import RandomStream

PACKET_BYTES = 1500
"""Bulk traffic fills its packets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConstantCrossTraffic:
    """A stream of full-size packets at a fixed rate."""

    rate_bps: int

    def __post_init__(self) -> None:
        _check_positive(rate_bps=self.rate_bps)


@dataclass(frozen=True, slots=True, kw_only=True)
class BurstyCrossTraffic:
    """A fixed rate while on, silence while off; each spell is uniform from half to one and a half of its mean."""

    rate_bps: int
    mean_on_us: int
    mean_off_us: int

    def __post_init__(self) -> None:
        _check_positive(rate_bps=self.rate_bps, mean_on_us=self.mean_on_us, mean_off_us=self.mean_off_us)


@dataclass(frozen=True, slots=True, kw_only=True)
class AimdCrossTraffic:
    """A download that probes as TCP Reno does: one packet a round trip faster every round trip, half after a loss.

    Paced, not window-limited: the queue it builds does not slow its own acknowledgements, so `round_trip_us` should
    count that queue in. It makes the sawtooth of queue delay that a call beside a download sees; it is no model of any
    one TCP.
    """

    round_trip_us: int
    start_bps: int
    max_bps: int
    """What its own server or receive window allows."""

    def __post_init__(self) -> None:
        _check_positive(round_trip_us=self.round_trip_us, start_bps=self.start_bps, max_bps=self.max_bps)
        if self.start_bps > self.max_bps:
            raise LocalMisuse(f"cross traffic: starts at {self.start_bps}, above its maximum {self.max_bps}")


CrossTraffic = ConstantCrossTraffic | BurstyCrossTraffic | AimdCrossTraffic
"""One source that shares the bottleneck."""


def _check_positive(**fields: int) -> None:
    for name, value in fields.items():
        if value <= 0:
            raise LocalMisuse(f"cross traffic: {name} is {value}, must be above 0")


class _Pattern(Protocol):
    """When a source's next packet comes."""

    first_us: int

    def gap_us(self, at_us: int) -> int:
        """From the packet at `at_us` to the next."""

    def on_dropped(self, at_us: int) -> None:
        """One of its packets was dropped."""

    def share_bps(self, available_bps: int) -> int:
        """How much it takes in the long run of what is there."""


class CrossTrafficNode:
    """Merges one source into the arrivals at the link."""

    __slots__ = ("_forward", "_next_us", "_packet", "_pattern")

    def __init__(self, source: CrossTraffic, random_stream: RandomStream) -> None:
        self._pattern = _pattern_of(source, random_stream)
        self._packet = NetworkPacket(size_bytes=PACKET_BYTES, payload=None, sent_at_us=0)
        self._next_us = self._pattern.first_us

    def connect(self, forward: Forward, drop: Drop) -> None:  # noqa: ARG002 - it drops nothing itself
        """Say where packets go from here."""
        self._forward = forward

    def accept(self, transit: Transit) -> None:
        """Send what is due before the arrival, then the arrival."""
        self.advance(transit.at_us)
        self._forward(transit)

    def advance(self, now_us: int) -> None:
        """Send every packet that is due by `now_us`."""
        while self._next_us <= now_us:
            at_us = self._next_us
            self._forward(Transit(self._packet, at_us, self._pattern))
            self._next_us = at_us + self._pattern.gap_us(at_us)

    def share_bps(self, available_bps: int) -> int:
        """How much the source takes in the long run of what is there."""
        return self._pattern.share_bps(available_bps)


class _ConstantPattern:
    def __init__(self, rate_bps: int, random_stream: RandomStream) -> None:
        self._rate_bps = rate_bps
        self._remainder = 0
        # A random phase, so that several sources do not march in step.
        self.first_us = random_stream.randrange(1 + PACKET_BYTES * WORK_PER_BYTE // rate_bps)

    def gap_us(self, at_us: int) -> int:  # noqa: ARG002 - the same at all times
        gap, self._remainder = divmod(PACKET_BYTES * WORK_PER_BYTE + self._remainder, self._rate_bps)
        return gap

    def on_dropped(self, at_us: int) -> None:
        """It does not care."""

    def share_bps(self, available_bps: int) -> int:
        return min(self._rate_bps, available_bps)


class _BurstyPattern(_ConstantPattern):
    def __init__(self, source: BurstyCrossTraffic, random_stream: RandomStream) -> None:
        super().__init__(source.rate_bps, random_stream)
        self._source = source
        self._random = random_stream
        self.first_us += random_stream.randrange(source.mean_off_us)
        self._off_at_us = self.first_us + self._spell_us(source.mean_on_us)

    def gap_us(self, at_us: int) -> int:
        gap = super().gap_us(at_us)
        if at_us + gap >= self._off_at_us:
            gap += self._spell_us(self._source.mean_off_us)
            self._off_at_us = at_us + gap + self._spell_us(self._source.mean_on_us)
        return gap

    def share_bps(self, available_bps: int) -> int:
        on, off = self._source.mean_on_us, self._source.mean_off_us
        return min(self._rate_bps, available_bps) * on // (on + off)

    def _spell_us(self, mean_us: int) -> int:
        return mean_us // 2 + self._random.randrange(mean_us + 1)


class _AimdPattern:
    def __init__(self, source: AimdCrossTraffic, random_stream: RandomStream) -> None:
        self._source = source
        self._rate_bps = source.start_bps
        self._least_bps = PACKET_BYTES * WORK_PER_BYTE // source.round_trip_us
        """One packet a round trip: what it adds, and what it never goes below."""
        self.first_us = random_stream.randrange(source.round_trip_us)
        self._raise_at_us = self.first_us + source.round_trip_us
        self._halve_at_us = NEVER
        self._deaf_until_us = 0

    def gap_us(self, at_us: int) -> int:
        while self._raise_at_us <= at_us:
            self._rate_bps = min(self._rate_bps + self._least_bps, self._source.max_bps)
            self._raise_at_us += self._source.round_trip_us
        if self._halve_at_us <= at_us:
            self._rate_bps = max(self._rate_bps // 2, min(self._least_bps, self._source.max_bps))
            self._halve_at_us = NEVER
        return max(1, PACKET_BYTES * WORK_PER_BYTE // self._rate_bps)

    def on_dropped(self, at_us: int) -> None:
        """Learn of it a round trip later; losses of one round trip count as one (RFC 5681 section 3.2)."""
        if at_us >= self._deaf_until_us:
            self._halve_at_us = at_us + self._source.round_trip_us
            self._deaf_until_us = at_us + 2 * self._source.round_trip_us

    def share_bps(self, available_bps: int) -> int:
        """A fair half, or less where it cannot take that much."""
        return min(available_bps // 2, self._source.max_bps)


def _pattern_of(source: CrossTraffic, random_stream: RandomStream) -> _Pattern:
    if isinstance(source, ConstantCrossTraffic):
        return _ConstantPattern(source.rate_bps, random_stream)
    if isinstance(source, BurstyCrossTraffic):
        return _BurstyPattern(source, random_stream)
    return _AimdPattern(source, random_stream)
