"""The quantizers of key frames: of those wanted, of those made again, of those made in place of a delta frame."""

from typing import Final

from ratecontrol.frame_plan import FrameBudget, FramePlan
from ratecontrol.key_frame_instead import KeyFrameInstead
from ratecontrol.key_frame_model import KeyFrameModel
from rtc.values.formats import Codec

MOST_KEY_ENCODES: Final = 4
"""At one size."""
FILL_PERCENT: Final = 80
"""A key frame that uses less of its limit is worth one more try, because everything after it lives on it."""


class KeyFramePlanner:
    """Knows what key frames cost and when one is worth it; driven by the rate controller."""

    def __init__(self, codec: Codec, coarsest: int) -> None:
        self._model = KeyFrameModel(codec)
        self._usual = KeyFrameModel(codec)
        self._instead = KeyFrameInstead(coarsest) if codec is Codec.H264 else None

    def first(self, budget: FrameBudget, pixels: int) -> int:
        """For the first encode of a picture."""
        self._model.next_picture()
        return self._model.quantizer_for(budget.target_bits, pixels)

    def again(self, plan: FramePlan, bits: int) -> int | None:
        """For another encode of a picture that came to so many bits; None where this one will do."""
        self._model.learn(plan.quantizer, bits, plan.pixels)
        limit = plan.budget.limit_bits
        quantizer = self._model.quantizer_for(plan.budget.target_bits, plan.pixels)
        if bits > limit and plan.attempt + 1 < MOST_KEY_ENCODES:
            return max(quantizer, plan.quantizer + 1 + plan.attempt)
        return quantizer if bits < limit * FILL_PERCENT // 100 and plan.attempt == 0 else None

    def for_new_content(self, bits: int, pixels: int) -> int:
        """For a delta frame of content that nothing before it resembles.

        Where it cannot be made again, what flat pictures cost is no evidence for it.
        """
        quantizer = self._model.quantizer_for(bits, pixels)
        return quantizer if self._instead is None else max(quantizer, self._usual.quantizer_for(bits, pixels))

    def in_place_of(
        self, plan: FramePlan, bits: int, budget: FrameBudget, *, captured_at_us: int, resting_permille: int
    ) -> int | None:
        """For a key frame of a picture whose delta frame came to too many `bits`; None where it is not worth it."""
        instead = self._instead
        if instead is None or not instead.is_worth(
            plan, bits, self._model, captured_at_us=captured_at_us, resting_permille=resting_permille
        ):
            return None
        return self._model.quantizer_for(budget.target_bits, plan.pixels)

    def on_sent(self, captured_at_us: int) -> None:
        """A key frame is sent, whatever for."""
        if self._instead is not None:
            self._instead.on_key_frame(captured_at_us)
