"""Which size each frame is coded at: as the rate allows, as the content allows, and within reach of its reference."""

from typing import Final

from ratecontrol.coded_size import MOST_SHRINK, SizeForRate
from ratecontrol.content_size import SizeForContent
from rtc.values.formats import Codec, FrameSize

GROWS_AT: Final = 2
"""Times the target of the last key frame."""
FOLLOWS_CONTENT: Final = frozenset({Codec.AV1})
"""Codecs that change size without a key frame."""


class CodedSizePlanner:
    """Combines what rate and content allow.

    Driven by the call's controller: `size` for each picture, `smaller` for one that breaks its bound at the coarsest
    quantizer, `on_sent` for what is sent.
    """

    def __init__(self, codec: Codec, full: FrameSize, pictures_per_s: int) -> None:
        self._resizes_freely = codec in FOLLOWS_CONTENT
        self._rate = SizeForRate(codec, full)
        self._content = SizeForContent(self._rate.sizes, pictures_per_s)
        self._reference: FrameSize | None = None
        self._until_key_frame: FrameSize | None = None
        self._key_bps = 0

    def size(self, target_bps: int, share_bits: int, *, is_key: bool) -> FrameSize:
        """The largest size for the next picture; `share_bits` are an average frame's."""
        if is_key:
            self._until_key_frame, self._key_bps = None, target_bps
        elif not self._resizes_freely:
            return self._until_key_frame or self._rate.size
        wanted = self._rate.follow(target_bps, is_key=is_key)
        if self._resizes_freely:
            index = self._content.follow(share_bits)
            if index:
                wanted = min(wanted, self._rate.sizes[index], key=lambda size: size.pixels)
        return wanted if is_key else self._within_reach(wanted)

    def grows_by_key_frame(self, target_bps: int, full: FrameSize) -> bool:
        """Whether a key frame should be made for a larger size: the target has doubled since one made it small.

        Of a codec that changes size at key frames alone; each doubling asks once.
        """
        reference = self._reference
        if self._resizes_freely or reference is None or reference.pixels >= full.pixels:
            return False
        return target_bps >= GROWS_AT * self._key_bps

    def smaller(self, size: FrameSize, overrun: float, *, is_key: bool) -> FrameSize | None:
        """For another encode of a picture that came to `overrun` times its bound at `size`; None where none helps."""
        index = self._content.smaller_than(self._index_of(size), overrun)
        if index is None or not (is_key or self._resizes_freely):
            return None
        smaller = self._rate.sizes[index] if is_key else self._within_reach(self._rate.sizes[index])
        return smaller if smaller.pixels < size.pixels else None

    def on_sent(self, size: FrameSize, log_coarsest_bits: float | None, *, is_smaller: bool = False) -> None:
        """A frame of this size is sent.

        `log_coarsest_bits` is what it would have come to at the coarsest quantizer, where that is known and tells of
        the frames to come; `is_smaller` says that the size is less than was planned for the picture.
        """
        self._reference = size
        if is_smaller and not self._resizes_freely:
            self._until_key_frame = size
        if log_coarsest_bits is None:
            return
        if is_smaller:
            self._content.hold(log_coarsest_bits, self._index_of(size))
        else:
            self._content.on_sent(log_coarsest_bits, size.pixels)

    def _within_reach(self, wanted: FrameSize) -> FrameSize:
        """`wanted`, or the smallest size that may be predicted from the frame sent last."""
        reference = self._reference
        if reference is None or reference.width <= MOST_SHRINK * wanted.width:
            return wanted
        return next(size for size in reversed(self._rate.sizes) if reference.width <= MOST_SHRINK * size.width)

    def _index_of(self, size: FrameSize) -> int:
        """Of the largest size no larger."""
        sizes = self._rate.sizes
        return next((index for index, one in enumerate(sizes) if one.pixels <= size.pixels), len(sizes) - 1)
