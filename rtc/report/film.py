"""The film of a call: what was on the screen at each tick of the display, as an H.264 file that any player opens."""

import contextlib
from collections import deque
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import av.video.stream
import numpy as np

from rtc.report.folder_names import unfinished_path
from rtc.report.screen import Screen
from rtc.values.errors import LocalMisuse
from rtc.values.formats import FrameSize
from rtc.values.frames import VideoFrame
from rtc.values.units import US_PER_S

_PICTURES_AHEAD = 8
"""How far the call may run ahead of the film's encoder; bounds the memory that waiting pictures take."""
_ENCODER_OPTIONS = {"preset": "ultrafast", "crf": "21"}
"""Fast, because the film is made while the call runs; near transparent, because it shows another codec's artefacts."""


class FilmWriter:
    """Writes `path` while the call runs, in a thread of its own; the file takes its name when it is whole.

    A call's driver drives it: `add` for each displayed frame, in time order over all directions, then `close` once.
    Directions stand side by side in the order of `sizes`. Before its first frame a picture is black; in a freeze the
    last frame stays. `abandon` leaves nothing behind.
    """

    def __init__(self, path: Path, sizes: Mapping[str, FrameSize], fps: Fraction | int) -> None:
        self._path = path
        self._fps = Fraction(fps)
        self._screen = Screen(sizes)
        self._ticks = 0
        self._newest_us = 0
        self._shown = self._screen.black
        self._pending: deque[Future[None]] = deque()
        self._is_broken = False
        self._unfinished = unfinished_path(path)
        self._container = av.open(self._unfinished, "w", format="mp4", options={"movflags": "faststart"})
        self._stream = self._open_stream()
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="film")

    def add(self, direction: str, at_us: int, frame: VideoFrame) -> None:
        """A frame reached this direction's screen at `at_us`; its pixels are copied and may be reused at once.

        Raises LocalMisuse for a time before that of an earlier call, or a direction that was not announced.
        """
        if at_us < self._newest_us:
            raise LocalMisuse(f"film: frames must come in time order, got {at_us} us after {self._newest_us} us")
        self._film_until(at_us)
        self._newest_us = at_us
        self._shown = self._screen.with_picture(self._shown, direction, frame)

    def close(self, end_us: int) -> None:
        """Film on until `end_us`, at least one picture, and put the file in its place."""
        try:
            self._film_until(max(end_us, 1))
            self._wait_until_pending(0)
            self._worker.submit(self._finish).result()
            self._unfinished.replace(self._path)
        finally:
            self._discard()

    def abandon(self) -> None:
        """Stop and remove what was written; that it could not be finished, on a full disk say, no longer matters."""
        with contextlib.suppress(av.error.FFmpegError, OSError):
            self._discard()

    def _open_stream(self) -> av.video.stream.VideoStream:
        stream: Any = self._container.add_stream("libx264", rate=self._fps, options=dict(_ENCODER_OPTIONS))
        stream.width, stream.height = self._screen.width, self._screen.height
        stream.pix_fmt = "yuv420p"
        stream.time_base = 1 / self._fps
        stream.codec_context.thread_count = 1
        return stream  # type: ignore[no-any-return]  # PyAV's stubs have no overload for a codec's name and a Fraction

    def _film_until(self, end_us: int) -> None:
        """Film the screen as it is at every tick before `end_us`."""
        while self._ticks * US_PER_S < end_us * self._fps:
            self._wait_until_pending(_PICTURES_AHEAD)
            self._pending.append(self._worker.submit(self._encode, self._ticks, self._shown))
            self._ticks += 1

    def _wait_until_pending(self, at_most: int) -> None:
        while len(self._pending) > at_most:
            self._pending.popleft().result()

    def _encode(self, tick: int, shown: np.ndarray) -> None:
        if self._is_broken:  # FFmpeg crashes when it is given more after it could not write the file's head
            return
        picture = av.VideoFrame.from_ndarray(shown, format="yuv420p")
        picture.pts = tick
        picture.time_base = 1 / self._fps
        try:
            self._container.mux(self._stream.encode(picture))
        except BaseException:
            self._is_broken = True
            raise

    def _finish(self) -> None:
        self._container.mux(self._stream.encode(None))
        self._container.close()

    def _discard(self) -> None:
        self._worker.shutdown(wait=True, cancel_futures=True)
        try:
            self._container.close()
        finally:
            self._unfinished.unlink(missing_ok=True)
