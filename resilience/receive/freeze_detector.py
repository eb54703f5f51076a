"""Freezes of the displayed picture, by the definition of W3C webrtc-stats, and by a fixed limit beside it.

The rule (webrtc-stats, freezeCount; completed where it is silent by what libwebrtc's video quality observer does):

- An interval between two consecutively displayed frames is a freeze when it is at least max(3 x avg, avg + 150 ms).
- avg is the mean of the last 30 intervals, the one being judged among them, and needs at least 5; so no interval
  before the fifth is ever a freeze. libwebrtc rounds avg down to whole milliseconds, here it is exact.
- A freeze lasts the whole interval, from the last frame before it to the first after it.
- Before the first frame nothing is frozen, there being no picture: that wait is the start-up time, a figure of its own.
- A freeze that the end of the call cuts short counts, from the last frame to the end, when that time meets the rule as
  an interval would. A browser's counter moves only with the next frame, so it would hide a picture frozen for good.
- webrtc-stats calls intervals over 5 s pauses, meant for senders that stop on purpose. Nobody pauses in these calls:
  they are freezes here.

A known blind spot (webrtc-stats issue 771): where the picture stutters all the time the average is high and hides
freezes. Hence the second rule: an interval over 200 ms is a long gap, whatever went before.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from rtc.values.errors import LocalMisuse

WINDOW_INTERVALS: Final = 30
MIN_INTERVALS: Final = 5
MEAN_FACTOR: Final = 3
MEAN_EXCESS_US: Final = 150_000
LONG_GAP_US: Final = 200_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Freeze:
    """A stretch during which one picture stood still."""

    start_us: int
    """Display time of the frame that stood still."""
    end_us: int
    """Display time of the frame that ended it, or the end of the call."""
    is_open: bool = False
    """Whether the call ended in it."""

    @property
    def duration_us(self) -> int:
        """How long the picture stood still."""
        return self.end_us - self.start_us


class FreezeDetector:
    """Counts freezes as frames are displayed.

    Driven by `on_frame_displayed` at each display and `on_call_ended` once at the end.
    """

    def __init__(self) -> None:
        self._intervals: deque[int] = deque()
        self._intervals_sum = 0
        self._last_us: int | None = None
        self.freeze_count = 0
        self.total_freezes_duration_us = 0
        self.longest_freeze_us = 0
        self.long_gap_count = 0
        """Intervals over 200 ms."""
        self.total_long_gaps_duration_us = 0

    def on_frame_displayed(self, now_us: int) -> Freeze | None:
        """A frame reached the screen; the freeze it ends, if it does."""
        freeze = self._judge(now_us, is_open=False)
        self._last_us = now_us
        return freeze

    def on_call_ended(self, now_us: int) -> Freeze | None:
        """Nothing more counts; the freeze the call ended in, if it did. None where frames were shown after `now_us`."""
        if self._last_us is not None and now_us < self._last_us:
            return None
        return self._judge(now_us, is_open=True)

    def _judge(self, now_us: int, *, is_open: bool) -> Freeze | None:
        start_us = self._last_us
        if start_us is None:
            return None
        interval_us = now_us - start_us
        if interval_us < 0:
            raise LocalMisuse(f"display time {now_us} us is before the last one, {start_us} us")
        self._count_gap(interval_us)
        if not self._is_freeze(interval_us):
            return None
        self.freeze_count += 1
        self.total_freezes_duration_us += interval_us
        self.longest_freeze_us = max(self.longest_freeze_us, interval_us)
        return Freeze(start_us=start_us, end_us=now_us, is_open=is_open)

    def _count_gap(self, interval_us: int) -> None:
        if interval_us > LONG_GAP_US:
            self.long_gap_count += 1
            self.total_long_gaps_duration_us += interval_us

    def _is_freeze(self, interval_us: int) -> bool:
        """Enter the interval into the average and compare; both sides times the count, so all stays whole."""
        self._intervals.append(interval_us)
        self._intervals_sum += interval_us
        if len(self._intervals) > WINDOW_INTERVALS:
            self._intervals_sum -= self._intervals.popleft()
        count = len(self._intervals)
        return count >= MIN_INTERVALS and count * interval_us >= max(
            MEAN_FACTOR * self._intervals_sum, self._intervals_sum + count * MEAN_EXCESS_US
        )


def freezes(display_times_us: Iterable[int], end_us: int | None = None) -> tuple[Freeze, ...]:
    """The freezes of a whole call; `display_times_us` ascending, `end_us` when the call ended (None: do not judge it).

    Take as the end the time at which another frame would have been displayed, not the end of capture: the last frame
    is on its way for a while.
    """
    detector = FreezeDetector()
    found = [detector.on_frame_displayed(time_us) for time_us in display_times_us]
    if end_us is not None:
        found.append(detector.on_call_ended(end_us))
    return tuple(freeze for freeze in found if freeze is not None)


def long_gaps(display_times_us: Iterable[int], end_us: int | None = None) -> tuple[Freeze, ...]:
    """The intervals over 200 ms of a whole call, the same way."""
    times = list(display_times_us)
    gaps = [
        Freeze(start_us=start_us, end_us=next_us)
        for start_us, next_us in pairwise(times)
        if next_us - start_us > LONG_GAP_US
    ]
    if times and end_us is not None and end_us - times[-1] > LONG_GAP_US:
        gaps.append(Freeze(start_us=times[-1], end_us=end_us, is_open=True))
    return tuple(gaps)
