"""How fine a picture that rests may become at once, in a codec whose frames cannot be made again.

OpenH264 codes nothing of a resting picture's small errors until their coefficients pass its thresholds, and then all of
them in one frame: a quantizer two steps finer turns a frame of 0.3 kbit into one of 60. One step at a time, from an
empty bucket, each such burst is about as small as it can be made; what the last one cost tells of the next.
"""

from typing import Final

RESTS_PERMILLE: Final = 990
"""From this share of resting samples on nothing but small errors is left to code; a mouse pointer may move."""
GROWTH_PERCENT: Final = 115
"""A burst one step finer over the one before: a step of the quantizer is 12 %, and rarely a part of it is left out."""


class RestingRefinement:
    """Keeps the finest quantizer since the picture came to rest; driven by the rate controller, frame by frame."""

    def __init__(self) -> None:
        self._finest: int | None = None
        self._burst_bits = 0

    def floor(self, resting_permille: int, *, share_bits: int, bucket_bits: int, most_bits: int) -> int:
        """The finest quantizer for the next frame; 0 where the picture does not rest.

        `share_bits` is an average frame, `bucket_bits` what is in the bucket, `most_bits` what a frame may still add.
        """
        if resting_permille < RESTS_PERMILLE or self._finest is None:
            return 0
        is_empty = bucket_bits <= share_bits // 2
        fits = self._burst_bits * GROWTH_PERCENT // 100 <= most_bits
        return self._finest - 1 if is_empty and fits else self._finest

    def on_sent(self, quantizer: int, bits: int, resting_permille: int) -> None:
        """A frame is sent."""
        if resting_permille < RESTS_PERMILLE or self._finest is None:
            self._finest, self._burst_bits = quantizer, 0
        elif quantizer < self._finest:
            self._finest, self._burst_bits = quantizer, max(bits, self._burst_bits)
