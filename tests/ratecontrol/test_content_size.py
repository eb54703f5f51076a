import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratecontrol.coded_size import SizeForRate
from ratecontrol.content_size import (
    AIM,
    AREA_EXPONENT,
    GROWS_BELOW,
    OVERRUN_AIM,
    SETTLING,
    SHRINKS_ABOVE,
    SizeForContent,
)
from rtc.values.formats import Codec, FrameSize

SIZES = SizeForRate(Codec.AV1, FrameSize(640, 360)).sizes
FPS = 30
SHARE = 2_000
loads = st.floats(0.05, 20)


class Content:
    """Pictures whose frames at the coarsest quantizer take `load` intervals at full size, and cost by their pixels."""

    def __init__(self):
        self.sizes = SizeForContent(SIZES, FPS)

    def run(self, load, pictures, share=SHARE):
        """The index of each picture's size."""
        told = []
        for _ in range(pictures):
            told.append(self.sizes.follow(share))
            pixels = SIZES[told[-1]].pixels
            bits = load * share * (pixels / SIZES[0].pixels) ** AREA_EXPONENT
            self.sizes.on_sent(math.log(bits), pixels)
        return told


def load_at(index, load):
    return load * (SIZES[index].pixels / SIZES[0].pixels) ** AREA_EXPONENT


def test_what_the_coarsest_quantizer_can_keep_up_with_stays_at_full_size():
    assert set(Content().run(SHRINKS_ABOVE * 0.99, 200)) == {0}


@given(st.floats(SHRINKS_ABOVE * 1.01, 20))
def test_what_it_cannot_goes_at_once_to_the_largest_size_that_leaves_room_and_stays_there(load):
    told = Content().run(load, 100)
    last = told[-1]
    assert told == [0] + [last] * 99
    assert last == len(SIZES) - 1 or load_at(last, load) <= AIM * 1.001
    assert load_at(last - 1, load) > AIM * 0.999


def test_a_fall_of_the_target_is_followed_with_the_next_picture():
    content = Content()
    content.run(0.4, 50)
    assert content.run(2.8, 1, share=SHARE // 7)[0] > 0


@given(loads, loads)
def test_a_size_grows_only_after_a_second_of_easy_pictures(hard, easy):
    content = Content()
    before = content.run(hard, 60)[-1]
    after = content.run(easy, 200)
    assert after[: FPS // 2] == [before] * (FPS // 2) or after[FPS // 2] > before
    if after[-1] < before:
        assert load_at(after[-1], easy) <= GROWS_BELOW * 1.01


@given(st.lists(loads, min_size=5, max_size=200))
def test_a_size_once_changed_stays_for_some_frames(film):
    content = Content()
    told = [content.run(load, 1)[0] for load in film]
    changes = [n for n in range(1, len(told)) if told[n] != told[n - 1]]
    assert all(later - earlier >= SETTLING for earlier, later in itertools.pairwise(changes))


def test_one_costly_picture_does_not_move_the_size():
    content = Content()
    content.run(0.3, 30)
    assert set(content.run(10, 1) + content.run(0.3, 30)) == {0}


@given(st.integers(0, len(SIZES) - 2), st.floats(1.0, 10))
def test_an_overrun_is_met_by_the_largest_size_that_should_fit(index, overrun):
    smaller = SizeForContent(SIZES, FPS).smaller_than(index, overrun)
    growth = [(SIZES[n].pixels / SIZES[index].pixels) ** AREA_EXPONENT for n in range(len(SIZES))]
    assert smaller > index
    assert smaller == len(SIZES) - 1 or overrun * growth[smaller] <= OVERRUN_AIM * 1.001
    assert smaller == index + 1 or overrun * growth[smaller - 1] > OVERRUN_AIM * 0.999


def test_there_is_nothing_smaller_than_the_smallest():
    assert SizeForContent(SIZES, FPS).smaller_than(len(SIZES) - 1, 2.0) is None


def test_a_target_that_rises_is_followed_as_soon_as_the_size_has_settled():
    content = Content()
    content.run(0.4, 50)
    small = content.run(2.8, 60, share=SHARE // 7)[-1]
    told = content.run(0.4, SETTLING + 1)
    assert small > 0
    assert told[-1] == 0


@pytest.mark.parametrize("index", [1, 3])
def test_after_a_picture_that_broke_its_bound_the_size_is_held_for_a_second(index):
    content = Content()
    content.run(0.1, 30)
    content.sizes.hold(math.log(2 * SHARE), index)
    told = content.run(0.1, 60)
    assert told[: FPS - 1] == [index] * (FPS - 1)
    assert told[-1] == 0
