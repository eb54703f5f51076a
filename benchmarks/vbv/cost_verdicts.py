"""Goals on what rate control takes: bits of the target, quality, encode time, its own time."""

import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from benchmarks.report import Verdict
from benchmarks.vbv.bd_rates import BdRate
from benchmarks.vbv.bounds import of_subject
from benchmarks.vbv.measurement import Row
from benchmarks.vbv.points import Subject, clip_title
from benchmarks.vbv.quality_metric import QualityMetric
from benchmarks.vbv.schedules import Schedule

_LEAST_RATE, _MOST_RATE = 0.98, 1.01
_MOSTLY: Final = 0.5
"""Share of frames at the finest quantizer above which a point's content cannot use the bits."""
_ENCODE_RATIO: Final = 1.15
_CONTROL_MS: Final = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class _QualityGoal:
    words: str
    anchor: Subject
    most_percent: float
    clips: Callable[[str], bool]
    over_clips: Callable[[list[float]], float]


def is_head(clip: str) -> bool:
    """Whether a clip shows a talking head; files say so in their names."""
    title = clip_title(clip)
    return title == "talking_head" or title.startswith("head_")


_QUALITY: Final = (
    _QualityGoal(
        words="median over heads",
        anchor=Subject.TUNED_AV1,
        most_percent=-2,
        clips=is_head,
        over_clips=statistics.median,
    ),
    _QualityGoal(words="every clip", anchor=Subject.TUNED_AV1, most_percent=0, clips=lambda _: True, over_clips=max),
    _QualityGoal(
        words="median over clips",
        anchor=Subject.NATIVE_AV1,
        most_percent=2,
        clips=lambda _: True,
        over_clips=statistics.median,
    ),
)


def cost_verdicts(rows: Sequence[Row], bd_rates: Sequence[BdRate]) -> Iterator[Verdict | None]:
    """None where the rows do not tell."""
    yield _rate(rows)
    for metric in QualityMetric:
        for goal in _QUALITY:
            yield _quality(goal, metric, bd_rates)
    yield _encode_time(rows)
    yield _controller_time(rows)


def _rate(rows: Sequence[Row]) -> Verdict | None:
    steady = of_subject(rows, Subject.OURS_AV1, Schedule.STEADY)
    judged = [
        (row.rate.over_usable, row)
        for row in steady
        if row.rate.over_usable is not None and (row.rate.finest_share or 0) <= _MOSTLY
    ]
    if not judged:
        return None
    (low, lowest), (high, highest) = (pick(judged, key=lambda one: one[0]) for pick in (min, max))
    native = {row.point: row.rate.over_target for row in of_subject(rows, Subject.NATIVE_AV1, Schedule.STEADY)}
    there = f"; {Subject.NATIVE_AV1.value} {native[lowest.point]:.3f}" if lowest.point in native else ""
    outside = sum(not _LEAST_RATE <= ratio <= _MOST_RATE for ratio, _ in judged)
    return Verdict(
        goal=f"{Subject.OURS_AV1.value}, steady, encoded over usable target from {_LEAST_RATE} to {_MOST_RATE} "
        "at every point that can use the bits",
        measured=f"{low:.3f} ({lowest.point}{there}) to {high:.3f} ({highest.point}), "
        f"{outside} of {len(judged)} outside; {len(steady) - len(judged)} cannot use the bits",
        met=not outside,
    )


def _quality(goal: _QualityGoal, metric: QualityMetric, bd_rates: Sequence[BdRate]) -> Verdict | None:
    judged = [
        one
        for one in bd_rates
        if one.metric is metric
        and one.tested is Subject.OURS_AV1
        and one.anchor is goal.anchor
        and goal.clips(one.clip)
    ]
    if not judged:
        return None
    figure = goal.over_clips([one.percent for one in judged])
    worst = max(judged, key=lambda one: one.percent)
    return Verdict(
        goal=f"{Subject.OURS_AV1.value} against {goal.anchor.value}, BD-rate by {metric.value}, {goal.words} "
        f"<= {goal.most_percent} %",
        measured=f"{figure:+.1f} %, worst {worst.percent:+.1f} % ({clip_title(worst.clip)} {worst.format_name})",
        met=figure <= goal.most_percent,
    )


def _encode_time(rows: Sequence[Row]) -> Verdict | None:
    native = {row.point: row.effort.encode_ms for row in of_subject(rows, Subject.NATIVE_AV1, Schedule.STEADY)}
    ratios = [
        (row.effort.encode_ms / plain, row)
        for row in of_subject(rows, Subject.OURS_AV1, Schedule.STEADY)
        if row.effort.encode_ms is not None and (plain := native.get(row.point))
    ]
    if not ratios:
        return None
    median = statistics.median(ratio for ratio, _ in ratios)
    worst, row = max(ratios, key=lambda one: one[0])
    return Verdict(
        goal=f"{Subject.OURS_AV1.value}, CPU time in the encoder, re-encodes included, median over points "
        f"<= {_ENCODE_RATIO} x {Subject.NATIVE_AV1.value}",
        measured=f"{median:.2f} x, worst {worst:.2f} x ({row.point}), {len(ratios)} points",
        met=median <= _ENCODE_RATIO,
    )


def _controller_time(rows: Sequence[Row]) -> Verdict | None:
    known = [
        (row.effort.control_ms, row) for row in of_subject(rows, Subject.OURS_AV1) if row.effort.control_ms is not None
    ]
    if not known:
        return None
    median = statistics.median(control_ms for control_ms, _ in known)
    worst, row = max(known, key=lambda one: one[0])
    return Verdict(
        goal=f"{Subject.OURS_AV1.value}, the controller's own time a picture, median over points < {_CONTROL_MS} ms",
        measured=f"{median:.3f} ms, worst {worst:.3f} ms ({row.point})",
        met=median < _CONTROL_MS,
    )
