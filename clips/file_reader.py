"""Pictures of a video file through PyAV, in order, with their times, at the size asked for."""

from collections.abc import Iterator
from pathlib import Path

import av
import av.error
from av.codec.context import Flags
from av.container import InputContainer
from av.stream import Disposition
from av.video.stream import VideoStream

from clips.fitting import Fitting
from rtc.values.errors import LocalMisuse
from rtc.values.formats import FrameSize
from rtc.values.units import US_PER_S

_CONTAINERS = frozenset(
    {"mov", "mp4", "matroska", "webm", "yuv4mpegpipe", "avi", "flv", "ogg", "mpegts", "mpeg", "ivf", "asf", "mxf"}
    | {"nut", "gif", "apng", "png_pipe", "jpeg_pipe", "h264", "hevc", "obu"}
)
"""Demuxers whose files hold pictures; FFmpeg would also play a text file, or fetch what a playlist names."""
_READABLE = "y4m, mp4, mov, mkv, webm and avi files with a video track can be read"
_UNKNOWN_RATE = 25
"""Frames a second of a stream that has neither times nor a rate."""


class FileReader:
    """One pass over the video track of a file.

    Decoders and scaler run single-threaded in their bit-exact modes, so every CPU gets the same pictures.
    """

    def __init__(self, path: Path) -> None:
        """Open the file.

        Raises:
            LocalMisuse: it is missing, a folder, empty, no video, or has no video track.

        """
        self._path = path
        self._container = _opened(path)
        try:
            self._stream = _video_stream(self._container, path)
        except LocalMisuse:
            self.close()
            raise
        self._stream.codec_context.flags |= Flags.bitexact
        self._stream.codec_context.thread_count = 1

    def pictures(self) -> Iterator[tuple[int, av.VideoFrame]]:
        """Every picture that can be decoded, with its time in microseconds since the first, strictly increasing.

        Where the file is damaged or cut off, what is there is given; nothing is raised.
        """
        rate = self._stream.average_rate or self._stream.guessed_rate or _UNKNOWN_RATE
        time_base = self._stream.time_base or 1 / rate
        usual_gap_us = max(int(US_PER_S / rate), 1)
        first_us: int | None = None
        last_us = -usual_gap_us
        for picture in self._decoded():
            stamp_us = None if picture.pts is None else int(picture.pts * time_base * US_PER_S)
            if first_us is None:
                first_us = stamp_us or 0
            at_us = last_us + usual_gap_us if stamp_us is None else stamp_us - first_us
            last_us = at_us if at_us > last_us else last_us + 1
            yield last_us, picture

    def fitting(self, size: FrameSize) -> Fitting:
        """What brings this file's pictures to a frame's size."""
        return Fitting(size, self._stream.sample_aspect_ratio)

    def close(self) -> None:
        """Close the file."""
        self._container.close()

    def _decoded(self) -> Iterator[av.VideoFrame]:
        for packet in self._packets():
            try:
                yield from self._stream.codec_context.decode(packet)
            except av.error.FFmpegError:
                continue

    def _packets(self) -> Iterator[av.Packet | None]:
        """Packets up to the end or to the first place that cannot be read, then None, which empties the decoder."""
        try:
            for packet in self._container.demux(self._stream):
                if packet.size:
                    yield packet
        except av.error.FFmpegError:
            pass
        yield None


def _opened(path: Path) -> InputContainer:
    _refuse_unreadable(path)
    try:
        container = av.open(str(path), metadata_errors="replace")
    except (av.error.FFmpegError, OSError, ValueError) as error:
        raise LocalMisuse(f"clip {path}: not a video, or cut off ({_reason(error)}); {_READABLE}") from error
    if _CONTAINERS.isdisjoint(container.format.name.split(",")):
        container.close()
        raise LocalMisuse(f"clip {path}: not a video (it looks like {container.format.name}); {_READABLE}")
    return container


def _refuse_unreadable(path: Path) -> None:
    try:
        if not path.exists():
            raise LocalMisuse(f"clip {path}: no such file; {_READABLE}")
        if not path.is_file():
            raise LocalMisuse(f"clip {path}: not a file; {_READABLE}")
        if path.stat().st_size == 0:
            raise LocalMisuse(f"clip {path}: the file is empty; {_READABLE}")
    except OSError as error:
        raise LocalMisuse(f"clip {path}: cannot be read ({_reason(error).lower()}); {_READABLE}") from error


def _video_stream(container: InputContainer, path: Path) -> VideoStream:
    tracks = [stream for stream in container.streams.video if not stream.disposition & Disposition.attached_pic]
    if not tracks:
        held = ", ".join(sorted({stream.type for stream in container.streams})) or "nothing"
        raise LocalMisuse(f"clip {path}: no video track in it, only {held}; {_READABLE}")
    return tracks[0]


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error) or type(error).__name__
