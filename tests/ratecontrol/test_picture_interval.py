from hypothesis import given
from hypothesis import strategies as st

from ratecontrol.picture_interval import MOST_INTERVALS, PictureInterval

PROMISED_US = 33_333


def followed(gaps_us):
    interval, now_us = PictureInterval(PROMISED_US), 0
    interval.on_picture(now_us)
    for gap_us in gaps_us:
        now_us += gap_us
        interval.on_picture(now_us)
    return interval


@given(st.lists(st.integers(PROMISED_US * 2 // 3, PROMISED_US * 3 // 2)))
def test_a_camera_that_wavers_leaves_the_interval_as_promised(gaps_us):
    interval = followed(gaps_us)
    assert interval.interval_us == PROMISED_US
    assert interval.keeps_up


def test_every_third_picture_alone_is_three_intervals_and_then_the_promised_one_again():
    slow = followed([3 * PROMISED_US] * 20)
    assert 2.9 * PROMISED_US < slow.interval_us <= 3 * PROMISED_US
    assert not slow.keeps_up
    recovered = followed([3 * PROMISED_US] * 20 + [PROMISED_US] * 60)
    assert recovered.interval_us == PROMISED_US
    assert recovered.keeps_up


@given(st.lists(st.integers(1, 10**9)))
def test_no_pause_makes_it_longer_than_a_few_intervals_nor_shorter_than_one(gaps_us):
    assert PROMISED_US <= followed(gaps_us).interval_us <= MOST_INTERVALS * PROMISED_US


def test_one_pause_hardly_matters():
    assert followed([10_000_000]).interval_us < 2 * PROMISED_US
