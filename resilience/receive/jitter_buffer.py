"""Decoded frames waiting for their playout time, and the order in which they reach the screen."""

from collections import deque
from dataclasses import dataclass, field
from typing import Final

from resilience.receive.playout_clock import PlayoutClock, PlayoutConfig
from rtc.values.errors import LocalMisuse
from rtc.values.packets import AssembledFrame

MAX_FRAMES: Final = 128
"""Frames being decoded or waiting for display: over a second at 60 frames a second, more than any playout delay."""
READY_TIMES_KEPT: Final = 1_024
"""Ready times of past frames, for those predicted from them; an older reference holds nobody up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JitterBufferConfig:
    """What the playout delay is to cover."""

    playout: PlayoutConfig = field(default_factory=PlayoutConfig)
    decode_margin_us: int = 10_000
    """Kept between the decoding of a held frame and its playout time; 360p takes 1 ms on a desktop."""
    protect_retransmissions: bool = True
    """Whether frames that waited for a retransmission, their own or a reference's, count. True buys an even picture
    where loss is frequent for about a round trip more delay; False shows such frames late."""

    def __post_init__(self) -> None:
        if self.decode_margin_us < 0:
            raise LocalMisuse(f"decode_margin_us is {self.decode_margin_us}: must not be negative")


@dataclass(slots=True)
class _Scheduled:
    rtp_timestamp: int
    ready_at_us: int
    first_packet_at_us: int


class JitterBuffer:
    """Shows decoded frames in order, each at its playout time or, when late, at once.

    Driven by `on_frame_decodable` when a frame is fed to the decoder, `on_frame_decoded` or `on_frame_refused` when
    the decoder answers, and `poll_display` until None, again at `next_timeout_us`. Decoding starts as soon as a frame
    is decodable; waiting happens behind the decoder, where decoded pictures are no longer in anyone's way. Promises to
    show each frame at most once, in the order of frame ids, never before it was decoded. Where several are due, only
    the newest is shown: the others would be on the screen for no time.
    """

    def __init__(self, config: JitterBufferConfig | None = None) -> None:
        self._config = config or JitterBufferConfig()
        self._clock = PlayoutClock(self._config.playout)
        self._ready_at_us: dict[int, int] = {}
        self._decoding: dict[int, _Scheduled] = {}
        self._decoded: dict[int, _Scheduled] = {}
        self._superseded: deque[int] = deque()
        self._last_shown_id: int | None = None
        self.jitter_buffer_delay_us = 0
        """From each shown frame's first packet to the screen, summed (webrtc-stats jitterBufferDelay)."""
        self.jitter_buffer_emitted_count = 0

    @property
    def target_delay_us(self) -> int:
        """Delay now added to the fastest frames."""
        return self._clock.target_delay_us

    def playout_time_us(self, frame: AssembledFrame) -> int:
        """When this frame should be on the screen, by what is known now."""
        return self._clock.playout_time_us(frame.metadata.rtp_timestamp, frame.assembled_at_us)

    def decode_deadline_us(self, frame: AssembledFrame) -> int:
        """The latest start of decoding with which the frame makes its playout time; how long to hold it for others."""
        return self.playout_time_us(frame) - self._config.decode_margin_us

    def on_frame_decodable(self, frame: AssembledFrame) -> None:
        """The frame is fed to the decoder now; call in decode order.

        The clock learns from when the frame could have been fed (itself and its references here), not from when it
        was: a frame held back on purpose must not teach it to wait longer still.
        """
        metadata = frame.metadata
        ready = self._ready_at_us
        ready_at_us = max([frame.assembled_at_us, *(ready.get(reference, 0) for reference in metadata.references)])
        ready[metadata.frame_id] = ready_at_us
        if len(ready) > READY_TIMES_KEPT:
            del ready[next(iter(ready))]
        if self._config.protect_retransmissions:
            self._clock.on_frame_ready(metadata.rtp_timestamp, ready_at_us)
        elif not frame.retransmissions:
            self._clock.on_frame_ready(metadata.rtp_timestamp, frame.assembled_at_us)
        self._decoding[metadata.frame_id] = _Scheduled(metadata.rtp_timestamp, ready_at_us, frame.first_packet_at_us)
        if len(self._decoding) > MAX_FRAMES:
            self._supersede(self._decoding, min(self._decoding))

    def on_frame_decoded(self, frame_id: int) -> None:
        """The picture is there; a frame older than one shown already is superseded."""
        scheduled = self._decoding.pop(frame_id, None)
        if scheduled is None:
            return
        if self._last_shown_id is not None and frame_id < self._last_shown_id:
            self._superseded.append(frame_id)
            return
        self._decoded[frame_id] = scheduled
        if len(self._decoded) > MAX_FRAMES:
            self._supersede(self._decoded, min(self._decoded))

    def on_frame_refused(self, frame_id: int) -> None:
        """The decoder refused this frame, or one it is built on: never show it."""
        self._decoding.pop(frame_id, None)
        self._decoded.pop(frame_id, None)

    def poll_display(self, now_us: int) -> int | None:
        """The frame to put on the screen now."""
        due = [frame_id for frame_id, scheduled in self._decoded.items() if self._playout_us(scheduled) <= now_us]
        if not due:
            return None
        newest = max(due)
        for older in sorted(frame_id for frame_id in self._decoded if frame_id < newest):
            self._supersede(self._decoded, older)
        shown = self._decoded.pop(newest)
        self._last_shown_id = newest
        self.jitter_buffer_emitted_count += 1
        self.jitter_buffer_delay_us += now_us - shown.first_packet_at_us
        return newest

    def poll_superseded(self) -> int | None:
        """A frame that was decoded but not shown, a newer one having taken its place; each once."""
        return self._superseded.popleft() if self._superseded else None

    def next_timeout_us(self) -> int | None:
        """When the next decoded frame is due."""
        return min(map(self._playout_us, self._decoded.values()), default=None)

    def _playout_us(self, scheduled: _Scheduled) -> int:
        return self._clock.playout_time_us(scheduled.rtp_timestamp, scheduled.ready_at_us)

    def _supersede(self, frames: dict[int, _Scheduled], frame_id: int) -> None:
        del frames[frame_id]
        self._superseded.append(frame_id)
