from hypothesis import given
from hypothesis import strategies as st

from rtc.metrics.rate_timeline import RateStep, RateTimeline

STEPS = (RateStep(at_us=1_000, bps=100), RateStep(at_us=3_000, bps=50), RateStep(at_us=4_000, bps=0))


def test_a_step_is_in_force_from_its_own_moment_and_the_first_one_also_before() -> None:
    timeline = RateTimeline(STEPS)
    assert [timeline.bps_at(at_us) for at_us in (0, 999, 1_000, 2_999, 3_000, 4_000, 9_000)] == [
        100, 100, 100, 100, 50, 0, 0,
    ]  # fmt: skip


def test_what_flows_is_the_area_under_the_steps() -> None:
    timeline = RateTimeline(STEPS)
    assert timeline.microbits(0, 1_000) == 100_000
    assert timeline.microbits(2_500, 3_500) == 500 * 100 + 500 * 50
    assert timeline.microbits(0, 10_000) == 3_000 * 100 + 1_000 * 50


def test_the_mean_is_weighed_by_time() -> None:
    assert RateTimeline(STEPS).mean_bps(2_000, 4_000) == 75
    assert RateTimeline(STEPS).mean_bps(2_000, 2_000) is None


def test_without_steps_nothing_flows() -> None:
    assert RateTimeline([]).bps_at(5) == 0
    assert RateTimeline([]).microbits(0, 5) == 0
    assert RateTimeline([]).mean_bps(0, 5) is None


@given(
    st.lists(st.tuples(st.integers(1, 50), st.integers(0, 1_000)), min_size=1, max_size=20),
    st.lists(st.integers(0, 800), min_size=3, max_size=3).map(sorted),
)
def test_flows_of_adjoining_spans_add_up(widths_and_rates: list[tuple[int, int]], times: list[int]) -> None:
    at_us, steps = 0, []
    for width, bps in widths_and_rates:
        steps.append(RateStep(at_us=at_us, bps=bps))
        at_us += width
    timeline = RateTimeline(steps)
    start, middle, end = times
    assert timeline.microbits(start, end) == timeline.microbits(start, middle) + timeline.microbits(middle, end)
    assert timeline.microbits(start, end) == sum(timeline.bps_at(moment) for moment in range(start, end))
