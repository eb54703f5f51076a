"""When to ask the sender for a key frame (RFC 4585 section 6.3.1, picture loss indication)."""

import enum
from collections.abc import Sequence
from dataclasses import dataclass

from rtc.values.errors import LocalMisuse
from rtc.values.packets import AssembledFrame


class KeyFrameNeed(enum.Enum):
    """Why a key frame was asked for."""

    NEVER_STARTED = "never_started"
    """Frames come, and no key frame was among them yet."""
    STUCK = "stuck"
    """Frames are assembled that cannot be decoded, for longer than repair takes."""
    NOTHING_ASSEMBLED = "nothing_assembled"
    """Packets come and make no frame."""
    REPAIR_GAVE_UP = "repair_gave_up"
    """Packets went missing for good and nothing sent after them was decodable."""
    DECODER_REFUSED = "decoder_refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyFrameRequestConfig:
    """When a receiver is stuck, and how often it asks.

    Chromium asks after 200 ms where it never had a key frame and about every 3 s where it is stuck. A stall of 3 s is
    a failure in a conversation, and a key frame too many costs a few frames' worth of bits: so sooner, but not before
    retransmission has had its chance.
    """

    stuck_base_us: int = 100_000
    """Three frames at 30 a second: reordering, and the frame whose arrival shows the gap."""
    repair_rounds: int = 3
    """Round trips granted to retransmission on top: a request and two repeats. A key frame takes a round trip as well,
    so asking earlier gains little and costs the bits of a key frame. 0 where NACK is off."""
    nothing_assembled_after_us: int = 3_000_000
    """Packets without any whole frame; long, because a large key frame on a slow path takes seconds."""
    min_interval_us: int = 300_000
    """Least time between requests; or two round trips (one where NACK is off) and `retry_margin_us`, where longer: one
    for the key frame to come, one for its missing packets."""
    retry_margin_us: int = 100_000
    """The key frame must be encoded and takes time on the wire."""
    max_interval_us: int = 1_000_000
    """The interval doubles up to this while nothing becomes decodable, so as not to fill a path that is too slow."""
    key_frame_silence_us: int = 1_000_000
    """While packets of a key frame come no further apart than this and nothing else comes between, no repeat: a key
    frame of 10 kB takes 2 s at 40 kbps, and a second one would only queue up behind it."""

    def __post_init__(self) -> None:
        if min(self.stuck_base_us, self.repair_rounds, self.retry_margin_us) < 0:
            raise LocalMisuse("stuck_base_us, repair_rounds and retry_margin_us must not be negative")
        if not 1 <= self.min_interval_us <= self.max_interval_us:
            raise LocalMisuse("intervals must satisfy 1 <= min_interval_us <= max_interval_us")


class KeyFrameRequester:
    """Decides when the receiver needs a key frame that will not come unasked.

    Driven by what happens on the receive side (`on_*`), and by `poll_request` after it and at `next_timeout_us`. A
    refusal and a repair given up call for one at once, being stuck after a while. A decodable frame that is newer than
    the trouble ends it, and the back-off with it. A request is repeated only to a sender that was heard since the last.
    """

    def __init__(self, config: KeyFrameRequestConfig | None = None, *, round_trip_us: int = 100_000) -> None:
        self._config = config or KeyFrameRequestConfig()
        self._round_trip_us = round_trip_us
        self._started = False
        self._undecodable_since_us: int | None = None
        self._unassembled_since_us: int | None = None
        self._last_packet_us = 0
        self._heard_since_request = True
        self._trouble: KeyFrameNeed | None = None
        self._trouble_ends_after: int | None = None
        self._allowed_at_us = 0
        self._key_frame_until_us = 0
        self._interval_us: int | None = None
        self.requests_made = 0

    def on_round_trip(self, round_trip_us: int) -> None:
        """The path's round trip was measured."""
        self._round_trip_us = round_trip_us

    def on_packet(self, now_us: int, *, of_key_frame: bool = False) -> None:
        """A media packet came. While a key frame is coming in, there is no point in asking for another.

        Another frame's packet shows that the key frame was sent to its end, and what lacks of it now is lost.
        """
        self._last_packet_us = now_us
        self._heard_since_request = True
        if self._unassembled_since_us is None:
            self._unassembled_since_us = now_us
        self._key_frame_until_us = now_us + self._config.key_frame_silence_us if of_key_frame else 0

    def on_frame_assembled(self, now_us: int, *, is_stuck: bool) -> None:
        """A frame is whole, and all that it made decodable was fed; `is_stuck` as `DecodableFrames` says after that."""
        self._unassembled_since_us = None
        if not is_stuck:
            self._undecodable_since_us = None
        elif self._undecodable_since_us is None:
            self._undecodable_since_us = now_us

    def on_frame_decodable(self, frame: AssembledFrame) -> None:
        """A frame is fed to the decoder: decoding goes on, unless packets after it were given up."""
        self._started = True
        self._undecodable_since_us = None
        if self._trouble_ends_after is None or frame.first_sequence > self._trouble_ends_after:
            self._trouble = None
            self._trouble_ends_after = None
            self._interval_us = None

    def on_packets_given_up(self, sequences: Sequence[int]) -> None:
        """Repair of these was given up; pass only those newer than the last frame fed."""
        if not sequences:
            return
        newest = max(sequences)
        self._trouble = self._trouble or KeyFrameNeed.REPAIR_GAVE_UP
        self._trouble_ends_after = max(newest, self._trouble_ends_after or newest)

    def on_decoder_refused(self, frame: AssembledFrame) -> None:
        """The decoder did not take a frame whose references it was fed."""
        self._trouble = KeyFrameNeed.DECODER_REFUSED
        self._trouble_ends_after = max(frame.last_sequence, self._trouble_ends_after or frame.last_sequence)

    def poll_request(self, now_us: int) -> KeyFrameNeed | None:
        """Why to ask now, or None; each answer stands for one request sent."""
        due = self._due()
        if due is None or now_us < due[0]:
            return None
        self._heard_since_request = False
        self._interval_us = self._next_interval_us()
        self._allowed_at_us = now_us + self._interval_us
        self.requests_made += 1
        return due[1]

    def next_timeout_us(self) -> int | None:
        """When `poll_request` will ask if nothing changes."""
        due = self._due()
        return None if due is None else due[0]

    def _due(self) -> tuple[int, KeyFrameNeed] | None:
        if not self._heard_since_request:
            return None
        need = self._earliest_need()
        if need is None:
            return None
        return max(need[0], self._allowed_at_us, self._key_frame_until_us), need[1]

    def _earliest_need(self) -> tuple[int, KeyFrameNeed] | None:
        """The first moment at which there is reason to ask, were nothing asked before; 0 for at once."""
        if self._trouble is not None:
            return 0, self._trouble
        if self._undecodable_since_us is not None:
            patience_us = self._config.stuck_base_us + self._config.repair_rounds * self._round_trip_us
            need = KeyFrameNeed.STUCK if self._started else KeyFrameNeed.NEVER_STARTED
            return self._undecodable_since_us + patience_us, need
        if self._unassembled_since_us is None:
            return None
        heard_for_us = self._last_packet_us - self._unassembled_since_us
        return (0, KeyFrameNeed.NOTHING_ASSEMBLED) if heard_for_us >= self._config.nothing_assembled_after_us else None

    def _first_interval_us(self) -> int:
        round_trips = 2 if self._config.repair_rounds else 1
        return max(self._config.min_interval_us, round_trips * self._round_trip_us + self._config.retry_margin_us)

    def _next_interval_us(self) -> int:
        if self._interval_us is None:
            return self._first_interval_us()
        return max(self._first_interval_us(), min(2 * self._interval_us, self._config.max_interval_us))
