"""Constant bitrate that keeps the VBV delay: a quantizer for every frame, from the bucket and what frames cost."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ratecontrol.candidates import MOST_ENCODES, EncodeAgain, nearest_to_budget
from ratecontrol.content_size import AREA_EXPONENT
from ratecontrol.cyclic_refresh import RefreshPlanner
from ratecontrol.frame_budget import BudgetPlanner
from ratecontrol.frame_class import FrameClass
from ratecontrol.frame_dropper import FrameDropper
from ratecontrol.frame_plan import FrameBudget, FramePlan
from ratecontrol.key_frame_planner import KeyFramePlanner
from ratecontrol.new_content import NewContentDetector
from ratecontrol.picture_interval import PictureInterval
from ratecontrol.rate_model import FrameFacts, RateModel, log_bits
from ratecontrol.resting_refinement import RestingRefinement
from ratecontrol.rounding import to_six_places
from ratecontrol.vbv import VideoBufferingVerifier
from rtc.values.formats import Codec, FrameSize
from rtc.values.frames import PictureChange
from rtc.values.units import US_PER_S

QUANTIZERS: Final = {Codec.AV1: (4, 63), Codec.H264: (12, 51)}
"""Finest and coarsest in use, in the codec's own scale; finer ones spend bits nobody sees."""
FINER_AT_MOST: Final = {Codec.AV1: 4, Codec.H264: 2}
"""Steps from one frame to the next; coarser goes at once."""
NEWLY_FINE: Final = {Codec.AV1: 4, Codec.H264: 1}
"""Steps below the finest quantizer of late: OpenH264's frames explode there, and cannot be made again."""
MARGIN: Final = {Codec.AV1: 0.7, Codec.H264: 1.3}
"""Deviations of the rate model to leave between budget and bound; what cannot be encoded again needs more."""
MOST_MARGIN: Final = 0.4
DELTA_AFTER_KEY: Final = math.log(4)
"""A first guess: a delta frame at a key frame's quantizer costs a quarter of it."""
LONG_TERM_INTERVAL_US: Final = 2 * US_PER_S
LONG_TERM_FINER: Final = 2
"""Steps by which the long-term frame is better: a quarter to a half more bits."""


class CbrController:
    """Chooses each frame's quantizer and says whether what came out may be sent.

    Driven by the call's controller: `on_target` when the target changes; for each picture `plan`, then `review` after
    every encode until it answers None, `choose` among several, then `commit`. A plan never committed leaves no trace
    but what was learned of the picture.
    """

    def __init__(self, codec: Codec, target_bps: int, frame_interval_us: int, *, candidates: int = 1) -> None:
        self._codec = codec
        # OpenH264 has no slots: only a key frame of it can be made again from the same state.
        self._most_encodes = MOST_ENCODES if codec is Codec.AV1 else 1
        self._vbv = VideoBufferingVerifier(target_bps)
        self._pictures = PictureInterval(frame_interval_us)
        self._budgets = BudgetPlanner(frame_interval_us)
        self._dropper = FrameDropper(
            self._budgets.bounds.limit_us,
            frame_interval_us,
            worst_us=None if codec is Codec.AV1 else self._budgets.bounds.worst_us,
        )
        self._refresh = RefreshPlanner()
        self._new_content = NewContentDetector()
        self._resting = RestingRefinement() if codec is Codec.H264 else None
        self._change = PictureChange()
        self._other = EncodeAgain(candidates)
        self._model = RateModel(codec)
        self._finest, self._coarsest = QUANTIZERS[codec]
        self._keys = KeyFramePlanner(codec, self._coarsest)
        self._quantizer: int | None = None
        self._planned_at_us = 0
        self._planned_bps = target_bps
        self._pixels = 0
        self._sent_pixels = 0
        self._log_coarsest_bits: float | None = None
        self._better_after_us = LONG_TERM_INTERVAL_US

    @property
    def vbv_delay_us(self) -> int:
        """VBV delay as of the latest picture."""
        return self._vbv.delay_us

    @property
    def log_coarsest_bits(self) -> float | None:
        """Log(bits) that the frame sent last would have come to at the coarsest quantizer.

        None of a key frame and of the first frame at a size, which tell nothing of those to come, unless it was at
        the coarsest quantizer, for breaking its bound at another size.
        """
        return self._log_coarsest_bits

    def on_target(self, bps: int, now_us: int) -> None:
        """The encoder's target changed."""
        self._vbv.set_target(bps, now_us)

    def plan(
        self, captured_at_us: int, *, is_key: bool, size: FrameSize, change: PictureChange, temporal_layer: int = 0
    ) -> FramePlan | None:
        """The first encode of a picture; None to leave it out, because the bucket holds more than can be paid back."""
        self._vbv.advance(captured_at_us)
        self._pictures.on_picture(captured_at_us)
        if self._budgets.interval_us != self._pictures.interval_us:
            self._budgets = BudgetPlanner(self._pictures.interval_us)
        self._planned_at_us, self._planned_bps = captured_at_us, self._vbv.target_bps
        self._change = change
        if is_key or not self._model.is_started:
            return self._plan_key(size, change)
        is_enhancement = temporal_layer > 0
        refresh = self._codec is Codec.AV1 and not is_enhancement and self._refresh.wants(change.resting_permille)
        resized = self._is_resized(size.pixels)
        facts = FrameFacts(difference=change.difference, is_refresh=refresh and not resized, is_resized=resized)
        delay_us = self._vbv.delay_us
        if self._dropper.concerns(delay_us) and self._dropper.drops(delay_us, self._coarsest_us(facts)):
            return None
        self._other.on_picture()
        new_permille = self._new_content.permille(change)
        frame_class = self._class_of(captured_at_us, is_enhancement=is_enhancement)
        return self._plan_delta(frame_class, facts, size.pixels, new_permille)

    def review(self, plan: FramePlan, bits: int) -> FramePlan | None:
        """Another encode of the same picture from the same references; None when there are enough."""
        if self._vbv.target_bps != self._planned_bps:
            plan = self._budgeted_anew(plan)
        if plan.frame_class is FrameClass.KEY:
            return self._review_key(plan, bits)
        if self._codec is Codec.H264 and plan.frame_class is not FrameClass.ENHANCEMENT:
            return self._key_in_place_of(plan, bits)
        self._other.on_encoded(plan, bits)
        if self._other.pair is not None:
            self._model.learn_novelty(*self._other.pair)
        quantizer = None if plan.attempt + 1 >= self._most_encodes else self._other_quantizer(plan, bits)
        return None if quantizer is None else self._again(plan, quantizer)

    def choose(self, attempts: Sequence[tuple[FramePlan, int]]) -> int:
        """Which of several encodes of one picture, each with its bits, to send: its index."""
        if self._vbv.target_bps != self._planned_bps:
            attempts = [(self._budgeted_anew(plan), bits) for plan, bits in attempts]
        return nearest_to_budget(attempts)

    def overrun(self, plan: FramePlan, bits: int) -> float | None:
        """How many times its bound a frame came to that no coarser quantizer makes smaller; None of others."""
        if plan.quantizer < self._coarsest:
            return None
        is_key = plan.frame_class is FrameClass.KEY
        bound = plan.budget.limit_bits if is_key else self._budgets.bound_bits(self._vbv.target_bps, self._vbv.bits)
        return bits / bound if bits > bound else None

    def at_size(self, plan: FramePlan, pixels: int) -> FramePlan | None:
        """Another encode of the same picture, at another size; None when there are enough."""
        is_key = plan.frame_class is FrameClass.KEY
        if plan.attempt + 1 >= (MOST_ENCODES if is_key else self._most_encodes):
            return None
        is_resized = not is_key and pixels != self._sent_pixels
        facts = replace(plan.facts, is_refresh=False, is_resized=is_resized)
        return plan._replace(attempt=plan.attempt + 1, pixels=pixels, facts=facts)

    def commit(self, plan: FramePlan, bits: int) -> None:
        """The frame is sent."""
        self._log_coarsest_bits = None
        if plan.frame_class is FrameClass.KEY:
            self._keys.on_sent(self._planned_at_us)
            if plan.pixels != self._pixels:
                self._log_coarsest_bits = log_bits(bits)
                self._is_resized(plan.pixels)
            share = log_bits(self._budgets.share_bits(self._vbv.target_bps))
            self._model.start(plan.quantizer, min(log_bits(bits) - DELTA_AFTER_KEY, share))
        else:
            self._model.learn(plan.quantizer, bits, plan.facts)
            self._log_coarsest_bits = self._log_coarsest(plan, bits)
        if plan.frame_class is FrameClass.DELTA:
            self._quantizer = plan.quantizer
        elif plan.frame_class is FrameClass.LONG_TERM:
            self._better_after_us = self._planned_at_us + LONG_TERM_INTERVAL_US
        if self._resting is not None:
            rests = 0 if plan.frame_class is FrameClass.KEY else self._change.resting_permille
            self._resting.on_sent(plan.quantizer, bits, rests)
        self._sent_pixels = plan.pixels
        self._vbv.pour(bits)

    def _log_coarsest(self, plan: FramePlan, bits: int) -> float | None:
        if plan.facts.is_resized:
            return log_bits(bits) if plan.attempt and plan.quantizer == self._coarsest else None
        return self._model.unrefreshed_log(self._coarsest, plan.facts)

    def _plan_key(self, size: FrameSize, change: PictureChange) -> FramePlan:
        budget = self._budgets.key(self._vbv.target_bps, self._vbv.bits)
        quantizer = self._keys.first(budget, size.pixels)
        facts = FrameFacts(difference=change.difference)
        self._is_resized(size.pixels)
        return self._plan(FrameClass.KEY, quantizer, budget, facts, size.pixels)

    def _plan_delta(self, frame_class: FrameClass, facts: FrameFacts, pixels: int, new_permille: int) -> FramePlan:
        target_bps, level = self._vbv.target_bps, self._vbv.bits
        margin = math.exp(min(MOST_MARGIN, MARGIN[self._codec] * self._model.deviation))
        budget = self._budgets.delta(target_bps, level, margin)
        log_target = log_bits(budget.target_bits)
        quantizer = self._model.quantizer_for(log_target, facts)
        if self._quantizer is not None and quantizer > self._quantizer:
            quantizer = max(quantizer, self._model.coarser_than(self._quantizer, log_target, facts))
        if self._quantizer is not None and not facts.is_resized:
            finer = 0 if level > self._budgets.share_bits(target_bps) else FINER_AT_MOST[self._codec]
            quantizer = max(quantizer, self._quantizer - finer, self._finest_now())
        if frame_class is FrameClass.LONG_TERM:
            budget = self._budgets.better(target_bps, level)
            bound = self._model.quantizer_for(log_bits(budget.target_bits), facts)
            quantizer = max(quantizer - LONG_TERM_FINER, bound)
        if self._resting is not None:
            quantizer = max(quantizer, self._resting_floor(self._resting))
        if new_permille:
            # What nothing before it resembles costs what it would in a key frame.
            quantizer = max(quantizer, self._keys.for_new_content(budget.target_bits * 1000 // new_permille, pixels))
        return self._plan(frame_class, round(quantizer), budget, facts, pixels)

    def _resting_floor(self, resting: RestingRefinement) -> int:
        target_bps, level = self._vbv.target_bps, self._vbv.bits
        return resting.floor(
            self._change.resting_permille,
            share_bits=self._budgets.share_bits(target_bps),
            bucket_bits=level,
            most_bits=target_bps * self._budgets.bounds.worst_us // US_PER_S - level,
        )

    def _class_of(self, captured_at_us: int, *, is_enhancement: bool) -> FrameClass:
        if is_enhancement:
            return FrameClass.ENHANCEMENT
        half_full = self._budgets.share_bits(self._vbv.target_bps) // 2
        if captured_at_us < self._better_after_us or self._vbv.bits > half_full:
            return FrameClass.DELTA
        return FrameClass.LONG_TERM

    def _review_key(self, plan: FramePlan, bits: int) -> FramePlan | None:
        quantizer = self._keys.again(plan, bits)
        return None if quantizer is None else self._again(plan, quantizer)

    def _key_in_place_of(self, plan: FramePlan, bits: int) -> FramePlan | None:
        """A key frame of the same picture, where the delta frame delays by more than hardly any may."""
        target_bps, level = self._vbv.target_bps, self._vbv.bits
        delay_us = (level + bits) * US_PER_S // target_bps
        if delay_us <= self._budgets.bounds.worst_us:
            return None
        budget = self._budgets.key(target_bps, level)
        resting_permille = self._change.resting_permille
        quantizer = self._keys.in_place_of(
            plan, bits, budget, captured_at_us=self._planned_at_us, resting_permille=resting_permille
        )
        if quantizer is None:
            return None
        facts = FrameFacts(difference=plan.facts.difference)
        key = self._plan(FrameClass.KEY, quantizer, budget, facts, plan.pixels)
        return key._replace(attempt=plan.attempt + 1, instead_of_us=delay_us)

    def _budgeted_anew(self, plan: FramePlan) -> FramePlan:
        """The plan under a target that changed while the picture was in the encoder."""
        target_bps, level = self._vbv.target_bps, self._vbv.bits
        is_key = plan.frame_class is FrameClass.KEY
        budget = self._budgets.key(target_bps, level) if is_key else self._budgets.delta(target_bps, level, 1.0)
        return plan._replace(budget=budget)

    def _other_quantizer(self, plan: FramePlan, bits: int) -> int | None:
        """For another encode of a delta frame; None where this one will do."""
        return self._other.next_quantizer(
            plan,
            bits,
            share_bits=self._budgets.share_bits(self._vbv.target_bps),
            bucket_bits=self._vbv.bits,
            keeps_up=self._pictures.keeps_up,
        )

    def _again(self, plan: FramePlan, quantizer: int) -> FramePlan | None:
        clamped = self._clamped(quantizer)
        if clamped == plan.quantizer:
            return None
        return plan._replace(quantizer=clamped, attempt=plan.attempt + 1)

    def _finest_now(self) -> float:
        steps = NEWLY_FINE[self._codec]
        return self._model.finest_of_late - (steps if self._vbv.bits else 2 * steps)

    def _is_resized(self, pixels: int) -> bool:
        """Whether the frame is the first at its size; the model is told of a size once."""
        if self._pixels not in {0, pixels}:
            self._model.rescale(to_six_places(AREA_EXPONENT * math.log(pixels / self._pixels)))
        self._pixels = pixels
        return self._sent_pixels not in {0, pixels}

    def _coarsest_us(self, facts: FrameFacts) -> int:
        bits = math.exp(self._model.predicted_log(self._coarsest, facts))
        return int(bits * US_PER_S / self._vbv.target_bps)

    def _plan(
        self, frame_class: FrameClass, quantizer: int, budget: FrameBudget, facts: FrameFacts, pixels: int
    ) -> FramePlan:
        return FramePlan(
            frame_class=frame_class,
            quantizer=self._clamped(quantizer),
            budget=budget,
            attempt=0,
            facts=facts,
            pixels=pixels,
        )

    def _clamped(self, quantizer: int) -> int:
        return max(self._finest, min(self._coarsest, quantizer))
