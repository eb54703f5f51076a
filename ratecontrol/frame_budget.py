"""How many bits a frame may take: from the target, what is in the bucket, and the bounds on VBV delay.

The bounds grow with the interval between frames, because a frame of average size alone delays by one interval. They
aim below what is promised (at 30 frames a second 80 ms at the 95th percentile, 100 ms at the 99th; at 15 a second 115
and 130 ms; 150 ms for a key frame), since frames miss their budgets.
"""

from dataclasses import dataclass
from typing import Final

from ratecontrol.frame_plan import FrameBudget
from rtc.values.units import US_PER_S

GOAL_BASE_US: Final = 7_000
GOAL_PERCENT: Final = 117
"""Where the delay after a frame should hover: a half to a third of a frame above one frame's worth, so that a frame
that comes out small does not leave the bucket empty, which would waste bits for good."""
USUAL_BASE_US: Final = 36_000
USUAL_PERCENT: Final = 105
"""What a frame, its usual error included, should stay under."""
LIMIT_BASE_US: Final = 61_000
LIMIT_PERCENT: Final = 81
LIMIT_FAST_BASE_US: Final = 45_000
LIMIT_FAST_PERCENT: Final = 105
"""Above this a frame is encoded again; the second line is the lower one from 15 frames a second on. Where many frames
are encoded again, the delay's 95th percentile is the limit itself."""
LEAST_USUAL_PERCENT: Final = 135
LEAST_LIMIT_PERCENT: Final = 150
"""Of the interval, below some ten frames a second: bounds under one frame's worth would forbid the average frame."""
OVERRUN_PERCENT: Final = 112
"""Of that limit: what not even the coarsest quantizer keeps under is coded smaller, for the 99th percentile to hold."""
KEY_BASE_US: Final = 130_000
KEY_PERCENT: Final = 24
LEAST_KEY_PERCENT: Final = 120
WORST_BASE_US: Final = 120_000
WORST_PERCENT: Final = 120
"""What hardly any frame may leave, in a codec that cannot make delta frames again: 160 ms at 30 frames a second,
200 ms at 15."""
LEAST_OF_SHARE: Final = 40
"""No delta frame is held to less than this percentage of an average frame: coarser than that, pictures fall apart."""
LEAST_TARGET: Final = 30
MOST_TARGET: Final = 160
FILL_PERCENT: Final = 115
"""A frame is asked to leave at least this percentage of an average frame in the bucket."""
PAY_BACK_PERCENT: Final = 40
"""The part of what is owed or spare that the next frame makes good."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DelayBounds:
    """VBV delays to steer by, in microseconds, for one interval between frames."""

    goal_us: int
    usual_us: int
    limit_us: int
    overrun_us: int
    key_us: int
    worst_us: int

    @classmethod
    def of_interval(cls, interval_us: int) -> "DelayBounds":
        """The bounds at this many microseconds between frames."""
        return cls(
            goal_us=GOAL_BASE_US + interval_us * GOAL_PERCENT // 100,
            usual_us=max(USUAL_BASE_US + interval_us * USUAL_PERCENT // 100, interval_us * LEAST_USUAL_PERCENT // 100),
            limit_us=_limit_us(interval_us),
            overrun_us=_limit_us(interval_us) * OVERRUN_PERCENT // 100,
            key_us=max(KEY_BASE_US + interval_us * KEY_PERCENT // 100, interval_us * LEAST_KEY_PERCENT // 100),
            worst_us=WORST_BASE_US + interval_us * WORST_PERCENT // 100,
        )


def _limit_us(interval_us: int) -> int:
    slow = LIMIT_BASE_US + interval_us * LIMIT_PERCENT // 100
    fast = LIMIT_FAST_BASE_US + interval_us * LIMIT_FAST_PERCENT // 100
    return max(min(slow, fast), interval_us * LEAST_LIMIT_PERCENT // 100)


@dataclass(frozen=True, slots=True, kw_only=True)
class BitBounds:
    """The same in bits, at one target: the same for all frames until the target changes."""

    share_bits: int
    """An average frame's."""
    goal_bits: int
    usual_bits: int
    limit_bits: int
    overrun_bits: int
    key_bits: int
    least_limit_bits: int
    """However full the bucket is."""

    @classmethod
    def of_target(cls, bounds: DelayBounds, interval_us: int, target_bps: int) -> "BitBounds":
        """What drains within each of the bounds at this many bits a second."""
        share_bits = max(1, target_bps * interval_us // US_PER_S)
        return cls(
            share_bits=share_bits,
            goal_bits=target_bps * bounds.goal_us // US_PER_S,
            usual_bits=target_bps * bounds.usual_us // US_PER_S,
            limit_bits=target_bps * bounds.limit_us // US_PER_S,
            overrun_bits=target_bps * bounds.overrun_us // US_PER_S,
            key_bits=target_bps * bounds.key_us // US_PER_S,
            least_limit_bits=max(1, share_bits * LEAST_OF_SHARE // 100),
        )

    def limit(self, bucket_bits: int) -> int:
        """What a delta frame may have without being encoded again."""
        return max(self.least_limit_bits, self.limit_bits - bucket_bits)


class BudgetPlanner:
    """Shares out the target, frame by frame; holds nothing but the bounds, in bits at the target asked for last."""

    def __init__(self, interval_us: int) -> None:
        self.bounds = DelayBounds.of_interval(interval_us)
        self.interval_us = interval_us
        self._target_bps = 0
        self._bits = BitBounds.of_target(self.bounds, interval_us, 0)

    def share_bits(self, target_bps: int) -> int:
        """An average frame's bits."""
        return self._at(target_bps).share_bits

    def key(self, target_bps: int, bucket_bits: int) -> FrameBudget:
        """For a key frame: all that its bound leaves and not a bit more, however much better it would look."""
        bounds = self._at(target_bps)
        limit = max(bounds.least_limit_bits, bounds.key_bits - bucket_bits)
        return FrameBudget(target_bits=limit * 94 // 100, limit_bits=limit)

    def delta(self, target_bps: int, bucket_bits: int, margin: float) -> FrameBudget:
        """For any other frame; `margin` is the factor by which frames usually exceed what was predicted."""
        bounds = self._at(target_bps)
        share, limit = bounds.share_bits, bounds.limit(bucket_bits)
        steady = share + (bounds.goal_bits - bucket_bits - share) * PAY_BACK_PERCENT // 100
        least = share * LEAST_TARGET // 100
        most = max(int((bounds.usual_bits - bucket_bits) / margin), least)
        fill = share * FILL_PERCENT // 100 - bucket_bits
        wanted = min(max(steady, least, fill), most, share * MOST_TARGET // 100, limit)
        return FrameBudget(target_bits=max(1, wanted), limit_bits=limit)

    def better(self, target_bps: int, bucket_bits: int) -> FrameBudget:
        """For the periodic, slightly better frame: as much as a frame may have without being encoded again."""
        limit = self._at(target_bps).limit(bucket_bits)
        return FrameBudget(target_bits=max(1, limit * 75 // 100), limit_bits=limit)

    def bound_bits(self, target_bps: int, bucket_bits: int) -> int:
        """Above this a delta frame breaks the bound on VBV delay; one of average size drains as fast as it comes."""
        bounds = self._at(target_bps)
        return max(bounds.share_bits, bounds.overrun_bits - bucket_bits)

    def _at(self, target_bps: int) -> BitBounds:
        if target_bps != self._target_bps:
            self._target_bps = target_bps
            self._bits = BitBounds.of_target(self.bounds, self.interval_us, target_bps)
        return self._bits
