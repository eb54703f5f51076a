"""What happens to an encoder during one run: how its target, its coded size and its key frames go."""

import enum
from dataclasses import dataclass
from typing import Final

from benchmarks.driving import DrivingPlan, SizeStep
from rtc.metrics.rate_timeline import RateStep
from rtc.values.formats import FrameSize
from rtc.values.units import US_PER_MS, US_PER_S

DROP_STARTS: Final = 0.4
DROP_ENDS: Final = 0.8
"""Parts of a run's duration."""
RAMP_STEPS: Final = 20
RAMP_BOTTOM_PERCENT: Final = 25
SAW_TOOTH_PERCENTS: Final = (100, 75, 50, 25)
SAW_TOOTH_STEP_US: Final = 250 * US_PER_MS
CHANGE_EVERY_US: Final = 2 * US_PER_S
SIZE_FRACTIONS: Final = ((1, 1), (3, 5), (4, 5))
"""Of each side, one after the other; libaom can code both formats at all of them."""


class Schedule(enum.Enum):
    """How a run goes; the rate of its point is the highest there is."""

    STEADY = "steady"
    DROP_4 = "drop-4"
    """To a quarter and back."""
    DROP_7 = "drop-7"
    """To a seventh and back."""
    RAMP = "ramp"
    """Up from a quarter and back down."""
    SAW_TOOTH = "saw-tooth"
    """Down in four steps and up again, a change every 250 ms."""
    RESIZE = "resize"
    """Another coded size every 2 s."""
    KEY_FRAMES = "key-frames"
    """A key frame asked for every 2 s."""


DROP_RATIOS: Final = {Schedule.DROP_4: 4, Schedule.DROP_7: 7}


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetDrop:
    """A sharp fall of the target and how long it lasts."""

    at_us: int
    until_us: int
    from_bps: int
    to_bps: int


def target_drop(schedule: Schedule, peak_bps: int, duration_us: int) -> TargetDrop | None:
    """The fall that a schedule is made for; None for the others."""
    ratio = DROP_RATIOS.get(schedule)
    if ratio is None:
        return None
    return TargetDrop(
        at_us=round(duration_us * DROP_STARTS),
        until_us=round(duration_us * DROP_ENDS),
        from_bps=peak_bps,
        to_bps=peak_bps // ratio,
    )


def driving_plan(schedule: Schedule, *, peak_bps: int, size: FrameSize, duration_us: int) -> DrivingPlan:
    """All that a run of this duration is told, and when."""
    changes = range(CHANGE_EVERY_US, duration_us, CHANGE_EVERY_US)
    return DrivingPlan(
        targets=_targets(schedule, peak_bps, duration_us),
        key_frames_at_us=tuple(changes) if schedule is Schedule.KEY_FRAMES else (),
        sizes=_sizes(size, changes) if schedule is Schedule.RESIZE else (),
    )


def _targets(schedule: Schedule, peak_bps: int, duration_us: int) -> tuple[RateStep, ...]:
    start = RateStep(at_us=0, bps=peak_bps)
    drop = target_drop(schedule, peak_bps, duration_us)
    if drop is not None:
        return (start, RateStep(at_us=drop.at_us, bps=drop.to_bps), RateStep(at_us=drop.until_us, bps=peak_bps))
    if schedule is Schedule.RAMP:
        return _ramp(peak_bps, duration_us)
    if schedule is Schedule.SAW_TOOTH:
        starts = range(0, duration_us, SAW_TOOTH_STEP_US)
        percents = [SAW_TOOTH_PERCENTS[index % len(SAW_TOOTH_PERCENTS)] for index in range(len(starts))]
        return _steps(peak_bps, zip(starts, percents, strict=True))
    return (start,)


def _ramp(peak_bps: int, duration_us: int) -> tuple[RateStep, ...]:
    climb = 100 - RAMP_BOTTOM_PERCENT
    rising = [RAMP_BOTTOM_PERCENT + climb * step // RAMP_STEPS for step in range(RAMP_STEPS + 1)]
    percents = rising + rising[-2::-1]
    starts = [duration_us * index // len(percents) for index in range(len(percents))]
    return _steps(peak_bps, zip(starts, percents, strict=True))


def _steps(peak_bps: int, percents: "zip[tuple[int, int]]") -> tuple[RateStep, ...]:
    return tuple(RateStep(at_us=at_us, bps=peak_bps * percent // 100) for at_us, percent in percents)


def _sizes(full: FrameSize, changes: range) -> tuple[SizeStep, ...]:
    sizes = [FrameSize(full.width * over // under, full.height * over // under) for over, under in SIZE_FRACTIONS]
    return tuple(SizeStep(at_us=at_us, size=sizes[index % len(sizes)]) for index, at_us in enumerate(changes, start=1))
