import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratecontrol.coded_size import MOST_SHRINK, SizeForRate
from rtc.values.formats import Codec, FrameSize

FULL = FrameSize(640, 360)
targets = st.integers(1_000, 100_000_000)


@pytest.mark.parametrize("codec", list(Codec))
def test_a_call_of_usual_rates_is_coded_at_full_size(codec):
    assert SizeForRate(codec, FULL).follow(200_000, is_key=True) == FULL


@pytest.mark.parametrize("codec", list(Codec))
def test_at_ten_kbps_the_size_is_much_smaller(codec):
    assert SizeForRate(codec, FULL).follow(10_000, is_key=True).pixels < FULL.pixels // 4


@given(st.lists(targets, min_size=2, max_size=20))
def test_no_delta_frame_is_less_than_half_the_one_before(target_list):
    sizes = SizeForRate(Codec.AV1, FULL)
    before = sizes.follow(target_list[0], is_key=True)
    for target in target_list[1:]:
        size = sizes.follow(target, is_key=False)
        assert before.width <= MOST_SHRINK * size.width
        before = size


def test_a_target_that_wavers_does_not_move_the_size():
    sizes = SizeForRate(Codec.AV1, FULL)
    first = sizes.follow(30_000, is_key=True)
    assert {sizes.follow(target, is_key=False) for target in (33_000, 30_000, 35_000, 31_000)} == {first}


@given(targets, st.integers(8, 960).map(lambda n: 2 * n), st.integers(8, 540).map(lambda n: 2 * n))
def test_any_size_and_target_gives_a_size_no_larger(target, width, height):
    full = FrameSize(width, height)
    assert SizeForRate(Codec.AV1, full).follow(target, is_key=True).pixels <= full.pixels
