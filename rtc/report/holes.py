"""Curves with holes where there was nothing to draw."""

import bisect
import itertools
from collections.abc import Sequence

from rtc.report.panel import Point

DOT = 4
"""Pixels across."""


def broken_at(starts: Sequence[float], points: Sequence[tuple[float, float]]) -> list[Point]:
    """The points with a hole wherever one of the ascending `starts` lies from one point's time to before the next's."""
    broken: list[Point] = list(points[:1])
    for before, after in itertools.pairwise(points):
        if bisect.bisect_left(starts, before[0]) < bisect.bisect_left(starts, after[0]):
            broken.append((before[0], None))
        broken.append(after)
    return broken


def dot_sizes(points: Sequence[Point]) -> list[int]:
    """What a curve's markers measure: nothing on a line, a dot for a point that no line reaches."""
    present = [False, *(value is not None for _, value in points), False]
    return [
        DOT if here and not (left or right) else 0
        for left, here, right in zip(present, present[1:], present[2:], strict=False)
    ]
