import errno
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from rtc.report.film import FilmWriter
from rtc.values.errors import LocalMisuse
from rtc.values.formats import FrameSize
from rtc.values.frames import VideoFrame

SIZE = FrameSize(64, 48)
TICK_US = 40_000


def grey(luma: int, size: FrameSize = SIZE) -> VideoFrame:
    data = bytes([luma]) * size.pixels + bytes([128]) * (size.pixels // 2)
    return VideoFrame(size=size, data=memoryview(data))


def lumas(path: Path) -> list[np.ndarray]:
    with av.open(path) as container:
        return [frame.to_ndarray(format="gray") for frame in container.decode(video=0)]


def mean_luma(picture: np.ndarray) -> int:
    # "gray" spreads the limited range 16..235 over 0..255; undo it.
    return round(float(picture.mean()) * 219 / 255 + 16)


def test_one_picture_a_tick_black_before_the_first_frame_and_repeated_in_a_freeze(tmp_path: Path) -> None:
    film = FilmWriter(tmp_path / "received.mp4", {"a_to_b": SIZE}, 25)
    film.add("a_to_b", 90_000, grey(100))
    film.add("a_to_b", 130_000, grey(180))
    film.close(6 * TICK_US)

    assert [mean_luma(picture) for picture in lumas(tmp_path / "received.mp4")] == [
        pytest.approx(luma, abs=3) for luma in (16, 16, 16, 100, 180, 180)
    ]


def test_a_frame_shown_exactly_at_a_tick_is_in_that_tick(tmp_path: Path) -> None:
    film = FilmWriter(tmp_path / "received.mp4", {"a_to_b": SIZE}, 25)
    film.add("a_to_b", TICK_US, grey(150))
    film.close(2 * TICK_US)
    assert [mean_luma(picture) for picture in lumas(tmp_path / "received.mp4")] == [
        pytest.approx(luma, abs=3) for luma in (16, 150)
    ]


def test_the_film_lasts_as_long_as_the_call_at_a_fractional_frame_rate(tmp_path: Path) -> None:
    film = FilmWriter(tmp_path / "received.mp4", {"a_to_b": SIZE}, Fraction(30_000, 1_001))
    film.close(2_002_000)
    with av.open(tmp_path / "received.mp4") as container:
        stream = container.streams.video[0]
        assert stream.codec_context.name == "h264"
        assert stream.codec_context.pix_fmt == "yuv420p"
        assert stream.frames == 60
        assert float(stream.duration * stream.time_base) == pytest.approx(2.002, abs=0.001)


def test_two_directions_of_unequal_size_stand_side_by_side(tmp_path: Path) -> None:
    left, right = FrameSize(64, 48), FrameSize(34, 26)
    film = FilmWriter(tmp_path / "received.mp4", {"a_to_b": left, "b_to_a": right}, 25)
    film.add("a_to_b", 0, grey(80, left))
    film.add("b_to_a", 0, grey(200, right))
    film.close(TICK_US)

    (picture,) = lumas(tmp_path / "received.mp4")
    assert picture.shape == (48, 98)
    assert mean_luma(picture[:, :60]) == pytest.approx(80, abs=4)
    assert mean_luma(picture[14:32, 68:]) == pytest.approx(200, abs=4)
    assert mean_luma(picture[:6, 68:]) == pytest.approx(16, abs=4)


def test_a_frame_coded_smaller_is_scaled_to_its_place(tmp_path: Path) -> None:
    film = FilmWriter(tmp_path / "received.mp4", {"a_to_b": SIZE}, 25)
    film.add("a_to_b", 0, grey(120, FrameSize(32, 24)))
    film.close(TICK_US)
    (picture,) = lumas(tmp_path / "received.mp4")
    assert picture.shape == (48, 64)
    assert mean_luma(picture) == pytest.approx(120, abs=3)


def test_pixels_may_be_reused_as_soon_as_add_returns(tmp_path: Path) -> None:
    pixels = bytearray(grey(150).data)
    film = FilmWriter(tmp_path / "received.mp4", {"a_to_b": SIZE}, 25)
    film.add("a_to_b", 0, VideoFrame(size=SIZE, data=memoryview(pixels)))
    pixels[:] = bytes(len(pixels))
    film.close(TICK_US)
    assert mean_luma(lumas(tmp_path / "received.mp4")[0]) == pytest.approx(150, abs=3)


def test_a_call_of_no_length_leaves_one_black_picture(tmp_path: Path) -> None:
    film = FilmWriter(tmp_path / "received.mp4", {"a_to_b": SIZE}, 30)
    film.close(0)
    assert len(lumas(tmp_path / "received.mp4")) == 1


def test_the_file_has_its_name_only_when_it_is_whole(tmp_path: Path) -> None:
    film = FilmWriter(tmp_path / "received.mp4", {"a_to_b": SIZE}, 30)
    film.add("a_to_b", 500_000, grey(100))
    assert not (tmp_path / "received.mp4").exists()
    film.close(600_000)
    assert [entry.name for entry in tmp_path.iterdir()] == ["received.mp4"]


def test_an_abandoned_film_leaves_nothing(tmp_path: Path) -> None:
    film = FilmWriter(tmp_path / "received.mp4", {"a_to_b": SIZE}, 30)
    film.add("a_to_b", 500_000, grey(100))
    film.abandon()
    assert list(tmp_path.iterdir()) == []


def test_frames_out_of_order_and_unknown_directions_are_refused(tmp_path: Path) -> None:
    film = FilmWriter(tmp_path / "received.mp4", {"a_to_b": SIZE}, 30)
    film.add("a_to_b", 500_000, grey(100))
    with pytest.raises(LocalMisuse, match="time order"):
        film.add("a_to_b", 499_999, grey(100))
    with pytest.raises(LocalMisuse, match="no picture is called 'c_to_d'"):
        film.add("c_to_d", 500_000, grey(100))
    film.abandon()


def test_a_film_that_cannot_be_written_says_so_and_leaves_nothing(tmp_path: Path, monkeypatch) -> None:
    # Every try after the first would crash the process where the head of the file could not be written.
    tries = []

    class FullDisk:
        def mux(self, packets: list) -> None:
            tries.append(packets)
            raise OSError(errno.ENOSPC, "No space left on device")

        def close(self) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

    film = FilmWriter(tmp_path / "received.mp4", {"a_to_b": SIZE}, 25)
    monkeypatch.setattr(film, "_container", FullDisk())
    with pytest.raises(OSError, match="No space left"):
        film.close(20 * TICK_US)
    film.abandon()
    assert len(tries) == 1
    assert list(tmp_path.iterdir()) == []
