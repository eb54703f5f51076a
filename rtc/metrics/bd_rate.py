"""Bjontegaard's delta rate: the mean difference in bitrate of two codecs at equal quality.

Each codec's points are joined by a monotone cubic (PCHIP) in log rate over quality, which unlike the first fit by a
polynomial cannot swing between the points; the gap between both curves is averaged over the qualities both reach
(ITU-T VCEG-M33, and VCEG-AI11 for the piecewise form).
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

from scipy.interpolate import PchipInterpolator

from rtc.values.errors import LocalMisuse


@dataclass(frozen=True, slots=True, kw_only=True)
class RatePoint:
    """One encode: what it cost and how good it was."""

    bps: float
    quality: float
    """Any score that grows with quality: dB of PSNR, VMAF."""


def bd_rate_percent(anchor: Sequence[RatePoint], tested: Sequence[RatePoint]) -> float:
    """By how many percent the tested codec's rate differs from the anchor's at equal quality; negative is fewer bits.

    Raises LocalMisuse where a curve has fewer than two points, quality does not grow with rate, or no quality is
    reached by both.
    """
    curves = [_log_rate_over_quality(curve) for curve in (anchor, tested)]
    low = max(float(curve.x[0]) for curve in curves)
    high = min(float(curve.x[-1]) for curve in curves)
    if high <= low:
        raise LocalMisuse(f"BD-rate: no quality is reached by both curves (from {low:g} to {high:g}); add rate points")
    areas = [float(curve.integrate(low, high)) for curve in curves]
    return (math.exp((areas[1] - areas[0]) / (high - low)) - 1) * 100


def _log_rate_over_quality(curve: Sequence[RatePoint]) -> PchipInterpolator:
    ascending = sorted(curve, key=lambda point: point.bps)
    if len(ascending) < 2:  # noqa: PLR2004 - a line needs two points
        raise LocalMisuse(f"BD-rate: a curve needs at least 2 points, got {len(ascending)}")
    for before, after in itertools.pairwise(ascending):
        if before.bps <= 0 or after.bps <= before.bps or after.quality <= before.quality:
            raise LocalMisuse(f"BD-rate: quality must grow with rate, got {before} then {after}")
    return PchipInterpolator([point.quality for point in ascending], [math.log(point.bps) for point in ascending])
