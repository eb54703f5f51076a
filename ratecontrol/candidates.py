"""Encoding a picture more than once from the same references, and which of the encodes to send.

A frame over its limit is encoded again, coarser. With two candidates every delta frame is encoded at two quantizers,
and the one that leaves the bucket nearer to where it should be is sent.
"""

import math
from collections.abc import Sequence
from typing import Final

from ratecontrol.frame_plan import FramePlan
from ratecontrol.rate_model import MIN_BITS

MOST_ENCODES: Final = 4
MOST_KEY_ENCODES: Final = 4
FIRST_SLOPE: Final = 0.14
SLOPES: Final = (0.06, 0.4)
FAR_OVER: Final = 0.7
SAFE_SLOPE: Final = 0.08
"""For frames more than twice over their limit, where other content began: better too coarse once than too large."""
SLOPE_WEIGHT: Final = 0.25
AIM_PERCENT: Final = 90
"""Of the limit, for the next try."""
FINER_AT_MOST: Final = 6
WASTED_PERCENT: Final = 70
"""Of an average frame: what leaves less in the bucket wastes bits, and is worth another encode."""
PER_ENCODE: Final = 100
CREDIT_A_PICTURE: Final = 6
MOST_CREDIT: Final = 600
KEY_FILL_PERCENT: Final = 80
"""A key frame that uses less of its limit is worth one more try, because everything after it lives on it."""


class EncodeAgain:
    """Finds the quantizer of another encode of the same picture; driven by the rate controller.

    Two encodes of one picture from the same references differ in nothing but the quantizer, so what they cost gives
    the slope to step by. It is steeper than the model's, whose references follow the quantizer.
    """

    def __init__(self) -> None:
        self._slope = FIRST_SLOPE
        self._before: tuple[int, int] | None = None
        self._has_fitting = False

    @property
    def has_fitting(self) -> bool:
        """Whether an encode of this picture stayed within its limit."""
        return self._has_fitting

    def on_encoded(self, plan: FramePlan, bits: int) -> None:
        """An encode came to this; attempt 0 begins another picture."""
        fits = bits <= plan.budget.limit_bits
        self._has_fitting = fits or (self._has_fitting and plan.attempt > 0)
        if plan.attempt and self._before is not None and self._before[0] != plan.quantizer:
            quantizer, before = self._before
            slope = math.log(max(before, MIN_BITS) / max(bits, MIN_BITS)) / (plan.quantizer - quantizer)
            self._slope += SLOPE_WEIGHT * (max(SLOPES[0], min(SLOPES[1], slope)) - self._slope)
        self._before = plan.quantizer, bits

    def coarser(self, plan: FramePlan, bits: int) -> int:
        """The quantizer at which a frame over its limit should fit; at least one step."""
        excess = math.log(bits * 100 / (plan.budget.limit_bits * AIM_PERCENT))
        slope = self._slope if excess < FAR_OVER else min(self._slope, SAFE_SLOPE)
        return plan.quantizer + max(1, math.ceil(excess / slope))

    def finer(self, plan: FramePlan, bits: int) -> int:
        """The quantizer at which a frame that came to much less than its budget should come to it."""
        missing = math.log(plan.budget.target_bits / max(bits, MIN_BITS))
        return plan.quantizer - min(FINER_AT_MOST, max(1, int(missing / self._slope)))

    def beside(self, plan: FramePlan, bits: int) -> int:
        """A second quantizer beside one whose frame fits: towards the budget, one to three steps."""
        off = math.log(max(bits, MIN_BITS) / plan.budget.target_bits) / self._slope
        step = min(3, max(1, round(abs(off))))
        return plan.quantizer + (step if off > 0 else -step)


class SpareEncodes:
    """Keeps encodes that only save wasted bits to a few in a hundred; driven by the rate controller."""

    def __init__(self) -> None:
        self._credit_percent = MOST_CREDIT

    def on_picture(self) -> None:
        """A picture is about to be encoded."""
        self._credit_percent = min(MOST_CREDIT, self._credit_percent + CREDIT_A_PICTURE)

    def take(self) -> bool:
        """Whether one may be spent now, which spends it."""
        if self._credit_percent < PER_ENCODE:
            return False
        self._credit_percent -= PER_ENCODE
        return True


def nearest_to_budget(attempts: Sequence[tuple[FramePlan, int]]) -> int:
    """Index of the encode to send: of those within the limit the one nearest to its budget, else the smallest."""
    fitting = [index for index, (plan, bits) in enumerate(attempts) if bits <= plan.budget.limit_bits]
    if not fitting:
        return min(range(len(attempts)), key=lambda index: attempts[index][1])
    return min(fitting, key=lambda index: abs(attempts[index][1] - attempts[index][0].budget.target_bits))
