"""Encoding a picture more than once from the same references, and which of the encodes to send.

A frame over its limit is encoded again, coarser. With two candidates every delta frame is encoded at two quantizers,
and the one that leaves the bucket nearer to where it should be is sent.
"""

import math
from collections.abc import Sequence
from typing import Final

from ratecontrol.frame_plan import FramePlan
from ratecontrol.rate_model import MIN_BITS

MOST_ENCODES: Final = 6
FIRST_SLOPE: Final = 0.14
SLOPES: Final = (0.06, 0.4)
FAR_OVER: Final = 1.5
SAFE_SLOPE: Final = 0.08
"""For frames over four times their limit, where other content began: better too coarse once than too large."""
SLOPE_WEIGHT: Final = 0.25
AIM_PERCENT: Final = 90
"""Of the limit, for the next try."""
FINER_AT_MOST: Final = 6
WASTED_PERCENT: Final = 75
"""Of an average frame: what leaves less in the bucket wastes bits, and is worth another encode."""
WHOLE: Final = 100
"""One, in percent."""
SPARE_PERCENT: Final = 6
"""Pictures in a hundred that may be encoded again only to save wasted bits."""
MOST_SPARE: Final = 6
TOLERANCE_PERCENT: Final = 2
"""Frames in a hundred that may be a little over their limit, which is a 95th percentile."""
TOLERATED_PERCENT: Final = 110
"""Of the delay at the limit: well under the 99th percentile."""


Encode = tuple[int, int]
"""A quantizer, and the bits that one picture came to at it."""


class Allowance:
    """Lets something happen in a few pictures in a hundred, with some saved up; driven by `EncodeAgain`."""

    def __init__(self, *, percent: int, most: int, at_first: int = 0) -> None:
        self._percent = percent
        self._most_percent = most * WHOLE
        self._credit_percent = at_first * WHOLE

    def on_picture(self) -> None:
        """A picture is about to be encoded."""
        self._credit_percent = min(self._most_percent, self._credit_percent + self._percent)

    def take(self) -> bool:
        """Whether it may happen now, which spends it."""
        if self._credit_percent < WHOLE:
            return False
        self._credit_percent -= WHOLE
        return True


class EncodeAgain:
    """Finds the quantizer of another encode of the same picture; driven by the rate controller.

    Two encodes of one picture from the same references differ in nothing but the quantizer, so what they cost gives
    the slope to step by. It is steeper than the model's, whose references follow the quantizer.
    """

    def __init__(self, candidates: int = 1) -> None:
        self._candidates = candidates
        self._spare_encodes = Allowance(percent=SPARE_PERCENT, most=MOST_SPARE, at_first=MOST_SPARE)
        self._tolerance = Allowance(percent=TOLERANCE_PERCENT, most=1)
        self._slope = FIRST_SLOPE
        self._before: Encode | None = None
        self._pair: tuple[Encode, Encode] | None = None
        self._over: Encode | None = None
        self._under: Encode | None = None

    @property
    def has_fitting(self) -> bool:
        """Whether an encode of this picture stayed within its limit."""
        return self._under is not None

    @property
    def pair(self) -> tuple[Encode, Encode] | None:
        """The latest two encodes of the picture, the finer first; None after its first one."""
        return self._pair

    def on_picture(self) -> None:
        """A picture is about to be encoded."""
        self._spare_encodes.on_picture()
        self._tolerance.on_picture()

    def next_quantizer(
        self, plan: FramePlan, bits: int, *, share_bits: int, bucket_bits: int, keeps_up: bool
    ) -> int | None:
        """For another encode of the picture, after `on_encoded`; None where what there is will do.

        `share_bits` are an average frame's, `bucket_bits` what was in the bucket before. Where the encoder does not
        keep up with the pictures another encode costs the next of them, an interval, and must save as much.
        """
        excess = bits - plan.budget.limit_bits
        if not self.has_fitting:
            if not keeps_up and excess < share_bits:
                return None
            most = (bucket_bits + plan.budget.limit_bits) * TOLERATED_PERCENT // 100
            tolerated = plan.attempt == 0 and bucket_bits + bits <= most and self._tolerance.take()
            return None if tolerated else self.coarser(plan, bits)
        if plan.attempt == 0 and self._candidates > 1:
            return self.beside(plan, bits)
        wastes = bucket_bits + bits < share_bits * WASTED_PERCENT // 100
        if excess > 0 or not (wastes and keeps_up):
            return None
        other = self.finer(plan, bits) if plan.attempt == 0 else self.between(plan)
        return other if other is not None and self._spare_encodes.take() else None

    def on_encoded(self, plan: FramePlan, bits: int) -> None:
        """An encode came to this; attempt 0 begins another picture."""
        encode = plan.quantizer, bits
        if plan.attempt == 0:
            self._before = self._over = self._under = None
        before = self._before
        self._pair = None
        if before is not None and before[0] != plan.quantizer:
            self._pair = min(before, encode), max(before, encode)
            slope = math.log(max(before[1], MIN_BITS) / max(bits, MIN_BITS)) / (plan.quantizer - before[0])
            self._slope += SLOPE_WEIGHT * (max(SLOPES[0], min(SLOPES[1], slope)) - self._slope)
        if bits > plan.budget.limit_bits:
            self._over = encode
        else:
            self._under = encode
        self._before = encode

    def coarser(self, plan: FramePlan, bits: int) -> int:
        """The quantizer at which a frame over its limit should fit; at least one step."""
        excess = math.log(bits * 100 / (plan.budget.limit_bits * AIM_PERCENT))
        # The first frame at another size can be made twice at most (`ReferencePlanner`), so the second must do.
        is_safe = excess >= FAR_OVER or plan.facts.is_resized
        slope = min(self._slope, SAFE_SLOPE) if is_safe else self._slope
        return plan.quantizer + max(1, math.ceil(excess / slope))

    def finer(self, plan: FramePlan, bits: int) -> int:
        """The quantizer at which a frame that came to much less than its budget should come to it."""
        missing = math.log(plan.budget.target_bits / max(bits, MIN_BITS))
        return plan.quantizer - min(FINER_AT_MOST, max(1, int(missing / self._slope)))

    def between(self, plan: FramePlan) -> int | None:
        """The quantizer between an encode of the picture over its limit and one within it, where there is one.

        Two encodes of one picture tell more of a third than any slope does: bits are interpolated, rounded coarser.
        """
        over, under = self._over, self._under
        if over is None or under is None or under[0] - over[0] <= 1 or over[1] <= under[1]:
            return None
        part = math.log(over[1] / plan.budget.target_bits) / math.log(over[1] / max(under[1], MIN_BITS))
        return max(over[0] + 1, min(under[0] - 1, over[0] + math.ceil(part * (under[0] - over[0]))))

    def beside(self, plan: FramePlan, bits: int) -> int:
        """A second quantizer beside one whose frame fits: towards the budget, one to three steps."""
        off = math.log(max(bits, MIN_BITS) / plan.budget.target_bits) / self._slope
        step = min(3, max(1, round(abs(off))))
        return plan.quantizer + (step if off > 0 else -step)


def nearest_to_budget(attempts: Sequence[tuple[FramePlan, int]]) -> int:
    """Index of the encode to send: of those within the limit the one nearest to its budget, else the smallest."""
    fitting = [index for index, (plan, bits) in enumerate(attempts) if bits <= plan.budget.limit_bits]
    if not fitting:
        return min(range(len(attempts)), key=lambda index: attempts[index][1])
    return min(fitting, key=lambda index: abs(attempts[index][1] - attempts[index][0].budget.target_bits))
