"""Scores what was on the screen against what was captured, in a thread beside the call."""

from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final

from rtc.metrics.quality import psnr_y_db, quality_scores
from rtc.metrics.records import FrameRecord
from rtc.sim.codec_worker import PictureSource, picture_of
from rtc.sim.picture_store import PictureStore
from rtc.values.frames import VideoFrame

MAX_PENDING: Final = 16
"""How far the call may run ahead of the scores; bounds the pictures waiting."""


class QualityScorer:
    """One direction's scores: of each shown frame, and of what stood on the screen in place of each frame not shown.

    Driven by `on_shown` in display order and `finish` once. Scores land in the frames' records.
    """

    def __init__(self, sources: PictureStore, frames: list[FrameRecord], pool: ThreadPoolExecutor) -> None:
        self._sources = sources
        self._frames = frames
        self._pool = pool
        self._pending: deque[Future[None]] = deque()
        self._on_screen: PictureSource | None = None

    def on_shown(self, capture_index: int, picture: PictureSource) -> None:
        """A frame reached the screen; those captured since the one before it never will."""
        self._score_frozen(self._sources.indices_before(capture_index))
        self._on_screen = picture
        source = self._sources.picture(capture_index)
        if source is not None:
            self._submit(self._frames[capture_index], source, picture, is_shown=True)
            self._sources.forget(capture_index)

    def finish(self) -> None:
        """The call is over: score what was captured after the last shown frame, and wait for every score."""
        self._score_frozen(self._sources.indices())
        self._wait_until_pending(0)

    def _score_frozen(self, indices: list[int]) -> None:
        for index in indices:
            source = self._sources.picture(index)
            # Before the first picture there is nothing to compare; that wait is start-up time, not quality.
            if source is not None and self._on_screen is not None:
                self._submit(self._frames[index], source, self._on_screen, is_shown=False)
            self._sources.forget(index)

    def _submit(self, record: FrameRecord, source: VideoFrame, picture: PictureSource, *, is_shown: bool) -> None:
        self._wait_until_pending(MAX_PENDING)
        task = _score_shown if is_shown else _score_standing
        self._pending.append(self._pool.submit(task, record, source, picture))

    def _wait_until_pending(self, at_most: int) -> None:
        while len(self._pending) > at_most:
            self._pending.popleft().result()


def _score_shown(record: FrameRecord, source: VideoFrame, picture: PictureSource) -> None:
    quality = quality_scores(source, picture_of(picture))
    record.psnr_y_db, record.ssim = quality.psnr_y_db, quality.ssim_y
    record.psnr_with_freeze_db = quality.psnr_y_db


def _score_standing(record: FrameRecord, source: VideoFrame, picture: PictureSource) -> None:
    record.psnr_with_freeze_db = psnr_y_db(source, picture_of(picture))
