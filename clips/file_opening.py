"""A video file opened, or refused in one line that says what is wrong with it."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import av
import av.error
from av.container import InputContainer
from av.stream import Disposition
from av.video.stream import VideoStream

from clips import y4m
from clips.file_outline import declared_bytes
from rtc.values.errors import LocalMisuse

_OUTLINED = frozenset({"mov", "matroska", "webm", "avi", "yuv4mpegpipe"})
"""Demuxers of files that say themselves how long they are."""
_CONTAINERS = _OUTLINED | {"flv", "ogg", "mpegts", "mpeg", "ivf", "asf", "mxf", "nut", "h264", "hevc", "obu"}
"""Demuxers whose files hold video; FFmpeg would also play a text file or a picture, or fetch what a playlist names."""
_READABLE = "y4m, mp4, mov, mkv, webm and avi files with a video track can be read"
_WHOLE = "choose a whole file"
_PICTURES = ("_pipe", "image2", "apng", "gif")
_START_BYTES = 1024
_SHOWN_CHARACTERS = 200


def open_video(path: Path) -> tuple[InputContainer, VideoStream]:
    """The file and its first video track, checked to be all there without a picture decoded.

    A file that says how long it is (y4m, mp4, mov, mkv, webm, avi) is held against that by its headers alone. Of the
    others every packet is read once, and what the demuxer calls cut or broken is refused. A stream that has no length
    and no end mark (MPEG-TS, raw H.264) is taken as it is.

    Raises:
        LocalMisuse: it is missing, a folder, empty, no video, a picture, cut off, without video track, of odd size.

    """
    start = _start(path)
    _refuse_cut_off(path)
    if y4m.is_y4m(start) and (fault := y4m.header_fault(start)):
        raise LocalMisuse(f"clip {named(path)}: {fault}")
    container = _opened(path, start)
    with _closed_if_refused(container), as_misuse(path):
        _refuse_other_kinds(container, path)
        stream = _video_stream(container, path)
        _refuse_odd_sides(stream, path)
        kinds = set(container.format.name.split(","))
        if "yuv4mpegpipe" in kinds:
            _refuse_cut_y4m(path, stream)
        elif kinds.isdisjoint(_OUTLINED):
            _refuse_broken_packets(path)
    return container, stream


def named(path: Path) -> str:
    """The path as a message shows it: on one line, and not too long to read."""
    text = str(path)
    text = text if text.isprintable() else ascii(text)
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[: _SHOWN_CHARACTERS - 3]}..."


@contextlib.contextmanager
def as_misuse(path: Path, fault: str = "cannot be read", advice: str = _READABLE) -> Iterator[None]:
    """Whatever FFmpeg or the file system raises inside becomes one line about the file."""
    try:
        yield
    except (av.error.FFmpegError, OSError, ValueError) as error:
        raise LocalMisuse(f"clip {named(path)}: {fault} ({_reason(error)}); {advice}") from error


def _start(path: Path) -> bytes:
    with as_misuse(path):
        if not path.exists():
            raise LocalMisuse(f"clip {named(path)}: no such file; {_READABLE}")
        if not path.is_file():
            raise LocalMisuse(f"clip {named(path)}: not a file; {_READABLE}")
        with path.open("rb") as file:
            start = file.read(_START_BYTES)
        if not start:
            raise LocalMisuse(f"clip {named(path)}: the file is empty; {_READABLE}")
    return start


def _refuse_cut_off(path: Path) -> None:
    with as_misuse(path), path.open("rb") as file:
        size = path.stat().st_size
        declared = declared_bytes(file, size)
    if declared is not None and declared > size:
        raise LocalMisuse(
            f"clip {named(path)}: cut off: {size} of at least {declared} bytes are there{_frames_there(path)}; {_WHOLE}"
        )


def _frames_there(path: Path) -> str:
    """How many of a cut file's frames are there, if it still tells."""
    try:
        with av.open(str(path), metadata_errors="replace") as container:
            stream = _video_stream(container, path)
            there = sum(packet.size > 0 and not packet.is_corrupt for packet in container.demux(stream))
            return f", {there} of its {stream.frames} frames" if there <= stream.frames else ""
    except (av.error.FFmpegError, OSError, ValueError, LocalMisuse):
        return ""


def _opened(path: Path, start: bytes) -> InputContainer:
    try:
        with as_misuse(path, "not a video, or cut off"):
            return av.open(str(path), metadata_errors="replace")
    except LocalMisuse as error:
        if y4m.is_y4m(start):  # FFmpeg's reason is then a misleading one
            raise LocalMisuse(f"clip {named(path)}: {y4m.refused_header(start)}") from error
        raise


@contextlib.contextmanager
def _closed_if_refused(container: InputContainer) -> Iterator[None]:
    try:
        yield
    except BaseException:
        container.close()
        raise


def _refuse_other_kinds(container: InputContainer, path: Path) -> None:
    name = container.format.name
    if _CONTAINERS.isdisjoint(name.split(",")):
        looks = f"a picture, {name}" if name.endswith(_PICTURES) else name
        raise LocalMisuse(f"clip {named(path)}: not a video (it looks like {looks}); {_READABLE}")


def _video_stream(container: InputContainer, path: Path) -> VideoStream:
    tracks = [stream for stream in container.streams.video if not stream.disposition & Disposition.attached_pic]
    if not tracks:
        held = ", ".join(sorted({stream.type for stream in container.streams})) or "nothing"
        raise LocalMisuse(f"clip {named(path)}: no video track in it, only {held}; {_READABLE}")
    if tracks[0].codec_context is None:
        raise LocalMisuse(f"clip {named(path)}: no decoder for its video track; convert it to H.264, VP9 or AV1")
    return tracks[0]


def _refuse_odd_sides(stream: VideoStream, path: Path) -> None:
    """What is called with and scored against is 4:2:0, where an odd side leaves a row or column without its colour."""
    width, height = stream.codec_context.width, stream.codec_context.height
    if width % 2 or height % 2:
        wide, high = width & ~1, height & ~1
        advice = f"crop it to {wide}x{high}" if wide and high else "choose a larger one"
        raise LocalMisuse(f"clip {named(path)}: {width}x{height} has an odd side; both must be even: {advice}")


def _refuse_cut_y4m(path: Path, stream: VideoStream) -> None:
    samples = stream.codec_context.format
    planes = samples.components if samples else ()
    frame_bytes = sum(plane.width * plane.height * -(-plane.bits // 8) for plane in planes)
    with path.open("rb") as file:
        fault = y4m.frames_fault(file, path.stat().st_size, frame_bytes)
    if fault:
        raise LocalMisuse(f"clip {named(path)}: {fault}; {_WHOLE}")


def _refuse_broken_packets(path: Path) -> None:
    with av.open(str(path), metadata_errors="replace") as container:
        for number, packet in enumerate(container.demux(_video_stream(container, path))):
            if packet.size and packet.is_corrupt:
                raise LocalMisuse(f"clip {named(path)}: cut off or damaged at frame {number}; {_WHOLE}")


def _reason(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error) or type(error).__name__).lower()
