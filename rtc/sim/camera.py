"""A camera in virtual time: pictures of a clip at the call's rate, rendered ahead in a thread of their own."""

from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final

from clips.clip import Clip
from clips.picture_change import PictureChangeMeter
from rtc.values.frames import CapturedFrame, PictureChange, VideoFrame

BATCH_FRAMES: Final = 4
"""Frames rendered in one go: handing work to another thread costs about a tenth of rendering a frame."""
BATCHES_AHEAD: Final = 2
MeasuredPicture = tuple[VideoFrame, PictureChange]


class Camera:
    """Delivers frame `i` at `first_us + i / fps` until `end_us`; times are exact, without drift."""

    def __init__(self, clip: Clip, *, first_us: int, end_us: int) -> None:
        self._clip = clip
        self._first_us = first_us
        self._end_us = end_us
        self._index = 0
        self._rendered = 0
        self._renderer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="camera")
        self._meter = PictureChangeMeter()
        self._batches: deque[Future[list[MeasuredPicture]]] = deque()
        self._ready: deque[MeasuredPicture] = deque()

    def next_frame_us(self) -> int | None:
        """When the next picture comes; None when the camera has stopped."""
        at_us = self._instant_us(self._index)
        return at_us if at_us < self._end_us else None

    def capture(self) -> tuple[CapturedFrame, VideoFrame]:
        """The next picture, with the time of its instant."""
        if not self._ready:
            self._render_ahead()
            self._ready.extend(self._batches.popleft().result())
            self._render_ahead()
        picture, change = self._ready.popleft()
        frame = CapturedFrame(
            capture_index=self._index,
            captured_at_us=self._instant_us(self._index),
            size=picture.size,
            change=change,
        )
        self._index += 1
        return frame, picture

    def close(self) -> None:
        """Stop rendering and let go of the clip."""
        self._renderer.shutdown(wait=True, cancel_futures=True)
        self._clip.close()

    def _render_ahead(self) -> None:
        while len(self._batches) < BATCHES_AHEAD and self._instant_us(self._rendered) < self._end_us:
            batch = range(self._rendered, self._rendered + BATCH_FRAMES)
            self._batches.append(self._renderer.submit(self._render, batch))
            self._rendered = batch.stop

    def _render(self, batch: range) -> list[MeasuredPicture]:
        pictures = [self._clip.frame(index) for index in batch if self._instant_us(index) < self._end_us]
        return [(picture, self._meter.measure(picture)) for picture in pictures]

    def _instant_us(self, index: int) -> int:
        return self._first_us + self._clip.instant_us(index)
