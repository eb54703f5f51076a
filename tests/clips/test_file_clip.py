import shutil
from fractions import Fraction

import av
import numpy as np
import pytest

from clips.catalogue import open_clip
from clips.file_clip import FileClip, nearest_in_time
from clips.frames import planes
from rtc.values.errors import LocalMisuse
from rtc.values.formats import FrameSize

SIZE = FrameSize(64, 48)


def write_levels(path, levels, *, fps=30, size=(64, 48), codec="libx264", pix_fmt="yuv420p", options=None):
    """A video whose frame i is of one grey level."""
    with av.open(str(path), "w") as output:
        stream = output.add_stream(codec, rate=fps, options=options or {})
        stream.width, stream.height, stream.pix_fmt = *size, pix_fmt
        for index, level in enumerate(levels):
            picture = av.VideoFrame.from_ndarray(np.full((size[1], size[0]), level, np.uint8), format="gray")
            picture = picture.reformat(format=pix_fmt)
            picture.pts, picture.time_base = index, Fraction(1, fps)
            output.mux(stream.encode(picture))
        output.mux(stream.encode())
    return path


@pytest.fixture
def five(tmp_path):
    """Five frames at 30 fps, each 40 grey levels brighter than the one before."""
    return write_levels(tmp_path / "five.mp4", [20, 60, 100, 140, 180], options={"crf": "5"})


def shown(path, count, *, fps=30, size=SIZE, **options):
    """Mean luma of each frame as the nearest of the five levels written, in limited range."""
    with FileClip(path, size=size, fps=fps, **options) as clip:
        return [
            round((float(planes(clip.frame(index)).y.mean()) - 16) * 255 / 219 / 40 - 0.5) for index in range(count)
        ]


def test_a_file_plays_forwards_then_backwards_then_forwards(five):
    assert shown(five, 14) == [0, 1, 2, 3, 4, 3, 2, 1, 0, 1, 2, 3, 4, 3]


def test_a_file_too_long_to_hold_starts_again_instead(five):
    assert shown(five, 12, held_bytes=3 * SIZE.i420_bytes) == [0, 1, 2, 3, 4] * 2 + [0, 1]


def test_twice_the_rate_shows_each_picture_twice(five):
    assert shown(five, 11, fps=60)[:9] == [0, 0, 1, 1, 2, 2, 3, 3, 4]


def test_a_third_of_the_rate_shows_every_third_picture(five):
    assert shown(five, 4, fps=10) == [0, 3, 0, 3]


def test_a_file_of_one_picture_stands_still(tmp_path):
    assert shown(write_levels(tmp_path / "one.mp4", [100]), 5) == [2] * 5


def test_the_nearest_picture_in_time_is_chosen_and_the_earlier_of_two_as_near():
    timed = [(0, "a"), (40_000, "b"), (60_000, "c"), (200_000, "d")]

    assert list(nearest_in_time(iter(timed), 50)) == [
        *("a", "a", "b", "c", "c", "c", "c", "d", "d", "d", "d", "d", "d", "d")
    ]


def test_no_picture_gives_no_picture():
    assert list(nearest_in_time(iter(()), 30)) == []


def test_handed_out_pictures_cannot_be_written_to(five):
    with FileClip(five, size=SIZE, fps=30) as clip:
        assert clip.frame(0).data.readonly


@pytest.mark.parametrize(
    ("suffix", "codec", "pix_fmt"),
    [
        ("mp4", "libx264", "yuv420p10le"),
        ("mkv", "libx264", "yuv422p"),
        ("mov", "libx264", "yuv444p"),
        ("webm", "libvpx-vp9", "yuv420p"),
        ("mkv", "ffv1", "bgr0"),
        ("avi", "mpeg4", "yuv420p"),
        ("y4m", "rawvideo", "yuv420p"),
        ("mkv", "mjpeg", "yuvj420p"),
    ],
)
def test_containers_bit_depths_samplings_and_ranges_all_become_limited_i420(tmp_path, suffix, codec, pix_fmt):
    path = write_levels(tmp_path / f"it.{suffix}", [20, 60, 100], codec=codec, pix_fmt=pix_fmt)

    assert shown(path, 3, size=FrameSize(32, 24)) == [0, 1, 2]


def test_a_wide_picture_is_cropped_about_its_middle_not_squeezed(tmp_path):
    picture = np.zeros((48, 192), np.uint8)
    picture[:, 64:128] = 200
    path = tmp_path / "wide.mkv"
    with av.open(str(path), "w") as output:
        stream = output.add_stream("ffv1", rate=30)
        stream.width, stream.height, stream.pix_fmt = 192, 48, "yuv420p"
        output.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="gray").reformat(format="yuv420p")))
        output.mux(stream.encode())

    with FileClip(path, size=SIZE, fps=30) as clip:
        luma = planes(clip.frame(0)).y
    assert luma[:, 2:-2].min() > 150


def refusal(path):
    with pytest.raises(LocalMisuse) as caught:
        open_clip(str(path), size=SIZE, fps=30, seed=1)
    text = str(caught.value)
    assert "\n" not in text
    assert str(path) in text
    return text


def test_a_missing_file_a_folder_and_an_empty_file_are_refused(tmp_path):
    (tmp_path / "empty.mp4").touch()

    assert "no such file" in refusal(tmp_path / "none.mp4")
    assert "not a file" in refusal(tmp_path)
    assert "the file is empty" in refusal(tmp_path / "empty.mp4")


@pytest.mark.parametrize(
    "content", [b"once upon a time\n" * 200, bytes(range(256)) * 40, b"1\n00:00:01,000 --> 00:00:02,000\nhi\n\n"]
)
@pytest.mark.parametrize("name", ["it.mp4", "it.txt", "it.y4m", "it.srt"])
def test_what_is_not_a_video_is_refused(tmp_path, content, name):
    path = tmp_path / name
    path.write_bytes(content)

    assert "not a video" in refusal(path)


def test_a_file_of_sound_alone_is_refused(tmp_path):
    path = tmp_path / "sound.mp4"
    with av.open(str(path), "w") as output:
        stream = output.add_stream("aac", rate=48_000)
        sound = av.AudioFrame.from_ndarray(np.zeros((1, 1024), np.float32), format="fltp", layout="mono")
        sound.sample_rate, sound.pts = 48_000, 0
        output.mux(stream.encode(sound))
        output.mux(stream.encode())

    assert "no video track in it, only audio" in refusal(path)


def test_a_file_cut_off_before_its_index_is_refused(five, tmp_path):
    cut = tmp_path / "cut.mp4"
    cut.write_bytes(five.read_bytes()[:200])

    assert "cut off: 200 of at least" in refusal(cut)


def test_a_file_with_a_header_and_no_frames_is_refused(tmp_path):
    path = tmp_path / "header.y4m"
    path.write_bytes(b"YUV4MPEG2 W64 H48 F30:1 Ip A1:1 C420jpeg\n")

    assert "no picture in it could be decoded" in refusal(path)


def test_a_file_that_vanishes_is_one_clear_line(tmp_path, five):
    path = shutil.copy(five, tmp_path / "gone.mp4")
    clip = FileClip(path, size=SIZE, fps=30, held_bytes=1)
    path.unlink()

    for index in range(5):
        clip.frame(index)
    with pytest.raises(LocalMisuse, match="no such file"):
        clip.frame(5)
