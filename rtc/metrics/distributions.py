"""Percentiles and means of whole microseconds: exact, and the same to the last bit on every machine.

A percentile here is the nearest rank: the smallest value that at least p percent of all values do not exceed. It is
always one of the values, never an interpolation between two. Means are one division of an exact integer sum. Times go
in as integer microseconds and come out in milliseconds with three digits, which loses nothing.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Self

from pydantic import BaseModel, ConfigDict

from rtc.values.units import US_PER_MS

MS_DIGITS = 3
RATIO_DIGITS = 6


def nearest_rank(ascending: Sequence[int], percent: int) -> int | None:
    """The nearest-rank percentile of values already in ascending order; None when there are none."""
    if not ascending:
        return None
    rank = max(1, -(-percent * len(ascending) // 100))
    return ascending[rank - 1]


def ratio(part: int, whole: int, digits: int = RATIO_DIGITS) -> float | None:
    """`part / whole`, rounded; None when the whole is zero."""
    return round(part / whole, digits) if whole else None


def mean_of_floats(values: Iterable[float | None], digits: int) -> float | None:
    """The mean of the values that are there, from an exactly rounded sum; None when there are none."""
    present = [value for value in values if value is not None]
    return round(math.fsum(present) / len(present), digits) if present else None


def to_ms(duration_us: int | None) -> float | None:
    """Milliseconds, None staying None."""
    return None if duration_us is None else round(duration_us / US_PER_MS, MS_DIGITS)


class Figures(BaseModel):
    """A group of figures of a summary; a field is null when there was nothing to measure."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class MedianAndTail(Figures):
    """Milliseconds."""

    p50: float | None = None
    p95: float | None = None

    @classmethod
    def of_us(cls, values_us: Iterable[int]) -> Self:
        """From microseconds in any order."""
        ascending = sorted(values_us)
        return cls(p50=to_ms(nearest_rank(ascending, 50)), p95=to_ms(nearest_rank(ascending, 95)))


class DelayDistribution(Figures):
    """Milliseconds."""

    p50: float | None = None
    p95: float | None = None
    p99: float | None = None
    max: float | None = None

    @classmethod
    def of_us(cls, values_us: Iterable[int]) -> Self:
        """From microseconds in any order."""
        ascending = sorted(values_us)
        return cls(
            p50=to_ms(nearest_rank(ascending, 50)),
            p95=to_ms(nearest_rank(ascending, 95)),
            p99=to_ms(nearest_rank(ascending, 99)),
            max=to_ms(nearest_rank(ascending, 100)),
        )


class MeanAndTail(Figures):
    """Milliseconds."""

    mean: float | None = None
    p95: float | None = None

    @classmethod
    def of_us(cls, values_us: Iterable[int]) -> Self:
        """From microseconds in any order."""
        ascending = sorted(values_us)
        mean = ratio(sum(ascending), len(ascending) * US_PER_MS, MS_DIGITS)
        return cls(mean=mean, p95=to_ms(nearest_rank(ascending, 95)))
