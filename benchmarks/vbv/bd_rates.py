"""BD-rate of ours against each baseline: per clip and format, over the steady points."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from benchmarks.vbv.measurement import Row
from benchmarks.vbv.points import H264_SUBJECTS, Subject
from benchmarks.vbv.quality_metric import QualityMetric
from benchmarks.vbv.schedules import Schedule
from rtc.metrics.bd_rate import RatePoint, bd_rate_percent
from rtc.values.errors import LocalMisuse

ANCHORS: Final = {
    Subject.OURS_AV1: tuple(subject for subject in Subject if subject is not Subject.OURS_AV1),
    Subject.OURS_H264: tuple(sorted(H264_SUBJECTS - {Subject.OURS_H264}, key=lambda subject: subject.value)),
}
"""Whom each of ours is held against."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BdRate:
    """How many percent more bits the tested subject takes at equal quality, on one clip in one format."""

    clip: str
    format_name: str
    metric: QualityMetric
    tested: Subject
    anchor: Subject
    percent: float


def bd_rates(rows: Iterable[Row]) -> tuple[BdRate, ...]:
    """Every one that the rows allow."""
    curves: dict[tuple[str, str], dict[Subject, list[Row]]] = {}
    for row in rows:
        if row.point.schedule is Schedule.STEADY:
            of_clip = curves.setdefault((row.point.clip, row.point.format.name), {})
            of_clip.setdefault(row.subject, []).append(row)
    return tuple(
        BdRate(
            clip=clip, format_name=format_name, metric=metric, tested=tested, anchor=anchor, percent=round(percent, 2)
        )
        for (clip, format_name), of_clip in curves.items()
        for metric in QualityMetric
        for tested, anchors in ANCHORS.items()
        for anchor in anchors
        if (percent := _percent(of_clip.get(anchor, []), of_clip.get(tested, []), metric)) is not None
    )


def _percent(anchor: Sequence[Row], tested: Sequence[Row], metric: QualityMetric) -> float | None:
    try:
        return bd_rate_percent(rate_points(anchor, metric), rate_points(tested, metric))
    except LocalMisuse:  # too few points, or no quality that both reach
        return None


def rate_points(rows: Iterable[Row], metric: QualityMetric) -> list[RatePoint]:
    """The part of a curve on which quality grows with rate: points where more target buys nothing are left out."""
    points: list[RatePoint] = []
    for row in sorted(rows, key=lambda row: row.rate.encoded_bps):
        quality = metric.of(row.quality)
        if quality is None:
            continue
        point = RatePoint(bps=row.rate.encoded_bps, quality=quality)
        if not points or (point.bps > points[-1].bps and point.quality > points[-1].quality):
            points.append(point)
    return points
