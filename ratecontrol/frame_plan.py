"""What rate control orders for one frame; named tuples, which are quick to make, because each frame needs some."""

from typing import NamedTuple

from ratecontrol.frame_class import FrameClass
from ratecontrol.rate_model import FrameFacts


class FrameBudget(NamedTuple):
    """How many bits a frame should take, and how many it must not exceed where that can be helped."""

    target_bits: int
    limit_bits: int


class FramePlan(NamedTuple):
    """One encode of one frame: the quantizer, and what it is meant to give."""

    frame_class: FrameClass
    quantizer: int
    """In the codec's own scale."""
    budget: FrameBudget
    attempt: int
    """0 for the first encode of the picture."""
    facts: FrameFacts
    """What was known of the frame, for the rate model to learn from."""
    pixels: int
    """Of the coded size."""
    instead_of_us: int | None = None
    """For a key frame in place of a delta frame: the VBV delay that one would have left."""

    @property
    def cyclic_refresh(self) -> bool:
        """Whether the codec should refresh resting blocks at a finer quantizer, a part of the picture at a time."""
        return self.facts.is_refresh
