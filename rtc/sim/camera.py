"""A camera in virtual time: pictures of a clip at the call's rate, rendered ahead in a thread of their own."""

from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final

from clips.clip import Clip
from rtc.values.frames import CapturedFrame, VideoFrame
from rtc.values.units import US_PER_S

FRAMES_AHEAD: Final = 8


class Camera:
    """Delivers frame `i` at `first_us + i / fps` until `end_us`; times are exact, without drift."""

    def __init__(self, clip: Clip, *, first_us: int, end_us: int) -> None:
        self._clip = clip
        self._first_us = first_us
        self._end_us = end_us
        self._index = 0
        self._rendered = 0
        self._renderer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="camera")
        self._ahead: deque[Future[VideoFrame]] = deque()

    def next_frame_us(self) -> int | None:
        """When the next picture comes; None when the camera has stopped."""
        at_us = self._instant_us(self._index)
        return at_us if at_us < self._end_us else None

    def capture(self) -> tuple[CapturedFrame, VideoFrame]:
        """The next picture, with the time of its instant."""
        self._render_ahead()
        picture = self._ahead.popleft().result()
        frame = CapturedFrame(
            capture_index=self._index, captured_at_us=self._instant_us(self._index), size=picture.size
        )
        self._index += 1
        return frame, picture

    def close(self) -> None:
        """Stop rendering and let go of the clip."""
        self._renderer.shutdown(wait=True, cancel_futures=True)
        self._clip.close()

    def _render_ahead(self) -> None:
        while len(self._ahead) < FRAMES_AHEAD and self._instant_us(self._rendered) < self._end_us:
            self._ahead.append(self._renderer.submit(self._clip.frame, self._rendered))
            self._rendered += 1

    def _instant_us(self, index: int) -> int:
        return self._first_us + index * US_PER_S // self._clip.fps
