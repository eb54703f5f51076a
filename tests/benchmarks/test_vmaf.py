"""VMAF by a foreign program: known ends, pairing, and what is said without it."""

import numpy as np
import pytest

from benchmarks import vmaf
from rtc.values.errors import LocalMisuse
from rtc.values.formats import FrameSize
from rtc.values.frames import VideoFrame
from tests.support.codec_orders import SIZE, moving_pictures

needs_vmaf = pytest.mark.skipif(not vmaf.vmaf_available(), reason="imageio-ffmpeg, an optional extra, is not installed")


def coarse(frame):
    return VideoFrame(size=frame.size, data=memoryview(np.asarray(frame.data) // 32 * 32))


@needs_vmaf
def test_pictures_score_high_against_themselves_and_lower_when_coarse():
    pictures = moving_pictures(6)
    same = vmaf.vmaf_score(pictures, pictures, SIZE, 30)
    worse = vmaf.vmaf_score(pictures, map(coarse, pictures), SIZE, 30)
    assert 95 < same <= 100
    assert 0 <= worse < same - 10


@needs_vmaf
def test_a_shown_picture_of_another_size_is_scaled():
    small = moving_pictures(3, FrameSize(160, 96))
    assert 0 <= vmaf.vmaf_score(moving_pictures(3), small, SIZE, 30) <= 100


@needs_vmaf
def test_unpaired_pictures_are_refused():
    with pytest.raises(LocalMisuse, match="2 pictures against 3"):
        vmaf.vmaf_score(moving_pictures(3), moving_pictures(2), SIZE, 30)


def test_without_its_package_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr(vmaf, "vmaf_available", lambda: False)
    with pytest.raises(LocalMisuse, match="pip install imageio-ffmpeg"):
        vmaf.vmaf_score(moving_pictures(1), moving_pictures(1), SIZE, 30)
