from fractions import Fraction

import av
import numpy as np
import pytest

from clips.file_clip import FileClip
from clips.fitting import Fitting
from clips.frames import planes
from rtc.values.formats import FrameSize

SQUARE = FrameSize(32, 32)


def film_of(path, luma):
    """One picture as mp4."""
    with av.open(str(path), "w") as output:
        stream = output.add_stream("libx264", rate=30, options={"crf": "5"})
        stream.width, stream.height, stream.pix_fmt = luma.shape[1], luma.shape[0], "yuv420p"
        output.mux(stream.encode(av.VideoFrame.from_ndarray(luma, format="gray").reformat(format="yuv420p")))
        output.mux(stream.encode())
    return path


def turned(path, matrix):
    """Write a display matrix (its upper left 2x2) into the track header (ISO/IEC 14496-12, section 8.3.2)."""
    content = bytearray(path.read_bytes())
    at = content.index(b"tkhd") + 4 + 40
    for place, value in zip((0, 4, 12, 16), matrix, strict=True):
        content[at + place : at + place + 4] = (value * 65536 & 0xFFFFFFFF).to_bytes(4, "big")
    path.write_bytes(content)


@pytest.mark.parametrize(
    ("matrix", "bright"),
    [
        ((1, 0, 0, 1), np.s_[:, :14]),
        ((0, 1, -1, 0), np.s_[:14, :]),
        ((-1, 0, 0, -1), np.s_[:, 18:]),
        ((0, -1, 1, 0), np.s_[18:, :]),
    ],
    ids=["upright", "a quarter clockwise", "upside down", "a quarter counterclockwise"],
)
def test_a_phones_film_is_shown_the_way_it_was_held(tmp_path, matrix, bright):
    luma = np.zeros((48, 48), np.uint8)
    luma[:, :24] = 220
    path = film_of(tmp_path / "held.mp4", luma)
    turned(path, matrix)

    with FileClip(path, size=SQUARE, fps=30) as clip:
        shown = planes(clip.frame(0)).y
    assert shown[bright].min() > 150
    assert shown.mean() == pytest.approx(110, abs=12)


def test_pixels_that_are_not_square_are_made_so():
    picture = av.VideoFrame.from_ndarray(np.zeros((32, 32), np.uint8), format="gray")
    luma = np.zeros((32, 32), np.uint8)
    luma[:, 8:24] = 220
    picture = av.VideoFrame.from_ndarray(luma, format="gray")

    shown = planes(Fitting(SQUARE, Fraction(2)).fit(picture)).y
    assert shown[:, 1:-1].min() > 150


def test_a_stream_may_change_its_size_and_format_midway():
    fitting = Fitting(SQUARE, None)
    levels = []
    for side, pixel_format in ((64, "gray"), (48, "yuv444p"), (64, "rgb24")):
        grey = av.VideoFrame.from_ndarray(np.full((side, side), 128, np.uint8), format="gray")
        levels.append(int(planes(fitting.fit(grey.reformat(format=pixel_format))).y.mean()))

    assert max(levels) - min(levels) <= 2
    assert levels[0] == pytest.approx(126, abs=2)
