import cv2
import numpy as np
import pytest

from clips.catalogue import open_clip
from clips.frames import planes
from rtc.values.errors import LocalMisuse
from rtc.values.formats import FrameSize


class FakeCapture:
    """A camera of 640x480 that shows a white stripe down its middle, for two pictures."""

    def __init__(self, number):
        self.number = number
        self.pictures_left = 2
        self.released = False

    def set(self, _what, _value):
        return True

    def isOpened(self):  # noqa: N802 - OpenCV's name
        return self.number == 1

    def grab(self):
        return True

    def read(self):
        if not self.pictures_left:
            return False, None
        self.pictures_left -= 1
        picture = np.zeros((480, 640, 3), np.uint8)
        picture[:, 310:330] = 255
        return True, picture

    def release(self):
        self.released = True


@pytest.fixture
def _fake_camera(monkeypatch):
    monkeypatch.setattr(cv2, "VideoCapture", FakeCapture)


@pytest.mark.usefixtures("_fake_camera")
def test_a_camera_is_cropped_about_its_middle_and_scaled():
    with open_clip("camera:1", size=FrameSize(160, 90), fps=30, seed=1) as clip:
        luma = planes(clip.frame(0)).y

    assert luma[:, 78:82].min() > 200
    assert luma[:, :70].max() < 20


@pytest.mark.usefixtures("_fake_camera")
def test_a_camera_that_stops_is_one_clear_line():
    with open_clip("camera:1", size=FrameSize(160, 90), fps=30, seed=1) as clip:
        clip.frame(0)
        clip.frame(1)
        with pytest.raises(LocalMisuse, match="camera:1: the camera gave no frame 2"):
            clip.frame(2)


@pytest.mark.usefixtures("_fake_camera")
def test_a_missing_camera_is_one_clear_line():
    with pytest.raises(LocalMisuse, match=r"^clip camera:7: no such camera gives pictures here; name a file or"):
        open_clip("camera:7", size=FrameSize(160, 90), fps=30, seed=1)
