"""A codec that is a formula, in a closed loop with the rate controller: frames cost what the formula says, plus noise.

log(bits) = level - slope * quantizer + memory * reference quantizer + exponent * log(difference) + noise, as measured
on real codecs; never under a few bytes of headers. A key frame costs by its pixels.
"""

import math
import random
from dataclasses import dataclass, replace

from ratecontrol.cbr import CbrController
from ratecontrol.frame_class import FrameClass
from ratecontrol.frame_plan import FramePlan
from ratecontrol.rate_model import FrameFacts
from rtc.values.formats import Codec, FrameSize
from rtc.values.frames import PictureChange

P180, P360 = FrameSize(320, 180), FrameSize(640, 360)
HEADER_BITS = 160
MEDIAN_QUANTIZER = {Codec.AV1: 48, Codec.H264: 34}
REFERENCE_WEIGHT = 0.6


@dataclass(frozen=True, slots=True, kw_only=True)
class SyntheticContent:
    """What a second of video costs, and how its pictures differ."""

    bits: int = 3_333
    """Of a delta frame at a middling quantizer."""
    slope: float = 0.15
    memory: float = 0.08
    exponent: float = 0.6
    noise: float = 0.1
    """Standard deviation of log(bits)."""
    motion: float = 0.25
    """Standard deviation of log(difference)."""
    resting_permille: int = 500
    """The part of the samples that rests from one picture to the next."""
    key_bits_per_pixel: float = 0.08
    key_slope: float = 0.06


class SyntheticCodec:
    """Encodes numbers: `next_picture`, then any number of encodes of it, then `send` the one that is sent."""

    def __init__(self, codec: Codec, content: SyntheticContent, seed: int = 1) -> None:
        self.content = content
        self._random = random.Random(seed)
        self._middle = MEDIAN_QUANTIZER[codec]
        self._reference = float(self._middle)
        self._motion = 0.0
        self._noise = 0.0

    def next_picture(self) -> PictureChange:
        self._motion = self.content.motion * self._random.gauss(0, 1)
        self._noise = self.content.noise * self._random.gauss(0, 1)
        return PictureChange(
            difference=round(512 * math.exp(self._motion)), resting_permille=self.content.resting_permille
        )

    def encode(self, plan: FramePlan) -> int:
        content, finer = self.content, self._middle - plan.quantizer
        if plan.frame_class is FrameClass.KEY:
            cost = math.log(content.key_bits_per_pixel * plan.pixels) + content.key_slope * finer
        else:
            cost = self.log_bits(plan.quantizer, plan.facts) + math.log(plan.pixels / P360.pixels)
        again = 0.02 * self._random.gauss(0, 1) if plan.attempt else 0.0
        return max(HEADER_BITS, round(math.exp(cost + self._noise + again)) // 8 * 8)

    def log_bits(self, quantizer: int, facts: FrameFacts) -> float:
        """Of a delta frame, but for noise."""
        content = self.content
        of_quantizer = content.slope * (self._middle - quantizer)
        of_reference = content.memory * (self._reference - self._middle)
        of_change = content.exponent * math.log(max(facts.difference, 1) / 512)
        return math.log(content.bits) + of_quantizer + of_reference + of_change

    def send(self, quantizer: int) -> None:
        self._reference += REFERENCE_WEIGHT * (quantizer - self._reference)


@dataclass(frozen=True, slots=True, kw_only=True)
class SentPicture:
    """What became of one picture; no bits and no plan when it was left out."""

    at_us: int
    bits: int
    plan: FramePlan | None
    encodes: int
    delay_us: int
    """VBV delay after it."""


class ClosedLoop:
    """A rate controller and a synthetic codec, picture by picture; counts the VBV delay itself, in exact integers."""

    def __init__(
        self,
        codec: Codec,
        target_bps: int,
        fps: int,
        content: SyntheticContent,
        *,
        candidates: int = 1,
        seed: int = 1,
    ) -> None:
        self.codec = SyntheticCodec(codec, content, seed)
        self.controller = CbrController(codec, target_bps, 1_000_000 // fps, candidates=candidates)
        self._target_bps = target_bps
        self._fps = fps
        self._index = 0
        self._now_us = 0
        self._microbits = 0

    def set_target(self, bps: int) -> None:
        """From the next picture's capture on."""
        self._advance(self._index * 1_000_000 // self._fps)
        self.controller.on_target(bps, self._now_us)
        self._target_bps = bps

    def set_content(self, **changed: float) -> None:
        """Other pictures from now on."""
        self.codec.content = replace(self.codec.content, **changed)

    def run(self, pictures: int, *, is_key: bool = False, size: FrameSize = P360) -> list[SentPicture]:
        """So many pictures; the first a key frame if asked for (the very first always is)."""
        return [self._one(is_key=(is_key and not n) or not self._index, size=size) for n in range(pictures)]

    def _one(self, *, is_key: bool, size: FrameSize) -> SentPicture:
        self._advance(self._index * 1_000_000 // self._fps)
        self._index += 1
        change = self.codec.next_picture()
        plan = self.controller.plan(self._now_us, is_key=is_key, size=size, change=change)
        attempts: list[tuple[FramePlan, int]] = []
        while plan is not None:
            attempts.append((plan, self.codec.encode(plan)))
            plan = self.controller.review(*attempts[-1])
        if not attempts:
            return self._sent(None, 0, 0)
        sent, bits = attempts[self.controller.choose(attempts)]
        self.controller.commit(sent, bits)
        self.codec.send(sent.quantizer)
        self._microbits += bits * 1_000_000
        return self._sent(sent, bits, len(attempts))

    def _sent(self, plan: FramePlan | None, bits: int, encodes: int) -> SentPicture:
        delay_us = -(-self._microbits // self._target_bps)
        return SentPicture(at_us=self._now_us, bits=bits, plan=plan, encodes=encodes, delay_us=delay_us)

    def _advance(self, now_us: int) -> None:
        self._microbits = max(0, self._microbits - self._target_bps * (now_us - self._now_us))
        self._now_us = now_us
