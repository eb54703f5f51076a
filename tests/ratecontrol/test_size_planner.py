import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratecontrol.coded_size import MOST_SHRINK
from ratecontrol.size_planner import CodedSizePlanner
from rtc.values.formats import Codec, FrameSize

FULL = FrameSize(640, 360)
RATE, SHARE = 200_000, 6_666
pictures = st.lists(
    st.tuples(st.integers(5_000, 1_000_000), st.booleans(), st.booleans(), st.floats(2, 14), st.floats(1, 10)),
    min_size=1,
    max_size=60,
)


@given(pictures)
def test_whatever_is_planned_left_out_or_encoded_again_no_frame_is_less_than_half_its_reference(film):
    planner = CodedSizePlanner(Codec.AV1, FULL, 30)
    reference = None
    for bps, is_key, is_sent, log_bits, overrun in film:
        key = is_key or reference is None
        size = planner.size(bps, bps // 30, is_key=key)
        smaller = planner.smaller(size, overrun, is_key=False) if overrun > 2 and not key else None
        for one in (size, smaller or size):
            assert key or reference.width <= MOST_SHRINK * one.width
        if is_sent:
            reference = smaller or size
            planner.on_sent(reference, None if key else log_bits, is_smaller=smaller is not None)


def test_content_too_hard_for_its_rate_is_coded_smaller_and_easy_content_is_not():
    sizes = {}
    for load in (0.5, 3.0):
        planner = CodedSizePlanner(Codec.AV1, FULL, 30)
        planner.on_sent(planner.size(RATE, SHARE, is_key=True), None)
        for _ in range(10):
            size = planner.size(RATE, SHARE, is_key=False)
            planner.on_sent(size, math.log(load * SHARE * size.pixels / FULL.pixels))
        sizes[load] = size
    assert sizes[0.5] == FULL
    assert FULL.pixels // 10 < sizes[3.0].pixels < FULL.pixels // 2


def test_a_picture_that_broke_its_bound_is_followed_by_frames_of_its_size():
    planner = CodedSizePlanner(Codec.AV1, FULL, 30)
    planner.on_sent(planner.size(RATE, SHARE, is_key=True), None)
    smaller = planner.smaller(planner.size(RATE, SHARE, is_key=False), 2.0, is_key=False)
    planner.on_sent(smaller, math.log(SHARE), is_smaller=True)
    assert smaller.pixels < FULL.pixels
    assert planner.size(RATE, SHARE, is_key=False) == smaller


@pytest.mark.parametrize("is_key", [True, False])
def test_h264_is_left_at_the_size_of_its_rate_whatever_delta_frames_cost(is_key):
    planner = CodedSizePlanner(Codec.H264, FULL, 30)
    planner.on_sent(planner.size(RATE, SHARE, is_key=True), 20.0)
    assert planner.size(RATE, SHARE, is_key=is_key) == FULL
    assert planner.smaller(FULL, 2.0, is_key=False) is None


@pytest.mark.parametrize("codec", Codec)
def test_a_key_frame_that_broke_its_bound_may_be_of_any_size_and_h264_keeps_it_until_the_next(codec):
    planner = CodedSizePlanner(codec, FULL, 30)
    smaller = planner.smaller(planner.size(RATE, SHARE, is_key=True), 9.0, is_key=True)
    assert smaller.width < FULL.width // MOST_SHRINK
    planner.on_sent(smaller, math.log(SHARE), is_smaller=True)
    assert planner.size(RATE, SHARE, is_key=False) == smaller
    if codec is Codec.H264:
        for _ in range(100):
            planner.on_sent(smaller, 1.0)
            assert planner.size(RATE, SHARE, is_key=False) == smaller
        assert planner.size(RATE, SHARE, is_key=True) == FULL


@pytest.mark.parametrize("codec", Codec)
def test_h264_grows_again_by_a_key_frame_once_the_target_has_doubled(codec):
    planner = CodedSizePlanner(codec, FULL, 30)
    small = planner.size(20_000, 666, is_key=True)
    assert small.pixels < FULL.pixels
    planner.on_sent(small, None)
    assert not planner.grows_by_key_frame(39_000, FULL)
    assert planner.grows_by_key_frame(40_000, FULL) is (codec is Codec.H264)
    planner.on_sent(planner.size(200_000, 6_666, is_key=True), None)
    assert not planner.grows_by_key_frame(2_000_000, FULL)
