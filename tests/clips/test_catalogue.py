import pytest

from clips.camera import camera_number
from clips.catalogue import open_clip
from rtc.values.errors import LocalMisuse
from rtc.values.formats import FrameSize

SIZE = FrameSize(64, 64)


def refusal(name, *, fps=30):
    with pytest.raises(LocalMisuse) as caught:
        open_clip(name, size=SIZE, fps=fps, seed=1)
    text = str(caught.value)
    assert "\n" not in text
    return text


@pytest.mark.parametrize("name", ["taking_head", "talking-head", "Talking_Head"])
def test_an_unknown_name_is_refused_with_the_nearest_known_one(name):
    assert "did you mean talking_head?" in refusal(name)
    assert "screen, motion, low_light, scene_cut" in refusal(name)


@pytest.mark.parametrize("name", ["", "qqq", "q" * 5_000])
def test_a_name_like_none_is_refused_with_all_of_them(name):
    assert "did you mean" not in refusal(name)
    assert "no clip and no file of that name; there are talking_head" in refusal(name)


def test_a_name_with_a_suffix_or_a_folder_is_a_file():
    assert "no such file" in refusal("holiday.mp4")
    assert "no such file" in refusal("films/holiday")
    assert "cannot be read (file name too long)" in refusal("q" * 5_000 + ".mp4")


@pytest.mark.parametrize("fps", [0, -1, 241, 10**9])
def test_an_impossible_rate_is_refused(fps):
    assert f"{fps} frames a second: from 1 to 240 can be made" in refusal("motion", fps=fps)


@pytest.mark.parametrize(
    ("name", "number"), [("camera", 0), ("camera:0", 0), ("camera:12", 12), ("camera:", None), ("cameras", None)]
)
def test_cameras_are_named_by_number(name, number):
    assert camera_number(name) == number
