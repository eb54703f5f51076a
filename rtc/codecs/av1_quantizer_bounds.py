"""Exact quantizers out of libaom's own rate control: it is starved, so that it sits at its coarsest bound.

libaom's control for a quantizer of one's own (159) turns cyclic refresh off for good. Bounds that leave it no choice
make the same streams, and where they leave room below, libaom uses it for the blocks it refreshes. What keeps the frame
itself at the coarsest bound was found in experiments with libaom 3.13.1; see `tests/rtc/codecs`. One exception is left:
libaom grants every frame 200 bits, and with room takes a finer quantizer where it expects the frame to need less.
"""

from dataclasses import dataclass
from typing import Final

from rtc.codecs.encoder_values import MAX_TEMPORAL_LAYERS
from rtc.values.encoding import ConstantQuantizer, EncodedAs, FrameEncodeSettings
from rtc.values.formats import FrameSize

FRAME_US: Final = 1_000
"""How long libaom is told that a frame lasts: at a few kbit/s that is a few bits, and no frame is smaller."""
REFRESH_STEPS: Final = 14
"""How many quantizers finer refreshed blocks may be."""
FINEST_REFRESH: Final = 2
MAX_RISE: Final = 8
"""A quantizer that rises by more gets no room: of frames much coarser than the last, libaom expects too few bits."""
KBPS: Final = (3, 4)
"""Targets taken in turns with each change of bounds. A change by more than a tenth lifts libaom's limit on how far the
quantizer may rise from one frame to the next; one by half or more would have it begin anew with bits saved up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """What libaom is told for one temporal layer."""

    finest: int
    coarsest: int
    """The frame's quantizer."""
    kbps: int


class QuantizerBounds:
    """Remembers what libaom was told for each temporal layer; driven by the encoder, frame by frame."""

    def __init__(self, full: FrameSize) -> None:
        self._full = full
        self.in_force = False
        """Whether libaom was told any; before, its own rate control is in charge."""
        self.layers = [Bounds(finest=0, coarsest=0, kbps=0)] * MAX_TEMPORAL_LAYERS

    def change(self, settings: FrameEncodeSettings, rate: ConstantQuantizer) -> bool:
        """Take the bounds of a frame; whether libaom must be told."""
        told, coarsest = self.layers[settings.temporal_layer], rate.quantizer
        finest = coarsest
        if self._has_room(settings, rate):
            finest = min(coarsest, max(FINEST_REFRESH, coarsest - REFRESH_STEPS))
        if self.in_force and (told.finest, told.coarsest) == (finest, coarsest):
            return False
        kbps = KBPS[told.kbps == KBPS[0]]
        self.layers[settings.temporal_layer] = Bounds(finest=finest, coarsest=coarsest, kbps=kbps)
        self.in_force = True
        return True

    def _has_room(self, settings: FrameEncodeSettings, rate: ConstantQuantizer) -> bool:
        """Only where libaom refreshes, and only after a frame without, which drains what a target before saved up.

        Below full size libaom keeps its limits on how fast the quantizer may change, whatever its target does.
        """
        refreshes = settings.encode_as is EncodedAs.DELTA and settings.temporal_layer == 0
        rise = rate.quantizer - self.layers[settings.temporal_layer].coarsest
        is_steady = self.in_force and rise <= MAX_RISE and settings.coded_size == self._full
        return rate.cyclic_refresh and refreshes and is_steady
