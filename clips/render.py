"""A clip written to a file: y4m, mp4, mkv, webm, or one picture as PNG."""

import contextlib
import os
import tempfile
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
from av.video.stream import VideoStream

from clips.clip import Clip
from clips.file_opening import named
from clips.frames import to_bgr
from clips.y4m import Y4mWriter
from rtc.values.errors import LocalMisuse
from rtc.values.frames import VideoFrame

_CONTAINERS = {".mp4": "mp4", ".mkv": "matroska", ".webm": "webm"}
_H264_OPTIONS = {"preset": "veryfast", "crf": "10"}
_VP9_OPTIONS = {"deadline": "realtime", "cpu-used": "7", "crf": "10", "b": "0"}
VIDEO_SUFFIXES = frozenset({".y4m", *_CONTAINERS})
PICTURE_SUFFIX = ".png"
SUFFIXES = "y4m, mp4, mkv, webm or png"
Progress = Callable[[int], None]
"""Told how many frames are written."""


def check_output(path: Path) -> None:
    """Refuse a file that `write_video` or `write_picture` could not write.

    Raises:
        LocalMisuse: its name ends in none of the suffixes, it is a folder, or there is no folder for it.

    """
    if path.suffix.lower() not in {*VIDEO_SUFFIXES, PICTURE_SUFFIX}:
        raise LocalMisuse(f"{named(path)}: its name must end in {SUFFIXES}")
    try:
        if path.is_dir():
            raise LocalMisuse(f"{named(path)}: is a folder; name a file to write")
        if not path.parent.is_dir():
            raise LocalMisuse(f"{named(path)}: there is no folder {named(path.parent)}; make it first")
    except (OSError, ValueError) as error:
        raise LocalMisuse(f"{named(path)}: cannot be written ({_reason(error)})") from error


def write_video(clip: Clip, path: Path, *, frames: int, progress: Progress = lambda _written: None) -> None:
    """Write the next `frames` frames of a clip: y4m exactly, the rest all but losslessly (H.264; VP9 in webm).

    The file appears when it is whole, and not at all when anything fails.

    Raises:
        LocalMisuse: it cannot be written there, or the clip failed.

    """
    check_output(path)
    container = _CONTAINERS.get(path.suffix.lower())
    pictures = _counted(clip, frames, progress)
    with _whole_or_nothing(path) as part:
        if container is None:
            _write_y4m(clip, part, pictures)
        else:
            _write_coded(clip, part, pictures, container)


def write_picture(clip: Clip, path: Path, *, index: int) -> None:
    """Write frame `index` of a clip that no frame was taken from yet as PNG; errors as `write_video`."""
    check_output(path)
    with _whole_or_nothing(path) as part:
        for at in range(index):
            clip.frame(at)
        coded, png = cv2.imencode(PICTURE_SUFFIX, to_bgr(clip.frame(index)))
        if not coded:
            raise LocalMisuse(f"{named(path)}: the picture cannot be written as PNG; choose another size")
        part.write_bytes(np.asarray(png).tobytes())


def _counted(clip: Clip, frames: int, progress: Progress) -> Iterator[VideoFrame]:
    for index in range(frames):
        yield clip.frame(index)
        progress(index + 1)


def _write_y4m(clip: Clip, path: Path, frames: Iterator[VideoFrame]) -> None:
    with path.open("wb") as file:
        writer = Y4mWriter(file, size=clip.size, fps=clip.fps)
        for frame in frames:
            writer.write(frame)


def _write_coded(clip: Clip, path: Path, frames: Iterator[VideoFrame], container: str) -> None:
    codec, options = ("libvpx-vp9", _VP9_OPTIONS) if container == "webm" else ("libx264", _H264_OPTIONS)
    with av.open(str(path), "w", format=container) as output:
        stream = output.add_stream(codec, rate=Fraction(clip.fps), options=options)
        assert isinstance(stream, VideoStream)
        stream.width, stream.height, stream.pix_fmt = clip.size.width, clip.size.height, "yuv420p"
        for index, frame in enumerate(frames):
            rows = np.frombuffer(frame.data, np.uint8).reshape(-1, clip.size.width)
            picture = av.VideoFrame.from_ndarray(rows, format="yuv420p")
            picture.pts, picture.time_base = index, Fraction(1, clip.fps)
            output.mux(stream.encode(picture))
        output.mux(stream.encode())


@contextlib.contextmanager
def _whole_or_nothing(path: Path) -> Iterator[Path]:
    """A name beside `path` to write to, renamed to `path` when the block succeeds and removed when it does not."""
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=f"{path.suffix}.part", dir=path.parent)
        os.close(handle)
    except (OSError, ValueError) as error:
        raise LocalMisuse(f"{named(path)}: cannot be written ({_reason(error)})") from error
    part = Path(name)
    try:
        yield part
        part.chmod(0o666 & ~_umask())
        part.replace(path)
    except (OSError, av.error.FFmpegError, cv2.error) as error:
        raise LocalMisuse(f"{named(path)}: cannot be written ({_reason(error)})") from error
    finally:
        part.unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _reason(error: Exception) -> str:
    said = getattr(error, "strerror", None) or str(error).partition("\n")[0] or type(error).__name__
    return str(said).lower()
