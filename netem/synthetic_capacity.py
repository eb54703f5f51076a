"""Made-up cellular capacity: a seeded walk in integers, so that every machine makes the same trace.

The rate moves on a ladder of levels, each a quarter above the one below: radio links change by factors (modulation
and coding steps, and the share the cell's scheduler gives), not by amounts. A pull towards the middle keeps it there
in the long run. Now and then a handover or a shadow takes the rate away altogether for a while.
"""

from dataclasses import dataclass

from netem.capacity_trace import RateSteps
from rtc.values.errors import LocalMisuse
from rtc.values.randomness import RandomStream
from rtc.values.units import US_PER_MS

STEP_US = 200 * US_PER_MS
"""About two reporting periods of a link-adaptation loop; shorter changes a call's queue smooths out anyway."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CellularWalk:
    """The figures of a walk; rates in bits a second, times in steps of `STEP_US`."""

    middle_bps: int
    """Where the pull leads: about the median."""
    ladder: int
    """Levels above the middle, and as many below; each is a factor 5/4."""
    reach: int
    """The most levels moved in a step."""
    outage_every: int
    """Steps from the beginning of one outage to that of the next, on average; 0 for none."""
    outage_steps: tuple[int, int]
    """The shortest and longest outage."""

    def __post_init__(self) -> None:
        if self.middle_bps <= 0 or self.ladder < 1 or self.reach < 1 or self.outage_every < 0:
            raise LocalMisuse("cellular walk: need a middle above 0, a ladder and a reach of 1 or more")


def cellular_trace(walk: CellularWalk, *, steps: int, random_stream: RandomStream) -> RateSteps:
    """A trace of `steps` steps that follows a walk."""
    levels = _ladder(walk)
    middle = top = walk.ladder
    level = middle
    outage_left = 0
    rates = []
    for _ in range(steps):
        drift = random_stream.randrange(2 * walk.reach + 1) - walk.reach
        # A pull that grows with the distance: a step back for every half ladder away, at random for what is between.
        pull = (abs(level - middle) * 2 + random_stream.randrange(top)) // top
        level += drift - pull if level > middle else drift + pull
        level = min(max(level, 0), 2 * walk.ladder)
        if walk.outage_every and outage_left == 0 and random_stream.randrange(walk.outage_every) == 0:
            shortest, longest = walk.outage_steps
            outage_left = shortest + random_stream.randrange(longest - shortest + 1)
        rates.append(0 if outage_left else levels[level])
        outage_left = max(0, outage_left - 1)
    return RateSteps(durations_us=(STEP_US,) * steps, rates_bps=tuple(rates))


def _ladder(walk: CellularWalk) -> tuple[int, ...]:
    below, above = [walk.middle_bps], [walk.middle_bps]
    for _ in range(walk.ladder):
        below.append(max(1, below[-1] * 4 // 5))
        above.append(above[-1] * 5 // 4)
    return (*reversed(below[1:]), *above)
