"""What a key frame costs in bits: no history to learn from but the key frames before it."""

import math
from typing import Final

from ratecontrol.rate_model import log_bits
from ratecontrol.rounding import to_six_places
from rtc.values.formats import Codec

SLOPE: Final = {Codec.AV1: 0.055, Codec.H264: 0.09}
SLOPES: Final = (0.03, 0.2)
MILLIBITS_PER_PIXEL: Final = {Codec.AV1: 130, Codec.H264: 160}
AT_QUANTIZER: Final = {Codec.AV1: 45, Codec.H264: 38}
"""A camera's picture at 640x360 costs about that much a pixel there; real ones spread by a factor of three."""


class KeyFrameModel:
    """Predicts the bits of key frames; driven by the rate controller, with every key frame encoded, sent or not."""

    def __init__(self, codec: Codec) -> None:
        self._slope = SLOPE[codec]
        per_pixel = math.log(MILLIBITS_PER_PIXEL[codec] / 1000)
        self._intercept = to_six_places(per_pixel + self._slope * AT_QUANTIZER[codec])
        self._last: tuple[int, float] | None = None

    def quantizer_for(self, bits: int, pixels: int) -> int:
        """The finest quantizer at which a key frame should stay within `bits`."""
        return math.ceil((self._intercept - _per_pixel(bits, pixels)) / self._slope)

    def bits_at(self, quantizer: int, pixels: int) -> int:
        """What a key frame at this quantizer should come to."""
        return int(pixels * math.exp(self._intercept - self._slope * quantizer))

    def coarser(self, bits: int, steps: int) -> int:
        """What a key frame of so many bits should come to at a quantizer so many steps coarser."""
        return int(bits * math.exp(-self._slope * steps))

    def learn(self, quantizer: int, bits: int, pixels: int) -> None:
        """A key frame came to this; two of one picture give the slope there."""
        cost = _per_pixel(bits, pixels)
        if self._last is not None and self._last[0] != quantizer:
            slope = (self._last[1] - cost) / (quantizer - self._last[0])
            self._slope = max(SLOPES[0], min(SLOPES[1], slope))
        self._last = (quantizer, cost)
        self._intercept = cost + self._slope * quantizer

    def next_picture(self) -> None:
        """What follows is another picture, whose cost does not compare with the last one's."""
        self._last = None


def _per_pixel(bits: int, pixels: int) -> float:
    return to_six_places(log_bits(bits) - math.log(pixels))
