"""A rate controller that does what a test wrote down, in place of `ratecontrol.cbr.CbrController`."""

import pytest

from ratecontrol.frame_class import FrameClass
from ratecontrol.frame_plan import FrameBudget, FramePlan
from ratecontrol.rate_model import FrameFacts


class ScriptedRate:
    """Orders `encodes(n)` encodes of the n-th picture planned, each coarser than the one before; drops it at 0.

    `chosen` is the index it chooses, the last unless the test says otherwise. `over(n)` is how many times its bound the
    n-th picture planned comes to, None where it fits.
    """

    def __init__(self, encodes=lambda _n: 1):
        self.encodes = encodes
        self.over = lambda _n: None
        self.log_coarsest_bits = None
        self.chosen = lambda attempts: len(attempts) - 1
        self.planned = []
        """When each picture planned was captured, and whether it is to be a key frame."""
        self.changes = []
        """What each of them was said to differ by."""
        self.committed = []
        self.targets = []

    def on_target(self, bps, now_us):
        self.targets.append((now_us, bps))

    def plan(self, captured_at_us, *, is_key, size, change, temporal_layer=0):
        del temporal_layer
        self.vbv_delay_us = 200_000
        self.planned.append((captured_at_us, is_key))
        self.changes.append(change)
        if not self.encodes(len(self.planned) - 1):
            return None
        return FramePlan(
            frame_class=FrameClass.KEY if is_key else FrameClass.DELTA,
            quantizer=30,
            budget=FrameBudget(target_bits=1_000, limit_bits=1_000_000_000),
            attempt=0,
            facts=FrameFacts(difference=change.difference),
            pixels=size.pixels,
        )

    def review(self, plan, bits):
        del bits
        if plan.attempt + 1 >= self.encodes(len(self.planned) - 1):
            return None
        return plan._replace(attempt=plan.attempt + 1, quantizer=plan.quantizer + 5)

    def overrun(self, plan, bits):
        del plan, bits
        return self.over(len(self.planned) - 1)

    def at_size(self, plan, pixels):
        return plan._replace(attempt=plan.attempt + 1, pixels=pixels) if plan.attempt < 3 else None

    def choose(self, attempts):
        return self.chosen(attempts)

    def commit(self, plan, bits):
        self.committed.append((plan.attempt, bits))


def put_in(monkeypatch: pytest.MonkeyPatch, rate: ScriptedRate) -> ScriptedRate:
    """Have every call controller made from now on use this rate controller."""
    monkeypatch.setattr("rtc.call.controller.CbrController", lambda *_arguments, **_options: rate)
    return rate
