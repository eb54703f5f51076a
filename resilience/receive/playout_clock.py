"""How long after capture frames are shown: long enough for most to have come, no longer."""

from bisect import bisect_left, insort
from collections import deque
from dataclasses import dataclass

from rtc.values.errors import LocalMisuse
from rtc.values.units import US_PER_S, VIDEO_CLOCK_HZ


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayoutConfig:
    """The trade between delay and late frames."""

    protected_permille: int = 950
    """Of the frames of the window, how many should make their playout time. The rest are shown late, at once: at 5 %
    one loss, key frame or scene cut in ten seconds delays no other frame; steady jitter or loss does."""
    window_us: int = 10_000_000
    """How far back frames count. Long enough that loss of 1 or 2 % is seen again and again within it."""
    max_delay_us: int = 300_000
    """Most delay added beyond the fastest frame of the window. With 100 ms of path and coding this stays within the
    400 ms that ITU-T G.114 gives as the limit of one-way delay; frames later than this are not waited for."""
    shrink_per_s_us: int = 50_000
    """How fast the delay comes down: playing 5 % faster is not noticed. It grows at once."""
    settling_frames: int = 30
    """First frames during which the delay follows the estimate down at once: the first key frame was slow."""

    def __post_init__(self) -> None:
        if not 0 <= self.protected_permille <= 1000:  # noqa: PLR2004 - a fraction in thousandths
            raise LocalMisuse(f"protected_permille is {self.protected_permille}: must be from 0 to 1000")
        if min(self.window_us, self.max_delay_us, self.shrink_per_s_us, self.settling_frames) < 0:
            raise LocalMisuse("playout intervals and rates must not be negative")


def capture_time_us(rtp_timestamp: int) -> int:
    """The sender's capture time that an unwrapped 90 kHz timestamp stands for; its zero is arbitrary."""
    return rtp_timestamp * US_PER_S // VIDEO_CLOCK_HZ


class PlayoutClock:
    """Maps the sender's capture clock to display times on ours.

    Driven by `on_frame_ready` for each frame, with the time from which it could be decoded. A frame's transit is that
    time less its capture time: path, pacing, queueing, repair, and the unknown offset of the clocks together. The
    playout offset is the transit that `protected_permille` of the last `window_us` stayed within, at most
    `max_delay_us` above the least of them; so clock drift and route changes are followed, and on a path without jitter
    nothing is added. All integers: same input, same output on every machine.
    """

    def __init__(self, config: PlayoutConfig | None = None) -> None:
        self._config = config or PlayoutConfig()
        self._samples: deque[tuple[int, int]] = deque()
        self._sorted_transits: list[int] = []
        self._offset_us: int | None = None
        self._updated_at_us = 0
        self._frames = 0

    @property
    def target_delay_us(self) -> int:
        """Delay now added to the fastest frame of the window."""
        if self._offset_us is None:
            return 0
        return max(0, self._offset_us - self._sorted_transits[0])

    def on_frame_ready(self, rtp_timestamp: int, ready_at_us: int) -> None:
        """Learn from one frame; call once a frame, in about the order in which they are ready."""
        self._forget_before(ready_at_us - self._config.window_us)
        transit_us = ready_at_us - capture_time_us(rtp_timestamp)
        # No delay we may add would have saved a frame this late, so it does not speak for adding any.
        if self._sorted_transits and transit_us > self._sorted_transits[0] + self._config.max_delay_us:
            return
        self._samples.append((ready_at_us, transit_us))
        insort(self._sorted_transits, transit_us)
        self._frames += 1
        self._follow(ready_at_us)

    def playout_time_us(self, rtp_timestamp: int, ready_at_us: int) -> int:
        """When to show a frame that is (or would be) ready at `ready_at_us`.

        Never before that, and never more than `max_delay_us` after it, whatever its timestamp claims.
        """
        if self._offset_us is None:
            return ready_at_us
        planned_us = capture_time_us(rtp_timestamp) + self._offset_us
        return min(max(planned_us, ready_at_us), ready_at_us + self._config.max_delay_us)

    def _follow(self, now_us: int) -> None:
        transits = self._sorted_transits
        protected = transits[(len(transits) - 1) * self._config.protected_permille // 1000]
        wanted_us = min(protected, transits[0] + self._config.max_delay_us)
        if self._offset_us is not None and self._frames > self._config.settling_frames:
            elapsed_us = max(0, now_us - self._updated_at_us)
            wanted_us = max(wanted_us, self._offset_us - elapsed_us * self._config.shrink_per_s_us // US_PER_S)
        self._offset_us = wanted_us
        self._updated_at_us = max(self._updated_at_us, now_us)

    def _forget_before(self, oldest_us: int) -> None:
        while self._samples and self._samples[0][0] < oldest_us:
            transit_us = self._samples.popleft()[1]
            del self._sorted_transits[bisect_left(self._sorted_transits, transit_us)]
