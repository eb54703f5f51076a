"""What a delta frame costs in bits: learned frame by frame from quantizer, reference quality and picture difference.

    log(bits) = intercept - slope * quantizer + memory * reference quantizer + exponent * log(difference)

The slope starts at about a factor 4 in 10 steps and ends anywhere between 2 and 16: on resting content a finer
quantizer than the reference's is dear (it codes what the reference left out) and the same quantizer again nearly free.
That is what `memory` is for: the reference quantizer is a moving average of the quantizers used. The picture
difference tells of motion before it is coded; it takes a third off the error (measured on 11 clips). All three are
found by recursive least squares on differences from frame to frame, bounded to what was ever seen; the intercept
follows the rest.
"""

import math
from dataclasses import dataclass, field
from typing import Final

from ratecontrol.least_squares import ThreeCoefficients
from ratecontrol.rounding import to_six_places
from rtc.values.formats import Codec

MIN_BITS: Final = 64
"""Below a frame's own headers; logarithms stop here."""
LEVEL: Final = 256
"""Picture differences count in 1/256 of a luma level."""
STILL: Final = 0.1
"""Added to a difference in levels, so that identical pictures have a logarithm: about a camera's least noise."""
SURPRISES: Final = (-1.2, 1.2)
"""The largest errors learned from at once: a scene cut tells little of the frames after it."""
REFERENCE_WEIGHT: Final = 0.5
FOLLOW: Final = 0.35
BURST: Final = 0.6
"""An error above this is a change of content; what it was is owed at once, so it is believed at once."""
FOLLOW_BURST: Final = 0.7
MOST_BURST: Final = 3.0
LEFT: Final = (SURPRISES[0], MOST_BURST)
"""What the intercept may follow of an error, once the coefficients have."""
NOVELTY_WEIGHT: Final = 0.25
NOVELTIES: Final = (0.0, 0.8)
FINEST_DRIFT: Final = 0.1
"""Steps a frame by which the finest quantizer seen is forgotten, as content changes."""
FOLLOW_AT_FIRST: Final = 0.6
FRAMES_AT_FIRST: Final = 8
VARIANCE_WEIGHT: Final = 0.05
LEAST_NOISE: Final = 0.03
MOST_VARIANCE: Final = 0.5
SLOPES: Final = {Codec.AV1: (0.07, 0.28), Codec.H264: (0.08, 0.6)}
MEMORIES: Final = (0.0, 0.24)
EXPONENTS: Final = (0.1, 1.3)
MEMORY_BELOW_SLOPE: Final = 0.03
"""A steady finer quantizer always costs more: memory stays below the slope by this much."""
DRIFT: Final = {Codec.AV1: (3e-6, 3e-6, 3e-4), Codec.H264: (3e-5, 3e-6, 3e-4)}
"""How far the coefficients may wander from frame to frame (variances)."""
PRIOR: Final = {Codec.AV1: (6e-4, 6e-4, 0.04), Codec.H264: (4e-3, 6e-4, 0.04)}
RESIZED_COST: Final = 0.7
"""Log(bits) that the first frame at another size costs more."""
REFRESH_FOLLOW: Final = 0.3
REFRESH_OFFSETS: Final = (-0.2, 1.0)
SAFE_SLOPE: Final = {Codec.AV1: 0.28, Codec.H264: 0.15}
FIRST_SLOPE: Final = {Codec.AV1: 0.15, Codec.H264: 0.13}
FIRST_NOVELTY: Final = {Codec.AV1: 0.0, Codec.H264: 0.2}


def log_bits(bits: int) -> float:
    """Natural logarithm of a frame's bits, to six places, so that no processor's last digit decides anything."""
    return to_six_places(math.log(max(bits, MIN_BITS)))


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameFacts:
    """What is known of a frame before it is encoded."""

    difference: int
    """From the picture encoded before, in 1/256 of a luma level."""
    is_refresh: bool = False
    """Whether the codec will refresh a part of the picture at a finer quantizer."""
    is_resized: bool = False
    """Whether it is the first at another size, predicted from a resampled reference."""

    log_difference: float = field(init=False)
    """Natural logarithm of the difference in levels, to six places."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "log_difference", to_six_places(math.log(self.difference / LEVEL + STILL)))


class RateModel:
    """Predicts the bits of delta frames of one codec and one layer.

    Driven by the rate controller: `start` at each key frame, `predicted_log` and `quantizer_for` before an encode,
    `learn` after the one that is sent.
    """

    def __init__(self, codec: Codec) -> None:
        self._slope = FIRST_SLOPE[codec]
        self._memory = 0.08
        self._exponent = 0.6
        self._slopes = SLOPES[codec]
        self._safe_slope = SAFE_SLOPE[codec]
        self._certainty = ThreeCoefficients(PRIOR[codec], DRIFT[codec])
        self._intercept: float | None = None
        self._guess: tuple[int, float] | None = None
        self._novelty = FIRST_NOVELTY[codec]
        self._finest = 0.0
        self._refresh_offset = 0.0
        self._variance = 0.06
        self._reference = 0.0
        self._last: tuple[float, float, float] | None = None
        self._learned = 0

    @property
    def is_started(self) -> bool:
        """Whether a key frame was seen, so that there is something to predict from."""
        return self._intercept is not None or self._guess is not None

    @property
    def finest_of_late(self) -> float:
        """The finest quantizer of the frames that later ones still live on."""
        return self._finest

    @property
    def deviation(self) -> float:
        """Root mean square of recent errors of prediction, in log(bits)."""
        return math.sqrt(self._variance)

    def start(self, quantizer: int, log_delta_bits: float) -> None:
        """A key frame was coded at `quantizer`; as a first guess, a delta frame there would cost `log_delta_bits`."""
        self._reference = self._finest = float(quantizer)
        self._last = None
        if self._intercept is None:
            self._guess = quantizer, log_delta_bits

    def rescale(self, log_ratio: float) -> None:
        """Frames from now on cost this much more (in log(bits)), because their size changed."""
        if self._intercept is not None:
            self._intercept += log_ratio
        elif self._guess is not None:
            self._guess = self._guess[0], self._guess[1] + log_ratio

    def predicted_log(self, quantizer: int, facts: FrameFacts) -> float:
        """Log(bits) that a frame at this quantizer should come to."""
        intercept = self._intercept
        if intercept is None:
            intercept = self._intercept_for(facts)
        return self._explained(quantizer, facts) + intercept

    def unrefreshed_log(self, quantizer: int, facts: FrameFacts) -> float:
        """The same without cyclic refresh, whatever the frame."""
        return self.predicted_log(quantizer, facts) - (self._refresh_offset if facts.is_refresh else 0.0)

    def quantizer_for(self, log_target: float, facts: FrameFacts) -> float:
        """The quantizer, not rounded, at which a frame should come to exactly this log(bits)."""
        coarse = (self._linear(0, facts) + self._intercept_for(facts) - log_target) / self._slope
        if coarse >= self._finest:
            return coarse
        # Below the finest quantizer so far each step costs more.
        return self._finest - (self._finest - coarse) * self._slope / (self._slope + self._novelty)

    def coarser_than(self, quantizer: int, log_target: float, facts: FrameFacts) -> float:
        """A quantizer safe for this log(bits), coming from one whose frame would be larger.

        Noise that just crosses the quantizer's threshold makes slopes steep that end a step further on; steps to the
        coarser side do not rely on them.
        """
        excess = self.predicted_log(quantizer, facts) - log_target
        return quantizer + excess / min(self._slope, self._safe_slope)

    def learn(self, quantizer: int, bits: int, facts: FrameFacts) -> None:
        """A frame was sent."""
        if facts.is_resized:
            # It tells of resampling, not of what comes after it.
            self._last = None
            self._reference = self._finest = float(quantizer)
            return
        log = log_bits(bits)
        error = log - self.predicted_log(quantizer, facts)
        surprise = _clamped(error, SURPRISES)
        regressors = (-float(quantizer), self._reference, facts.log_difference)
        if self._last is not None and self._learned > 1:
            self._learn_coefficients(regressors, self._last, surprise)
            left = log - self.predicted_log(quantizer, facts)
            surprise = _clamped(left, LEFT)
        if quantizer < self._finest and self._novelty > 0:
            novelty = self._novelty + NOVELTY_WEIGHT * surprise / (self._finest - quantizer)
            self._novelty = _clamped(novelty, NOVELTIES)
        if surprise > BURST:
            self._learn_burst(quantizer, surprise)
        else:
            self._learn_intercept(surprise, is_refresh=facts.is_refresh)
        self._variance += VARIANCE_WEIGHT * (min(error * error, MOST_VARIANCE) - self._variance)
        self._last = regressors
        self._follow_quantizer(quantizer)

    def learn_novelty(self, finer: tuple[int, int], coarser: tuple[int, int]) -> None:
        """Two encodes of one picture, quantizer and bits each, tell what steps below the finest of late cost.

        The one that is sent alone never tells, where the other was too large to be.
        """
        newly = max(0.0, self._finest - finer[0]) - max(0.0, self._finest - coarser[0])
        if newly <= 0:
            return
        more = log_bits(finer[1]) - log_bits(coarser[1]) - self._slope * (coarser[0] - finer[0])
        novelty = _clamped(more / newly, NOVELTIES)
        self._novelty += NOVELTY_WEIGHT * (novelty - self._novelty)

    def _follow_quantizer(self, quantizer: int) -> None:
        self._reference += REFERENCE_WEIGHT * (quantizer - self._reference)
        self._finest = min(float(quantizer), self._finest + FINEST_DRIFT)
        self._learned += 1

    def _learn_burst(self, quantizer: int, error: float) -> None:
        """Far more bits than expected: resting content refined for the first time, or other content."""
        novelty = self._finest - quantizer
        if novelty > 0:
            more = error / novelty
            self._novelty = _clamped(self._novelty + NOVELTY_WEIGHT * more, NOVELTIES)
            error /= 2
        self._intercept = (self._intercept or 0.0) + FOLLOW_BURST * min(error, MOST_BURST)

    def _explained(self, quantizer: int, facts: FrameFacts) -> float:
        linear, newly = self._linear(quantizer, facts), self._finest - quantizer
        return linear + self._novelty * newly if newly > 0 else linear

    def _linear(self, quantizer: int, facts: FrameFacts) -> float:
        offset = RESIZED_COST if facts.is_resized else self._refresh_offset if facts.is_refresh else 0.0
        of_reference = self._memory * self._reference
        return of_reference - self._slope * quantizer + self._exponent * facts.log_difference + offset

    def _learn_intercept(self, surprise: float, *, is_refresh: bool) -> None:
        follow = FOLLOW_AT_FIRST if self._learned < FRAMES_AT_FIRST else FOLLOW
        if is_refresh:
            offset = self._refresh_offset + REFRESH_FOLLOW * surprise
            self._refresh_offset = _clamped(offset, REFRESH_OFFSETS)
            follow /= 2
        self._intercept = (self._intercept or 0.0) + follow * surprise

    def _intercept_for(self, facts: FrameFacts) -> float:
        """Found from the first guess by the first delta frame, whose picture difference counts as the usual one."""
        if self._intercept is None:
            quantizer, log_delta_bits = self._guess or (0, 0.0)
            usual = self._explained(quantizer, facts) - (RESIZED_COST if facts.is_resized else 0.0)
            self._intercept = log_delta_bits - usual
        return self._intercept

    def _learn_coefficients(
        self, now: tuple[float, float, float], before: tuple[float, float, float], surprise: float
    ) -> None:
        """One step of recursive least squares on the change since the frame before (Kalman form)."""
        noise = max(LEAST_NOISE, 1.5 * self._variance)
        gains = self._certainty.gains(now[0] - before[0], now[1] - before[1], now[2] - before[2], noise)
        anchor = self._memory * before[1] + self._slope * before[0] + self._exponent * before[2]
        self._slope = _clamped(self._slope + gains[0] * surprise, self._slopes)
        memory = _clamped(self._memory + gains[1] * surprise, MEMORIES)
        self._memory = min(memory, self._slope - MEMORY_BELOW_SLOPE)
        self._exponent = _clamped(self._exponent + gains[2] * surprise, EXPONENTS)
        # What the frame before was explained by stays explained: the coefficients turn about it.
        moved = self._memory * before[1] + self._slope * before[0] + self._exponent * before[2]
        self._intercept = (self._intercept or 0.0) + anchor - moved


def _clamped(value: float, bounds: tuple[float, float]) -> float:
    low, high = bounds
    if value < low:
        return low
    if value > high:
        return high
    return value
