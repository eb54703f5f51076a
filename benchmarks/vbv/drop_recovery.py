"""What a fall of the target does to the VBV delay, beyond what nobody could help.

Whatever is in the bucket when the target falls takes longer to send at the new rate: that much delay is given. The
excess of a later frame is its VBV delay less what is left of the drop-time content, drained at the new rate alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from benchmarks.vbv.schedules import TargetDrop
from rtc.metrics.distributions import nearest_rank
from rtc.values.units import US_PER_MS, US_PER_S

CALM_US: Final = 115 * US_PER_MS
"""VBV delay under which a call has recovered."""
FEWEST_FRAMES: Final = 10
"""That say something of a 95th percentile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DropRecovery:
    """How a run came through a fall of the target; None where no frame was left to judge by."""

    given_us: int
    """Delay that the content at the moment of the fall had at the new rate."""
    excess_us: int | None
    """The largest excess over all frames until the target rose again."""
    p95_after_1s_us: int | None
    """95th percentile of the VBV delay from 1 s after the fall until the target rose again."""
    calm_after_us: int | None
    """Time after the fall from which on the 95th percentile stays under 115 ms; None where it never does."""


def drop_recovery(curve: Sequence[tuple[int, int]], drop: TargetDrop) -> DropRecovery:
    """From capture times and VBV delays, in time order, of a run whose target fell so."""
    given_us = _content_microbits(curve, drop) // drop.to_bps
    during = [(at_us, delay_us) for at_us, delay_us in curve if drop.at_us <= at_us < drop.until_us]
    excesses = [delay_us - max(0, given_us - (at_us - drop.at_us)) for at_us, delay_us in during]
    later = sorted(delay_us for at_us, delay_us in during if at_us >= drop.at_us + US_PER_S)
    return DropRecovery(
        given_us=given_us,
        excess_us=max(excesses, default=None),
        p95_after_1s_us=nearest_rank(later, 95),
        calm_after_us=_calm_after_us(during, drop),
    )


def _content_microbits(curve: Sequence[tuple[int, int]], drop: TargetDrop) -> int:
    """What was in the bucket when the target fell."""
    before = [(at_us, delay_us) for at_us, delay_us in curve if at_us < drop.at_us]
    if not before:
        return 0
    at_us, delay_us = before[-1]
    return max(0, delay_us - (drop.at_us - at_us)) * drop.from_bps


def _calm_after_us(during: Sequence[tuple[int, int]], drop: TargetDrop) -> int | None:
    for index in range(len(during) - FEWEST_FRAMES + 1):
        p95 = nearest_rank(sorted(delay_us for _, delay_us in during[index:]), 95)
        if p95 is not None and p95 < CALM_US:
            return during[index][0] - drop.at_us
    return None
