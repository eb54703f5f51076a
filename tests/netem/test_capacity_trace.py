"""Means over windows are exact, and impossible traces are refused."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from netem.capacity_summary import capacity_series, summarise_capacity
from netem.capacity_trace import DeliveryOpportunities, RateSteps
from rtc.values.errors import LocalMisuse

STEPS = RateSteps(durations_us=(1_000_000, 3_000_000), rates_bps=(4_000_000, 0))


def test_the_mean_weighs_each_step_with_its_duration():
    assert STEPS.mean_bps == 1_000_000


@pytest.mark.parametrize(
    ("from_us", "until_us", "mean_bps"),
    [
        (0, 1_000_000, 4_000_000),
        (500_000, 1_500_000, 2_000_000),
        (1_000_000, 4_000_000, 0),
        (3_500_000, 4_500_000, 2_000_000),
        (400_000_000, 401_000_000, 4_000_000),
    ],
)
def test_the_mean_over_a_window_follows_the_rounds(from_us, until_us, mean_bps):
    assert STEPS.mean_bps_between(from_us, until_us) == mean_bps


@given(st.integers(0, 10**7), st.integers(1, 10**6), st.integers(1, 10**6))
@settings(deadline=None)
def test_two_windows_carry_what_the_one_they_make_up_carries(start_us, first_us, second_us):
    whole = STEPS.mean_bps_between(start_us, start_us + first_us + second_us) * (first_us + second_us)
    parts = STEPS.mean_bps_between(start_us, start_us + first_us) * first_us
    parts += STEPS.mean_bps_between(start_us + first_us, start_us + first_us + second_us) * second_us
    assert abs(whole - parts) <= 2 * (first_us + second_us)


def test_a_delivery_trace_counts_every_line_as_1500_bytes():
    trace = DeliveryOpportunities(times_ms=(1, 500, 1000, 1000))
    assert trace.mean_bps == 4 * 1500 * 8
    assert trace.mean_bps_between(0, 500_000) == 2 * 1500 * 8 * 2
    assert trace.mean_bps_between(1_000_000, 2_000_000) == 4 * 1500 * 8


def test_the_summary_is_of_whole_seconds_and_the_mean_of_all():
    trace = RateSteps(durations_us=(1_000_000, 1_000_000, 500_000), rates_bps=(1_000, 3_000, 11_000))
    summary = summarise_capacity(trace, until_us=trace.duration_us)
    assert (summary.min_bps, summary.mean_bps, summary.p95_bps) == (1_000, 3_800, 1_000)


def test_a_constant_rate_has_a_series_too():
    assert capacity_series(5, until_us=10, window_us=5) == (5, 5)


@pytest.mark.parametrize(
    ("durations", "rates"),
    [
        ((), ()),
        ((1,), (1, 2)),
        ((0,), (1,)),
        ((-5,), (1,)),
        ((1,), (-1,)),
        ((1, 1), (0, 0)),
        ((1,), (10**12,)),
        ((10**15,), (1,)),
    ],
)
def test_impossible_rate_steps_are_refused(durations, rates):
    with pytest.raises(LocalMisuse, match="rate steps"):
        RateSteps(durations_us=durations, rates_bps=rates)


@pytest.mark.parametrize("times", [(), (0,), (-1, 5), (5, 4), (10**12,)])
def test_impossible_delivery_times_are_refused(times):
    with pytest.raises(LocalMisuse, match="delivery times"):
        DeliveryOpportunities(times_ms=times)
