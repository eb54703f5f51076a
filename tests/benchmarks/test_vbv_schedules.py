"""What the VBV bench tells an encoder, and when."""

import itertools

import pytest

from benchmarks.vbv.points import FORMATS, P360
from benchmarks.vbv.schedules import Schedule, driving_plan, target_drop
from rtc.codecs.av1_scaling import coded_sizes

TEN_SECONDS = 10_000_000


def plan_of(schedule, size=P360.size):
    return driving_plan(schedule, peak_bps=400_000, size=size, duration_us=TEN_SECONDS)


def test_a_steady_target_never_changes_and_nothing_else_happens():
    plan = plan_of(Schedule.STEADY)
    assert [(step.at_us, step.bps) for step in plan.targets] == [(0, 400_000)]
    assert (plan.sizes, plan.key_frames_at_us) == ((), ())


@pytest.mark.parametrize(("schedule", "low_bps"), [(Schedule.DROP_4, 100_000), (Schedule.DROP_7, 57_142)])
def test_a_drop_falls_at_once_and_comes_back(schedule, low_bps):
    steps = [(step.at_us, step.bps) for step in plan_of(schedule).targets]
    assert steps == [(0, 400_000), (4_000_000, low_bps), (8_000_000, 400_000)]
    drop = target_drop(schedule, 400_000, TEN_SECONDS)
    assert (drop.at_us, drop.until_us, drop.from_bps, drop.to_bps) == (4_000_000, 8_000_000, 400_000, low_bps)


def test_only_drops_have_a_drop():
    assert [schedule for schedule in Schedule if target_drop(schedule, 400_000, TEN_SECONDS)] == [
        Schedule.DROP_4,
        Schedule.DROP_7,
    ]


def test_a_ramp_climbs_from_a_quarter_to_the_peak_and_back():
    rates = [step.bps for step in plan_of(Schedule.RAMP).targets]
    top = rates.index(400_000)
    assert (rates[0], rates[-1], max(rates)) == (100_000, 100_000, 400_000)
    assert rates[: top + 1] == sorted(rates[: top + 1])
    assert rates[top:] == sorted(rates[top:], reverse=True)


def test_a_saw_tooth_changes_four_times_a_second():
    steps = plan_of(Schedule.SAW_TOOTH).targets
    assert [step.bps for step in steps[:5]] == [400_000, 300_000, 200_000, 100_000, 400_000]
    assert {after.at_us - before.at_us for before, after in itertools.pairwise(steps)} == {250_000}


@pytest.mark.parametrize("picture_format", FORMATS)
def test_sizes_change_every_two_seconds_among_those_that_libaom_can_code(picture_format):
    sizes = plan_of(Schedule.RESIZE, picture_format.size).sizes
    assert [step.at_us for step in sizes] == [2_000_000, 4_000_000, 6_000_000, 8_000_000]
    assert {step.size for step in sizes} <= set(coded_sizes(picture_format.size))
    assert all(before.size != after.size for before, after in itertools.pairwise(sizes))
    assert sizes[0].size != picture_format.size


def test_key_frames_are_asked_for_every_two_seconds():
    assert plan_of(Schedule.KEY_FRAMES).key_frames_at_us == (2_000_000, 4_000_000, 6_000_000, 8_000_000)
