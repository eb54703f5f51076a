import cv2
import numpy as np
import pytest

from clips.frames import from_bgr, from_planes, new_picture, planes, solid_frame, to_bgr
from rtc.values.errors import LocalMisuse
from rtc.values.formats import FrameSize

SIZE = FrameSize(32, 18)


def test_planes_are_views_of_the_frame_in_i420_order():
    frame, into = new_picture(SIZE)
    into.y[...], into.u[...], into.v[...] = 1, 2, 3

    assert bytes(frame.data) == b"\1" * 576 + b"\2" * 144 + b"\3" * 144
    assert planes(frame).u.shape == (9, 16)
    planes(frame).v[0, 0] = 9
    assert frame.data[576 + 144] == 9


def test_a_frame_from_planes_owns_a_copy():
    y, u, v = (np.full(shape, 50, np.uint8) for shape in ((18, 32), (9, 16), (9, 16)))
    frame = from_planes(y, u, v)
    y[...] = 0

    assert planes(frame).y.min() == 50


def test_planes_that_do_not_fit_each_other_are_refused():
    y, u, v = (np.zeros(shape, np.uint8) for shape in ((18, 32), (9, 16), (18, 32)))

    with pytest.raises(LocalMisuse, match=r"plane of \(18, 32\) in a 32x18 picture: \(9, 16\) is needed"):
        from_planes(y, u, v)


def test_a_solid_frame_is_black_unless_told_otherwise():
    assert set(bytes(solid_frame(SIZE).data)) == {16, 128}
    assert set(bytes(solid_frame(SIZE, y=81, u=90, v=240).data)) == {81, 90, 240}


@pytest.mark.parametrize(
    ("bgr", "ycbcr"),
    [
        ((0, 0, 0), (16, 128, 128)),
        ((255, 255, 255), (235, 128, 128)),
        ((0, 0, 255), (82, 90, 240)),
        ((255, 0, 0), (41, 240, 110)),
    ],
)
def test_colours_become_limited_range_bt601(bgr, ycbcr):
    frame = from_bgr(np.full((18, 32, 3), bgr, np.uint8))

    assert tuple(int(plane[0, 0]) for plane in planes(frame)) == ycbcr
    assert np.abs(to_bgr(frame).astype(int) - bgr).max() <= 3


def test_conversion_agrees_with_opencvs_within_rounding():
    picture = np.random.default_rng(1).integers(0, 256, (18, 32, 3)).astype(np.uint8)
    theirs = cv2.cvtColor(picture, cv2.COLOR_BGR2YUV_I420)[:18]

    assert np.abs(planes(from_bgr(picture)).y.astype(int) - theirs).max() <= 1
