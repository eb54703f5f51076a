"""Files that are cut off, damaged or strange: refused in one line, and nothing sound is refused."""

import contextlib
import re
from fractions import Fraction

import av
import numpy as np
import pytest

from clips.catalogue import open_clip
from clips.file_clip import FileClip
from clips.render import write_video
from rtc.values.errors import LocalMisuse
from rtc.values.formats import FrameSize

SIZE = FrameSize(64, 48)
FRAMES = 40


def write_noise(path, *, codec="libx264", pix_fmt="yuv420p", codec_options=None, size=(64, 48), stamps=None, **options):
    """A video of moving noise, whose packets are all of some size; `stamps` are times in 1/30 s."""
    noise = np.random.default_rng(1).integers(0, 255, (size[1], size[0]), np.uint8)
    with av.open(str(path), "w", options=options) as output:
        stream = output.add_stream(codec, rate=30, options=codec_options or {})
        stream.width, stream.height, stream.pix_fmt = *size, pix_fmt
        for index, stamp in enumerate(stamps or range(FRAMES)):
            picture = av.VideoFrame.from_ndarray(np.roll(noise, index, 1), format="gray").reformat(format=pix_fmt)
            picture.pts, picture.time_base = stamp, Fraction(1, 30)
            output.mux(stream.encode(picture))
        output.mux(stream.encode())
    return path


KINDS = {
    "end.mp4": {},
    "front.mp4": {"movflags": "faststart"},
    "fragments.mp4": {"movflags": "frag_keyframe+empty_moov", "codec_options": {"g": "10"}},
    "it.mov": {},
    "it.mkv": {},
    "live.mkv": {"live": "1"},
    "it.webm": {"codec": "libvpx-vp9", "codec_options": {"deadline": "realtime", "cpu-used": "8"}},
    "live.webm": {"codec": "libvpx", "live": "1"},
    "it.avi": {"codec": "mpeg4"},
    "it.y4m": {"codec": "rawvideo"},
    "full_chroma.y4m": {"codec": "rawvideo", "pix_fmt": "yuv444p"},
    "it.flv": {},
    "it.ivf": {"codec": "libvpx"},
}


def play(path, frames=FRAMES, size=SIZE):
    with open_clip(str(path), size=size, fps=30, seed=1) as clip:
        for index in range(frames):
            clip.frame(index)


def refusal(path, size=SIZE):
    """What is said of the file when it is opened or first played to its end."""
    with pytest.raises(LocalMisuse) as caught:
        play(path, size=size)
    text = str(caught.value)
    assert "\n" not in text
    return text


@pytest.mark.parametrize("name", KINDS)
def test_a_whole_file_plays_and_a_cut_one_is_refused_when_it_is_opened(tmp_path, name):
    whole = write_noise(tmp_path / name, **KINDS[name])
    content = whole.read_bytes()
    with FileClip(whole, size=SIZE, fps=30) as clip:
        for index in range(FRAMES + 5):
            clip.frame(index)

    for per_mille in (20, 300, 500, 900, 985):
        cut = tmp_path / f"cut_{name}"
        cut.write_bytes(content[: len(content) * per_mille // 1000])
        with pytest.raises(LocalMisuse, match=r"cut off|no picture"):
            FileClip(cut, size=SIZE, fps=30)


def test_a_cut_file_says_how_much_of_it_is_there(tmp_path):
    whole = write_noise(tmp_path / "whole.mp4", movflags="faststart").read_bytes()
    (tmp_path / "cut.mp4").write_bytes(whole[:-100])  # two packets end there

    said = refusal(tmp_path / "cut.mp4")

    assert f"{len(whole) - 100} of at least {len(whole)} bytes" in said
    assert f"{FRAMES - 2} of its {FRAMES} frames" in said


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("late_b.mp4", {"codec_options": {"bf": "3"}}),
        ("uneven.mp4", {"stamps": [index + index * 7 % 5 for index in range(0, 5 * FRAMES, 5)]}),
        ("uneven.mkv", {"stamps": [index + index * 7 % 5 for index in range(0, 5 * FRAMES, 5)]}),
        ("late.mp4", {"stamps": range(90, 90 + FRAMES)}),
        ("open.mp4", {"codec_options": {"x264-params": "open-gop=1:keyint=10:bframes=3:scenecut=0"}}),
        ("refresh.mp4", {"codec_options": {"x264-params": "intra-refresh=1:keyint=10"}}),
    ],
)
def test_a_sound_file_is_not_refused(tmp_path, name, options):
    with FileClip(write_noise(tmp_path / name, **options), size=SIZE, fps=30) as clip:
        for index in range(FRAMES):
            clip.frame(index)


def test_a_copy_from_a_later_key_frame_on_is_sound(tmp_path):
    whole = write_noise(tmp_path / "it.mp4", codec_options={"x264-params": "open-gop=1:keyint=10:bframes=3:scenecut=0"})
    with av.open(str(whole)) as source, av.open(str(tmp_path / "later.mp4"), "w") as later:
        copied = later.add_stream_from_template(source.streams.video[0])
        keys = 0
        for packet in source.demux(video=0):
            keys += packet.is_keyframe
            if keys > 1 and packet.size:
                packet.stream = copied
                later.mux(packet)

    with FileClip(tmp_path / "later.mp4", size=SIZE, fps=30) as clip:
        clip.frame(0)
        clip.frame(1)


@pytest.mark.parametrize("container", ["mp4", "mkv", "mov"])
def test_sound_longer_than_the_video_is_no_fault(tmp_path, container):
    path = tmp_path / f"it.{container}"
    with av.open(str(path), "w") as output:
        video, sound = output.add_stream("mpeg4", rate=30), output.add_stream("aac", rate=48_000)
        video.width, video.height, video.pix_fmt = 64, 48, "yuv420p"
        output.mux(video.encode(av.VideoFrame(64, 48, "yuv420p")))
        output.mux(video.encode())
        for index in range(100):
            samples = av.AudioFrame.from_ndarray(np.zeros((1, 1024), np.float32), format="fltp", layout="mono")
            samples.sample_rate, samples.pts = 48_000, index * 1024
            output.mux(sound.encode(samples))
        output.mux(sound.encode())

    with FileClip(path, size=SIZE, fps=30) as clip:
        clip.frame(0)


def test_junk_behind_an_mp4_is_no_fault(tmp_path):
    path = write_noise(tmp_path / "it.mp4")
    path.write_bytes(path.read_bytes() + b"TAG and more junk" + bytes(100))

    with FileClip(path, size=SIZE, fps=30) as clip:
        clip.frame(0)


def damaged(path, at):
    """The file with a packet's worth of bytes overwritten `at` parts of its way."""
    content = bytearray(path.read_bytes())
    begin = int(len(content) * at)
    content[begin : begin + 400] = bytes((index * 7) & 255 for index in range(400))
    path.write_bytes(content)
    return path


def test_damage_at_the_start_is_refused_when_the_file_is_opened(tmp_path):
    path = damaged(write_noise(tmp_path / "it.mp4", movflags="faststart"), 0.3)

    assert re.search(r"damaged at picture \d+ \(.+\); choose", refusal(path))


@pytest.fixture
def damaged_late(tmp_path):
    whole = write_noise(tmp_path / "it.mp4", size=(320, 240), codec_options={"g": "10"}, movflags="faststart")
    return damaged(whole, 0.6)


def test_damage_in_the_middle_is_one_line_where_it_comes(damaged_late):
    assert re.search(r"damaged at picture \d\d \(", refusal(damaged_late))
    play(damaged_late, frames=5)


def test_a_render_of_a_damaged_file_leaves_nothing(damaged_late, tmp_path):
    with FileClip(damaged_late, size=SIZE, fps=30) as clip, pytest.raises(LocalMisuse, match="damaged"):
        write_video(clip, tmp_path / "out.y4m", frames=FRAMES)
    assert [entry.name for entry in tmp_path.iterdir()] == ["it.mp4"]


@pytest.mark.parametrize("size", [(2, 2), (2, 48), (64, 2), (500, 2)])
def test_the_smallest_pictures_are_scaled(tmp_path, size):
    path = write_noise(tmp_path / "it.mp4", size=size)

    with FileClip(path, size=FrameSize(640, 360), fps=30) as clip:
        assert clip.frame(0).size == FrameSize(640, 360)


def test_a_picture_too_small_for_its_chroma_is_one_line(tmp_path):
    path = tmp_path / "it.y4m"
    path.write_bytes(b"YUV4MPEG2 W1 H1 F30:1 C420jpeg\n" + b"FRAME\nyuv" * 3)

    assert "1x1 has an odd side; both must be even: choose a larger one" in refusal(path)


@pytest.mark.parametrize(("suffix", "codec", "pix_fmt"), [("png", "png", "rgb24"), ("jpg", "mjpeg", "yuvj420p")])
@pytest.mark.parametrize("named", ["picture.{}", "picture_{}.mp4"])
def test_a_picture_is_no_video(tmp_path, suffix, codec, pix_fmt, named):
    encoder = av.CodecContext.create(codec, "w")
    encoder.width, encoder.height, encoder.pix_fmt, encoder.time_base = 64, 48, pix_fmt, Fraction(1, 30)
    path = tmp_path / named.format(suffix)
    path.write_bytes(b"".join(bytes(packet) for packet in encoder.encode(av.VideoFrame(64, 48, pix_fmt))))

    assert "not a video (it looks like a picture" in refusal(path)


PICTURE = b"FRAME\n" + b"\x80" * (64 * 48 * 3 // 2)


@pytest.mark.parametrize(
    ("header", "says"),
    [
        (b"YUV4MPEG2 W-3 H0 F0:0\n", "width above 0"),
        (b"YUV4MPEG2 W64 H0 F30:1\n", "height above 0"),
        (b"YUV4MPEG2 W64 H48 F0:0 C420jpeg\n", "frame rate above 0"),
        (b"YUV4MPEG2 W64 H48 F30:0\n", "frame rate above 0"),
        (b"YUV4MPEG2 W64 H48 C420jpeg\n", "frame rate above 0"),
        (b"YUV4MPEG2 W100000 H100000 F30:1\n", "size or sampling that cannot be read"),
        (b"YUV4MPEG2 W64 H48 F30:1 Cnone\n", "size or sampling that cannot be read"),
        (b"YUV4MPEG2 W64 H48 F30:1 " + b"X" * 5000 + b"\n", "it has no end"),
        (b"YUV4MPEG2\x00\xff\n", "width above 0"),
    ],
)
def test_a_y4m_header_that_is_none_is_shown_with_what_it_lacks(tmp_path, header, says):
    path = tmp_path / "it.y4m"
    path.write_bytes(header + PICTURE)

    said = refusal(path)

    assert says in said
    assert "'YUV4MPEG2" in said


@pytest.mark.parametrize(
    ("tail", "says"),
    [
        (b"FRAME\n" + b"\x80" * 1000, "picture 1 lacks 3608 of its 4608 bytes"),
        (b"FRAME\n", "picture 1 lacks 4608 of its 4608 bytes"),
        (b"FRA", "picture 1 lacks"),
        (b"\x80" * 5000, "no line FRAME before picture 1"),
    ],
)
def test_a_y4m_file_with_a_picture_that_is_not_whole_is_refused(tmp_path, tail, says):
    path = tmp_path / "it.y4m"
    path.write_bytes(b"YUV4MPEG2 W64 H48 F30:1 C420jpeg\n" + PICTURE + tail)

    assert says in refusal(path)


def test_odd_sides_are_refused_with_the_size_that_would_do(tmp_path):
    path = tmp_path / "odd.y4m"
    path.write_bytes(b"YUV4MPEG2 W63 H36 F30:1 C420jpeg\n" + (b"FRAME\n" + b"\x80" * (63 * 36 + 2 * 32 * 18)) * 3)

    assert "63x36 has an odd side; both must be even: crop it to 62x36" in refusal(path)


@pytest.mark.parametrize("name", ["x" * 5000, "x" * 5000 + ".mp4", "a\0b", "a\0b.mp4", "two\nlines.mp4", "two\nlines"])
def test_a_name_that_no_file_can_have_is_one_short_line(name):
    assert len(refusal(name)) < 500


def test_no_library_error_escapes_whatever_the_bytes(tmp_path):
    content = write_noise(tmp_path / "it.mp4", movflags="faststart").read_bytes()
    path = tmp_path / "broken.mp4"
    draws = np.random.default_rng(7)
    for _ in range(60):
        broken = bytearray(content)
        broken[draws.integers(0, 1200)] ^= 1 << draws.integers(0, 8)
        for at in draws.integers(0, len(broken), 30):
            broken[at] = draws.integers(0, 256)
        path.write_bytes(broken)
        with contextlib.suppress(LocalMisuse):
            play(path, frames=10)
