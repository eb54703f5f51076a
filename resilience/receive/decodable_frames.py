"""Which assembled frames may be decoded, and in what order: nothing whose references are missing."""

from bisect import bisect_left, insort
from collections import deque
from dataclasses import dataclass

from resilience.receive.fed_frames import FedFrames
from rtc.values.errors import LocalMisuse
from rtc.values.frames import FrameType
from rtc.values.packets import AssembledFrame
from rtc.values.trace_events import SkipReason


@dataclass(frozen=True, slots=True, kw_only=True)
class DecodableFramesConfig:
    """How much may wait for references."""

    max_frames: int = 300
    """Ten seconds at 30 frames a second without anything decodable; then the oldest are skipped."""
    max_bytes: int = 8_000_000

    def __post_init__(self) -> None:
        if min(self.max_frames, self.max_bytes) < 1:
            raise LocalMisuse("max_frames and max_bytes must be at least 1")


@dataclass(frozen=True, slots=True, kw_only=True)
class SkippedFrame:
    """An assembled frame that will never be decoded or must not be shown, and why."""

    frame_id: int
    reason: SkipReason


@dataclass(slots=True)
class _Waiting:
    frame: AssembledFrame
    hold_until_us: int
    size_bytes: int


class DecodableFrames:
    """Turns assembled frames into the order in which one stateful decoder is fed.

    Driven by `on_frame`, then `poll_decodable` until None (again at `next_timeout_us`), and `on_decode_failed`.

    The rule: a frame is fed when it is a key frame, or when every frame it refers to was fed since the last key frame
    and was not refused; frames are fed in the order of their ids, never one older than the last fed. That is enough
    for both codecs to rebuild every fed frame exactly: a skipped frame's slot update is missing at the decoder, but
    whatever refers to it is skipped too, and what a fed frame declares was fed in the encoder's order.

    Waiting: a decodable frame that does not follow the last fed one on the wire leaves behind frames that may still be
    repaired (an enhancement layer; the frames a recovery or key frame jumps over). It is held for them until its
    `hold_until_us`, the latest moment at which decoding it still makes its playout time, and fed then. A frame that
    nothing useful can precede is fed at once, so no hold ever delays a stream without gaps.
    """

    def __init__(self, config: DecodableFramesConfig | None = None) -> None:
        self._config = config or DecodableFramesConfig()
        self._waiting: dict[int, _Waiting] = {}
        self._order: list[int] = []
        self._bytes_held = 0
        self._fed = FedFrames()
        self._hopeless: set[int] = set()
        """Frames newer than the last fed one that will never be decodable; what refers to them is not either."""
        self._skipped: deque[SkippedFrame] = deque()
        self._held_until_us: int | None = None
        self._changed = False
        self.frames_invalid = 0
        """Frames whose references cannot be: to themselves or later ones, on a key frame, absent on another frame."""

    def __len__(self) -> int:
        return len(self._waiting)

    def on_frame(self, frame: AssembledFrame, now_us: int, *, hold_until_us: int | None = None) -> None:
        """Take an assembled frame; `hold_until_us` None means never to hold it for older ones."""
        frame_id = frame.metadata.frame_id
        last_fed_id = self._fed.last_id
        if frame_id in self._waiting or frame_id in self._hopeless or frame_id == last_fed_id:
            return
        if last_fed_id is not None and frame_id < last_fed_id:
            if not self._fed.knows(frame_id):
                self._skipped.append(SkippedFrame(frame_id=frame_id, reason=SkipReason.SUPERSEDED))
            return
        size_bytes = sum(map(len, frame.payloads))
        self._waiting[frame_id] = _Waiting(frame, now_us if hold_until_us is None else hold_until_us, size_bytes)
        insort(self._order, frame_id)
        self._bytes_held += size_bytes
        self._changed = True
        if not _references_are_possible(frame):
            self.frames_invalid += 1
            self._abandon(frame_id)
        self._make_room()

    def poll_decodable(self, now_us: int) -> AssembledFrame | None:
        """The next frame to feed to the decoder now; None when there is none, or when it is held."""
        if not self._changed and (self._held_until_us is None or now_us < self._held_until_us):
            return None
        self._held_until_us = None
        candidate = self._first_decodable()
        self._changed = False
        if candidate is None:
            return None
        if now_us < candidate.hold_until_us and self._may_be_preceded(candidate.frame):
            self._held_until_us = candidate.hold_until_us
            return None
        self._feed(candidate.frame)
        return candidate.frame

    def on_decode_failed(self, frame_id: int) -> tuple[int, ...]:
        """The decoder refused a fed frame; the fed frames built on it, whose pictures must not be shown either.

        A refused frame that was already among those of an earlier refusal is old news, and gives nothing.
        """
        if not self._fed.knows(frame_id):
            return ()
        tainted = self._fed.remove_with_dependants(frame_id)
        self._skipped.append(SkippedFrame(frame_id=frame_id, reason=SkipReason.DECODER_REFUSED))
        self._skipped.extend(
            SkippedFrame(frame_id=dependant, reason=SkipReason.REFERENCES_MISSING) for dependant in tainted
        )
        self._changed = True
        return tainted

    def poll_skipped(self) -> SkippedFrame | None:
        """A frame that will never be decoded or must not be shown, each once, in the order it was found out."""
        return self._skipped.popleft() if self._skipped else None

    def is_waiting_for_key(self) -> bool:
        """Whether decoding is known to stand still until a key or recovery frame.

        True before the first key frame, after a key frame was refused, and from the moment a frame newer than the
        last fed one is found undecodable for ever until a newer frame is fed. False while a frame is only missing:
        repair may still bring it.
        """
        return bool(self._hopeless) or not self._fed.can_predict_anything

    @property
    def is_stuck(self) -> bool:
        """Whether assembled frames newer than the last fed one cannot be fed; a frame held on purpose can."""
        return bool(self._hopeless) or (bool(self._waiting) and self._held_until_us is None)

    @property
    def last_fed_id(self) -> int | None:
        """The newest frame fed; nothing older will ever be, so repair of it is pointless."""
        return self._fed.last_id

    def next_timeout_us(self) -> int | None:
        """When a held frame must be fed."""
        return self._held_until_us

    def _first_decodable(self) -> _Waiting | None:
        """The oldest waiting frame whose references are all fed, abandoning those found hopeless on the way."""
        for frame_id in tuple(self._order):
            waiting = self._waiting[frame_id]
            metadata = waiting.frame.metadata
            if metadata.frame_type is FrameType.KEY or self._fed.can_predict(metadata):
                return waiting
            if self._is_hopeless(waiting.frame):
                self._abandon(frame_id)
        return None

    def _is_hopeless(self, frame: AssembledFrame) -> bool:
        """Whether a reference was passed over, refused, or is hopeless itself; one that is only missing may come."""
        last_fed_id = self._fed.last_id
        return any(
            reference in self._hopeless
            or (last_fed_id is not None and reference <= last_fed_id and not self._fed.may_refer_to(reference))
            for reference in frame.metadata.references
        )

    def _may_be_preceded(self, frame: AssembledFrame) -> bool:
        """Whether a frame between the last fed one and this one may yet become decodable."""
        last_fed_id, last_fed_sequence = self._fed.last_id, self._fed.last_sequence
        if last_fed_id is None or last_fed_sequence is None or not self._fed.can_predict_anything:
            return False
        if frame.first_sequence == last_fed_sequence + 1:
            return False
        between = frame.metadata.frame_id - last_fed_id - 1
        return between > sum(1 for hopeless in self._hopeless if hopeless < frame.metadata.frame_id)

    def _feed(self, frame: AssembledFrame) -> None:
        frame_id = frame.metadata.frame_id
        for older in self._order[: bisect_left(self._order, frame_id)]:
            self._abandon(older)
        self._remove(frame_id)
        self._fed.add(frame)
        self._hopeless = {hopeless for hopeless in self._hopeless if hopeless > frame_id}
        self._changed = True

    def _abandon(self, frame_id: int) -> None:
        self._remove(frame_id)
        self._hopeless.add(frame_id)
        if len(self._hopeless) > 2 * self._config.max_frames:
            self._hopeless.discard(min(self._hopeless))
        self._skipped.append(SkippedFrame(frame_id=frame_id, reason=SkipReason.REFERENCES_MISSING))

    def _remove(self, frame_id: int) -> None:
        self._bytes_held -= self._waiting.pop(frame_id).size_bytes
        del self._order[bisect_left(self._order, frame_id)]

    def _make_room(self) -> None:
        while len(self._waiting) > self._config.max_frames or self._bytes_held > self._config.max_bytes:
            self._abandon(self._order[0])


def _references_are_possible(frame: AssembledFrame) -> bool:
    metadata = frame.metadata
    if metadata.frame_type is FrameType.KEY:
        return not metadata.references
    return bool(metadata.references) and all(0 <= reference < metadata.frame_id for reference in metadata.references)
