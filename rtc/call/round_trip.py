"""How long a packet and its answer take."""

from typing import Final

INITIAL_ROUND_TRIP_US: Final = 100_000
"""libwebrtc assumes 100 ms until it knows better."""
SMOOTHING_SHIFT: Final = 2
"""A new sample weighs a quarter: with one a second, the eighth of RFC 6298 would remember a queue long gone."""
MAX_SAMPLE_US: Final = 10_000_000


class RoundTripEstimator:
    """Smoothed round trip in integer microseconds; the first sample replaces the assumption."""

    def __init__(self) -> None:
        self._smoothed_us: int | None = None

    @property
    def round_trip_us(self) -> int:
        """The estimate, or the assumption before the first sample."""
        return INITIAL_ROUND_TRIP_US if self._smoothed_us is None else self._smoothed_us

    @property
    def is_measured(self) -> bool:
        """Whether any sample came in."""
        return self._smoothed_us is not None

    def on_sample(self, sample_us: int) -> None:
        """Take a measurement; one that is negative or absurd, as a hostile report can make it, is ignored."""
        if not 0 <= sample_us <= MAX_SAMPLE_US:
            return
        if self._smoothed_us is None:
            self._smoothed_us = sample_us
        else:
            self._smoothed_us += (sample_us - self._smoothed_us) >> SMOOTHING_SHIFT
