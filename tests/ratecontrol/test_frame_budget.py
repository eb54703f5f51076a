import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratecontrol.frame_budget import LEAST_OF_SHARE, BudgetPlanner, DelayBounds

targets_bps = st.integers(1_000, 100_000_000)
levels = st.integers(0, 200_000_000)
intervals_us = st.integers(1_000_000 // 60, 1_000_000)
usual_intervals_us = st.integers(1_000_000 // 60, 1_000_000 // 15)
margins = st.floats(1, 2)


def held_to(budget, delay_us, target_bps, level, planner):
    """Whether a frame within its limit keeps the delay, or is no larger than the least that a frame gets."""
    least = max(1, planner.share_bits(target_bps) * LEAST_OF_SHARE // 100)
    return 1 <= budget.limit_bits <= max(least, target_bps * delay_us / 1_000_000 - level)


@given(intervals_us, targets_bps, levels, margins)
def test_no_frame_within_its_limit_exceeds_the_bound_on_delay(interval_us, target_bps, level, margin):
    planner = BudgetPlanner(interval_us)
    limit_us, key_us = planner.bounds.limit_us, planner.bounds.key_us
    assert held_to(planner.delta(target_bps, level, margin), limit_us, target_bps, level, planner)
    assert held_to(planner.better(target_bps, level), limit_us, target_bps, level, planner)
    assert held_to(planner.key(target_bps, level), key_us, target_bps, level, planner)


@given(usual_intervals_us, targets_bps, levels, margins)
def test_no_frame_is_meant_to_come_out_over_its_limit(interval_us, target_bps, level, margin):
    planner = BudgetPlanner(interval_us)
    for budget in (
        planner.delta(target_bps, level, margin),
        planner.better(target_bps, level),
        planner.key(target_bps, level),
    ):
        assert 0 <= budget.target_bits <= budget.limit_bits


@given(intervals_us, targets_bps, levels, levels, margins)
def test_the_more_is_in_the_bucket_the_less_a_frame_gets(interval_us, target_bps, one, other, margin):
    planner = BudgetPlanner(interval_us)
    budgets = [planner.delta(target_bps, level, margin) for level in (min(one, other), max(one, other))]
    assert budgets[0].target_bits >= budgets[1].target_bits
    assert budgets[0].limit_bits >= budgets[1].limit_bits


@given(usual_intervals_us, targets_bps, levels, margins, margins)
def test_the_less_sure_the_model_is_the_less_a_frame_is_meant_to_take(interval_us, target_bps, level, one, other):
    planner = BudgetPlanner(interval_us)
    sure, unsure = (planner.delta(target_bps, level, margin) for margin in (min(one, other), max(one, other)))
    assert unsure.target_bits <= sure.target_bits


@pytest.mark.parametrize("fps", [15, 30])
@pytest.mark.parametrize("target_bps", [15_000, 100_000, 800_000])
@pytest.mark.parametrize("start_ms", [0, 60, 150])
def test_frames_that_meet_their_budget_settle_at_the_target_and_leave_the_bucket_neither_empty_nor_full(
    fps, target_bps, start_ms
):
    planner = BudgetPlanner(1_000_000 // fps)
    share = planner.share_bits(target_bps)
    level, sizes = target_bps * start_ms // 1_000, []
    for _ in range(5 * fps):
        sizes.append(planner.delta(target_bps, level, 1.1).target_bits)
        level = max(0, level + sizes[-1] - share)
    after_ms = (level + share) * 1_000 / target_bps
    assert sum(sizes[-fps:]) / fps == pytest.approx(share, rel=0.01)
    assert level > 0
    assert after_ms < planner.bounds.usual_us / 1_000


@given(intervals_us, targets_bps)
def test_a_key_frame_gets_more_than_the_better_frame_and_that_more_than_an_average_one_when_nothing_is_owed(
    interval_us, target_bps
):
    planner = BudgetPlanner(interval_us)
    key, better = planner.key(target_bps, 0), planner.better(target_bps, 0)
    if interval_us <= 1_000_000 // 15:
        assert key.limit_bits >= better.limit_bits
        assert better.target_bits >= planner.share_bits(target_bps) * 9 // 10


@pytest.mark.parametrize(("fps", "p95_ms", "p99_ms"), [(30, 80, 100), (15, 115, 130)])
def test_the_bounds_aim_below_what_is_promised(fps, p95_ms, p99_ms):
    bounds = DelayBounds.of_interval(1_000_000 // fps)
    assert 1_000_000 / fps < bounds.goal_us < bounds.usual_us <= bounds.limit_us
    assert bounds.usual_us <= p95_ms * 1_000
    assert bounds.limit_us < bounds.overrun_us <= p99_ms * 1_000
    assert bounds.limit_us < bounds.key_us <= 150_000


@given(st.integers(1_000_000 // 120, 1_000_000))
def test_an_average_frame_fits_under_every_bound_at_any_frame_rate(interval_us):
    bounds = DelayBounds.of_interval(interval_us)
    assert interval_us < bounds.goal_us < bounds.usual_us < bounds.limit_us
    assert bounds.key_us > interval_us


@pytest.mark.parametrize(("fps", "p95_ms"), [(60, 80), (30, 80), (15, 115)])
def test_however_many_frames_are_encoded_again_the_95th_percentile_holds(fps, p95_ms):
    assert DelayBounds.of_interval(1_000_000 // fps).limit_us <= p95_ms * 1_000


@given(st.integers(1_000_000 // 60, 2_000_000), st.integers(1, 100_000))
def test_the_longer_the_interval_the_more_delay_a_frame_may_cause(interval_us, more_us):
    one, other = (DelayBounds.of_interval(interval) for interval in (interval_us, interval_us + more_us))
    assert other.limit_us >= one.limit_us
