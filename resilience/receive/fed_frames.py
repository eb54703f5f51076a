"""The frames a decoder was fed since its last key frame: what later frames may be predicted from."""

from collections import deque
from typing import Final

from rtc.values.frames import FrameMetadata, FrameType
from rtc.values.packets import AssembledFrame

REFERENCE_REACH: Final = 4_096
"""How far back an ordinary reference may lie, in fed frames; a Dependency Descriptor's frame difference has 12 bits."""
LONG_TERM_REACH: Final = 64
"""Long-term references remembered beyond that reach; a decoder has 8 slots (AV1) or 16 (H.264)."""


class FedFrames:
    """Remembers fed frames that were not refused, with what they were predicted from.

    A key frame empties every slot of both codecs' decoders (a shown AV1 key frame refreshes all of them, an H.264 IDR
    marks all unused), so nothing older may be referred to after it. Older frames stay known, because a refusal found
    out later still taints those built on it. Memory is bounded over a call of any length.
    """

    def __init__(self) -> None:
        self._references: dict[int, tuple[int, ...]] = {}
        self._order: deque[int] = deque()
        self._long_term: deque[int] = deque()
        self._key: FrameMetadata | None = None
        self._key_refused = False
        self.last_id: int | None = None
        self.last_sequence: int | None = None
        """Last packet of the newest fed frame."""

    def add(self, frame: AssembledFrame) -> None:
        """The frame was handed to the decoder; newer than every one before."""
        metadata = frame.metadata
        if metadata.frame_type is FrameType.KEY:
            self._key_refused = False
            self._key = metadata
        self._references[metadata.frame_id] = metadata.references
        kept, reach = self._order, REFERENCE_REACH
        if metadata.is_long_term_reference:
            kept, reach = self._long_term, LONG_TERM_REACH
        kept.append(metadata.frame_id)
        if len(kept) > reach:
            self._references.pop(kept.popleft(), None)
        self.last_id = metadata.frame_id
        self.last_sequence = frame.last_sequence

    @property
    def can_predict_anything(self) -> bool:
        """Whether any delta frame could be decoded: false before a key frame and after one was refused."""
        return self._key is not None and not self._key_refused

    def knows(self, frame_id: int) -> bool:
        """Whether this frame was fed and neither refused, nor built on one refused, nor too old to remember."""
        return frame_id in self._references

    def may_refer_to(self, frame_id: int) -> bool:
        """Whether a frame after the last fed one may be predicted from this one."""
        return self._key is not None and frame_id >= self._key.frame_id and frame_id in self._references

    def can_predict(self, metadata: FrameMetadata) -> bool:
        """Whether every reference of a delta frame is here, in the same codec."""
        key = self._key
        if key is None or metadata.codec is not key.codec:
            return False
        return all(map(self.may_refer_to, metadata.references))

    def remove_with_dependants(self, frame_id: int) -> tuple[int, ...]:
        """Forget a frame and every fed frame built on it; those, ascending."""
        if self._references.pop(frame_id, None) is None:
            return ()
        self._key_refused = self._key_refused or (self._key is not None and frame_id == self._key.frame_id)
        broken = {frame_id}
        for later in sorted(fed for fed in self._references if fed > frame_id):
            if not broken.isdisjoint(self._references[later]):
                broken.add(later)
                del self._references[later]
        broken.remove(frame_id)
        return tuple(sorted(broken))
