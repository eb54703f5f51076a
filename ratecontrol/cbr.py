"""Constant bitrate that keeps the VBV delay: a quantizer for every frame, from the bucket and what frames cost."""

import math
from collections.abc import Sequence
from typing import Final

from ratecontrol.frame_class import FrameClass
from ratecontrol.frame_plan import FrameBudget, FramePlan
from ratecontrol.vbv import VideoBufferingVerifier
from rtc.values.formats import Codec, FrameSize
from rtc.values.units import US_PER_S

MAX_ATTEMPTS: Final = 3


class CbrController:
    """Chooses each frame's quantizer and says whether what came out may be sent.

    Driven by the call's controller: `on_target` when the target changes; for each picture `plan`, then `review` after
    every encode until it answers None, then `commit`. A plan never committed leaves no trace.
    """

    def __init__(self, codec: Codec, target_bps: int, frame_interval_us: int, *, candidates: int = 1) -> None:
        self._codec = codec
        self._interval_us = frame_interval_us
        self._candidates = candidates
        self._vbv = VideoBufferingVerifier(target_bps)
        self._finest, self._coarsest = (4, 63) if codec is Codec.AV1 else (12, 51)
        self._slope = 0.11 if codec is Codec.AV1 else 0.12
        self._intercept: float | None = None
        self._quantizer = self._coarsest - 10

    def on_target(self, bps: int, now_us: int) -> None:
        """The encoder's target changed."""
        self._vbv.set_target(bps, now_us)

    def plan(self, captured_at_us: int, *, is_key: bool, size: FrameSize, temporal_layer: int = 0) -> FramePlan | None:
        """The first encode of a picture; None to drop it, because the bucket holds more than can be paid back."""
        del size, temporal_layer
        self._vbv.advance(captured_at_us)
        level, bps = self._vbv.bits, self._vbv.target_bps
        share = bps * self._interval_us // US_PER_S
        if is_key:
            limit = 140 * bps // 1000
            return self._plan(FrameClass.KEY, self._quantizer, FrameBudget(target_bits=limit, limit_bits=limit))
        limit = max(95 * bps // 1000 - level, share // 2)
        goal = 13 * share // 10
        target = max(share // 5, min(share + (goal - level - share) // 4, limit * 85 // 100))
        intercept = self._intercept or 0.0
        quantizer = max(round((intercept - math.log(target)) / self._slope), self._quantizer - 3)
        return self._plan(FrameClass.DELTA, quantizer, FrameBudget(target_bits=target, limit_bits=limit))

    def review(self, plan: FramePlan, bits: int) -> FramePlan | None:
        """Another encode of the same picture from the same references, in place of this one; None to send this one."""
        if self._codec is not Codec.AV1 or plan.attempt + 1 >= MAX_ATTEMPTS:
            return None
        limit = plan.budget.limit_bits
        if bits <= limit or plan.quantizer >= self._coarsest:
            return None
        step = max(2, math.ceil(math.log(bits / limit) / 0.08))
        return self._plan(plan.frame_class, plan.quantizer + step, plan.budget, attempt=plan.attempt + 1)

    def choose(self, attempts: Sequence[tuple[FramePlan, int]]) -> int:
        """Which of several encodes of one picture, each with its bits, to send: its index."""
        return len(attempts) - 1

    def commit(self, plan: FramePlan, bits: int) -> None:
        """The frame is sent."""
        seen = math.log(max(bits, 64)) + self._slope * plan.quantizer
        if plan.frame_class is FrameClass.KEY:
            self._intercept = seen - math.log(4)
        elif self._intercept is not None:
            self._intercept += 0.4 * (seen - self._intercept)
        self._quantizer = plan.quantizer
        self._vbv.pour(bits)

    def _plan(self, frame_class: FrameClass, quantizer: int, budget: FrameBudget, attempt: int = 0) -> FramePlan:
        clamped = max(self._finest, min(self._coarsest, quantizer))
        return FramePlan(
            frame_class=frame_class, quantizer=clamped, cyclic_refresh=False, budget=budget, attempt=attempt
        )
