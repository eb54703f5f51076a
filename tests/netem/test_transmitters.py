"""Rates are exact for ever: nothing is lost or gained by rounding to microseconds."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from netem.capacity_trace import RateSteps
from netem.transmitters import ConstantTransmitter, SteppedTransmitter
from rtc.values.errors import LocalMisuse

sizes = st.lists(st.integers(1, 1500), min_size=1, max_size=60)


def finish_times(transmitter, arrivals):
    times = []
    for ready_us, size in arrivals:
        times.append(transmitter.finish_us(transmitter.start_us(ready_us), size))
    return times


def test_a_packet_takes_its_size_over_the_rate():
    assert finish_times(ConstantTransmitter(1_000_000), [(0, 1250)]) == [10_000]


def test_the_second_packet_waits_for_the_first():
    assert finish_times(ConstantTransmitter(1_000_000), [(0, 1250), (5_000, 1250)]) == [10_000, 20_000]


def test_thirds_of_a_microsecond_add_up():
    # 8 bits at 3 Mbps are 2 2/3 us.
    assert finish_times(ConstantTransmitter(3_000_000), [(0, 1)] * 6) == [2, 5, 8, 10, 13, 16]


def test_a_million_packets_end_within_a_microsecond_of_the_exact_time():
    transmitter = ConstantTransmitter(999_983)
    for _ in range(1_000_000):
        last_us = transmitter.finish_us(transmitter.start_us(0), 1201)
    assert last_us == 1_000_000 * 1201 * 8 * 1_000_000 // 999_983


@given(st.integers(1, 10_000_000), sizes)
@settings(deadline=None)
def test_a_busy_constant_link_ends_each_packet_at_the_exact_time_rounded_down(rate_bps, sizes):
    exact = Fraction(0)
    for size, finish_us in zip(
        sizes, finish_times(ConstantTransmitter(rate_bps), [(0, size) for size in sizes]), strict=True
    ):
        exact += Fraction(size * 8 * 1_000_000, rate_bps)
        assert finish_us == exact.__floor__()


@given(st.integers(1, 10_000_000), st.lists(st.tuples(st.integers(0, 20_000), st.integers(1, 1500)), max_size=60))
@settings(deadline=None)
def test_a_constant_link_with_pauses_is_exact_too(rate_bps, gaps):
    transmitter, now_us, exact = ConstantTransmitter(rate_bps), 0, Fraction(0)
    for gap_us, size in gaps:
        now_us += gap_us
        exact = max(exact, Fraction(now_us)) + Fraction(size * 8 * 1_000_000, rate_bps)
        assert transmitter.finish_us(transmitter.start_us(now_us), size) == exact.__floor__()


def exact_finish(trace, start, work):
    """By rational arithmetic, step by step from the start of the trace."""
    at, index = Fraction(0), 0
    while True:
        end = at + trace.durations_us[index]
        rate = trace.rates_bps[index]
        begin = max(at, start)
        if begin < end and rate:
            if work <= rate * (end - begin):
                return begin + work / rate
            work -= rate * (end - begin)
        at, index = end, (index + 1) % len(trace.durations_us)


steps = st.lists(
    st.tuples(st.integers(500, 5_000), st.sampled_from([0, 0, 1, 7_001, 500_000, 3_000_017])), min_size=1, max_size=6
)


@given(
    steps.filter(lambda rows: any(rate > 1 for _, rate in rows)),
    st.lists(st.tuples(st.integers(0, 9_000), st.integers(1, 90)), max_size=15),
)
@settings(deadline=None)
def test_a_stepped_link_is_exact_across_steps_holes_and_rounds(rows, gaps):
    trace = RateSteps(durations_us=tuple(row[0] for row in rows), rates_bps=tuple(row[1] for row in rows))
    transmitter, now_us, exact = SteppedTransmitter(trace), 0, Fraction(0)
    for gap_us, size in gaps:
        now_us += gap_us
        exact = exact_finish(trace, max(exact, Fraction(now_us)), Fraction(size * 8 * 1_000_000))
        assert transmitter.finish_us(transmitter.start_us(now_us), size) == exact.__floor__()


def test_a_packet_of_many_rounds_ends_where_walking_them_would_end():
    trace = RateSteps(durations_us=(3, 5), rates_bps=(1, 0))
    # 8 million bit-microseconds, 3 a round: 2,666,666 rounds and 2 us.
    assert finish_times(SteppedTransmitter(trace), [(0, 1)]) == [2_666_666 * 8 + 2]
    assert SteppedTransmitter(trace).start_us(8 * 10**12 + 3) == 8 * 10**12 + 8


def test_a_packet_waits_through_a_hole():
    trace = RateSteps(durations_us=(10_000, 50_000), rates_bps=(1_000_000, 0))
    transmitter = SteppedTransmitter(trace)
    assert transmitter.start_us(20_000) == 60_000
    assert transmitter.finish_us(60_000, 125) == 61_000


def test_a_packet_begun_before_a_hole_ends_after_it():
    trace = RateSteps(durations_us=(10_000, 50_000), rates_bps=(1_000_000, 0))
    assert finish_times(SteppedTransmitter(trace), [(9_500, 125)]) == [60_500]


def test_a_constant_rate_as_steps_equals_the_constant_rate():
    trace = RateSteps(durations_us=(7, 100_003), rates_bps=(777_777, 777_777))
    arrivals = [(index * 900, 100 + index % 7) for index in range(500)]
    assert finish_times(SteppedTransmitter(trace), arrivals) == finish_times(ConstantTransmitter(777_777), arrivals)


@pytest.mark.parametrize("rate_bps", [0, -1, 10**12])
def test_a_rate_of_nothing_or_absurd_is_refused(rate_bps):
    with pytest.raises(LocalMisuse, match="capacity"):
        ConstantTransmitter(rate_bps)
