import numpy as np

from clips.file_clip import FileClip
from clips.frames import planes
from rtc.values.formats import FrameSize
from tests.support.data import real_data

SIZE = FrameSize(96, 54)


def test_every_real_clip_opens_and_moves():
    files = sorted((real_data() / "clips").iterdir())
    assert files
    for file in files:
        with FileClip(file, size=SIZE, fps=10) as clip:
            pictures = [planes(clip.frame(index)).y.astype(int) for index in range(4)]
        assert all(10 < picture.mean() < 240 for picture in pictures), file.name
        assert any(np.any(picture != pictures[0]) for picture in pictures), file.name
