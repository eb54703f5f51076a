import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratecontrol.frame_dropper import FrameDropper

INTERVAL_US = 33_333
LIMIT_US = 95_000
delays_us = st.integers(0, 3_000_000)


def dropped(coarsest_us, delay_us=0, pictures=120):
    """Which pictures are left out when all the others come out at the coarsest quantizer."""
    dropper, told = FrameDropper(LIMIT_US, INTERVAL_US), []
    for _ in range(pictures):
        told.append(dropper.drops(delay_us, coarsest_us))
        delay_us = max(0, delay_us + (0 if told[-1] else coarsest_us) - INTERVAL_US)
    return told


def runs(told):
    """Lengths of the runs of pictures left out between pictures that are sent."""
    gaps = "".join("-" if drop else "s" for drop in told).strip("-").split("s")
    return [len(gap) for gap in gaps[1:-1]]


@given(st.lists(st.tuples(st.integers(0, LIMIT_US), st.integers(0, LIMIT_US)), max_size=30))
def test_a_picture_that_may_stay_within_the_limit_is_never_left_out(pictures):
    dropper = FrameDropper(LIMIT_US, INTERVAL_US)
    for delay_us, coarsest_us in pictures:
        assert not dropper.drops(min(delay_us, LIMIT_US - coarsest_us), coarsest_us)


@given(delays_us)
def test_into_an_empty_bucket_anything_goes(coarsest_us):
    assert not FrameDropper(LIMIT_US, INTERVAL_US).drops(0, coarsest_us)


@given(delays_us)
def test_where_the_coarsest_frames_drain_twice_as_fast_as_they_come_nothing_is_left_out(delay_us):
    assert not any(dropped(INTERVAL_US // 2, delay_us))


@given(st.integers(INTERVAL_US // 2 + 1, INTERVAL_US), delays_us)
def test_where_they_drain_if_slowly_never_two_in_a_row_are_left_out(coarsest_us, delay_us):
    assert max(runs(dropped(coarsest_us, delay_us)), default=0) <= 1


def test_after_a_sharp_drop_every_second_picture_is_left_out_until_it_is_paid_back():
    told = dropped(INTERVAL_US * 3 // 4, 500_000)
    last = len(told) - told[::-1].index(True)
    assert told[:last] == [True, False] * (last // 2) + [True] * (last % 2)
    assert not any(told[last:])


@pytest.mark.parametrize("intervals", [1.2, 1.5, 2.3, 3.0, 4.5, 7.0])
def test_where_they_do_not_drain_the_pictures_sent_are_evenly_apart(intervals):
    gaps = runs(dropped(round(INTERVAL_US * intervals)))[5:]
    assert max(gaps) - min(gaps) <= 1
    assert (sum(gaps) / len(gaps) + 1) == pytest.approx(intervals, rel=0.15)


@given(st.integers(INTERVAL_US, 5 * INTERVAL_US), delays_us)
def test_what_is_sent_never_comes_on_top_of_more_than_the_limit_for_long(coarsest_us, delay_us):
    told = dropped(coarsest_us, delay_us, pictures=400)
    first = told.index(False)
    assert first * INTERVAL_US <= delay_us + INTERVAL_US
    assert max(runs(told), default=0) <= coarsest_us // INTERVAL_US + 1


@given(st.integers(0, 3_000_000), st.integers(0, 3_000_000))
def test_with_a_worst_delay_a_picture_that_would_wait_longer_is_left_out_however_little_it_costs(delay_us, coarsest_us):
    dropper = FrameDropper(LIMIT_US, INTERVAL_US, worst_us=160_000)
    if delay_us + coarsest_us > 160_000:
        assert dropper.drops(delay_us, coarsest_us) is dropper.concerns(delay_us)


def test_with_a_worst_delay_what_fits_is_judged_as_without_one():
    plain, bounded = FrameDropper(LIMIT_US, INTERVAL_US), FrameDropper(LIMIT_US, INTERVAL_US, worst_us=160_000)
    for delay_us in range(0, 110_000, 1_000):
        assert plain.drops(delay_us, 50_000) == bounded.drops(delay_us, 50_000)
