import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clips.frames import from_planes, solid_frame
from clips.picture_change import LEVEL, RESTING_LEVELS, PictureChangeMeter
from rtc.values.formats import FrameSize
from rtc.values.frames import PictureChange, VideoFrame

SIZE = FrameSize(64, 36)
sides = st.integers(8, 40).map(lambda half: 2 * half)
sizes = st.builds(FrameSize, sides, sides)
seeds = st.integers(0, 2**32 - 1)


def noise(size, seed):
    data = np.random.default_rng(seed).integers(0, 256, size.i420_bytes).astype(np.uint8)
    return VideoFrame(size=size, data=memoryview(data.tobytes()))


def picture(luma):
    height, width = luma.shape
    chroma = np.full((height // 2, width // 2), 128, np.uint8)
    return from_planes(luma.astype(np.uint8), chroma, chroma)


def change(*pictures):
    """From the last but one to the last."""
    meter = PictureChangeMeter()
    return [meter.measure(one) for one in pictures][-1]


def test_of_the_first_picture_nothing_has_changed():
    assert change(noise(SIZE, 1)) == PictureChange(difference=0, resting_permille=1_000)


@given(sizes, seeds)
def test_a_picture_shown_again_rests(size, seed):
    assert change(noise(size, seed), noise(size, seed)) == PictureChange(difference=0, resting_permille=1_000)


@pytest.mark.parametrize("levels", [1, RESTING_LEVELS, RESTING_LEVELS + 1, 100])
@pytest.mark.parametrize("sign", [1, -1])
def test_what_differs_by_no_more_than_a_cameras_noise_rests_either_way(levels, sign):
    changed = change(solid_frame(SIZE, y=120), solid_frame(SIZE, y=120 + sign * levels))
    assert changed.difference == levels * LEVEL
    assert changed.resting_permille == (1_000 if levels <= RESTING_LEVELS else 0)


def test_from_black_to_white_is_the_most_there_is_at_one_size():
    assert change(solid_frame(SIZE, y=0), solid_frame(SIZE, y=255)) == PictureChange(
        difference=255 * LEVEL, resting_permille=0
    )


def test_where_half_of_the_picture_moves_half_of_it_rests():
    luma = np.full((36, 64), 100)
    moved = luma.copy()
    moved[:, 32:] += 50
    assert change(picture(luma), picture(moved)) == PictureChange(difference=25 * LEVEL, resting_permille=500)


def test_colour_alone_counts_for_nothing():
    assert change(solid_frame(SIZE, u=10), solid_frame(SIZE, u=240)) == PictureChange()


def test_the_sampled_part_tells_as_much_as_all_of_it():
    one, other = (np.random.default_rng(seed).integers(0, 256, (180, 320)) for seed in (1, 2))
    whole = float(np.abs(one - other).mean()) * LEVEL
    assert change(picture(one), picture(other)).difference == pytest.approx(whole, rel=0.05)


@given(sizes, sizes, seeds)
def test_another_size_compares_with_nothing_and_the_next_picture_with_it(before, after, seed):
    meter = PictureChangeMeter()
    meter.measure(noise(before, seed))
    changed = meter.measure(noise(after, seed))
    if abs(before.width - after.width) >= 4 or abs(before.height - after.height) >= 4:
        assert changed.resting_permille == 0
        assert changed.difference >= 255 * LEVEL
    assert meter.measure(noise(after, seed)) == PictureChange()


@given(sizes, seeds, seeds)
def test_the_figures_stay_in_their_range_and_are_the_same_every_time(size, one, other):
    changed = change(noise(size, one), noise(size, other))
    assert 0 <= changed.difference <= 255 * LEVEL
    assert 0 <= changed.resting_permille <= 1_000
    assert changed == change(noise(size, one), noise(size, other))
    assert changed == change(noise(size, other), noise(size, one))


def test_a_buffer_that_is_used_again_for_the_next_picture_does_not_hide_the_change():
    data = bytearray(solid_frame(SIZE, y=50).data)
    meter = PictureChangeMeter()
    frame = VideoFrame(size=SIZE, data=memoryview(data))
    meter.measure(frame)
    data[: SIZE.pixels] = bytes([90]) * SIZE.pixels
    assert meter.measure(frame).difference == 40 * LEVEL


def test_of_a_change_over_two_pictures_the_sum_and_the_least_rest_are_known():
    one = PictureChange(difference=100, resting_permille=900)
    other = PictureChange(difference=50, resting_permille=950)
    assert one.plus(other) == other.plus(one) == PictureChange(difference=150, resting_permille=900)
