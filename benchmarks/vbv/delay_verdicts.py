"""Goals on the VBV delay: on a steady target, after a fall of the target, after key frames, at the lowest rates."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from benchmarks.report import Verdict
from benchmarks.vbv.bounds import Bound, Figure, of_subject
from benchmarks.vbv.drop_recovery import DropRecovery
from benchmarks.vbv.measurement import Row
from benchmarks.vbv.points import P180, P360, Subject
from benchmarks.vbv.schedules import DROP_RATIOS, Schedule
from rtc.metrics.distributions import to_ms

_FIGURES: Final[dict[str, Figure]] = {
    "p95": lambda row: row.vbv.p95,
    "p99": lambda row: row.vbv.p99,
    "max": lambda row: row.vbv.max,
}
_STEADY: Final = (
    (Subject.OURS_AV1, P360, 100, {"p95": 80, "p99": 100, "max": 140}),
    (Subject.OURS_AV1, P180, 30, {"p95": 115, "p99": 130, "max": 150}),
    (Subject.OURS_H264, P360, 100, {"p99": 160}),
    (Subject.OURS_H264, P180, 30, {"p99": 200}),
)
"""Subject, format, the lowest rate it holds from, and bounds in ms."""
_OURS: Final = (Subject.OURS_AV1, Subject.OURS_H264)
_EXCESS_MS: Final = 150
_CALM_MS: Final = 115
_KEY_FRAME_MS: Final = 150
_LOW_KBPS: Final = 30
_LOW_DELAY_MS: Final = 400
_LOW_PICTURES_PER_S: Final = 5
"""Fewer are no moving picture any more."""


def delay_verdicts(rows: Sequence[Row]) -> Iterator[Verdict | None]:
    """None where the rows do not tell."""
    yield from _steady(rows)
    yield from _drops(rows)
    yield from _key_frames(rows)
    yield from _lowest_rates(rows)


def _steady(rows: Sequence[Row]) -> Iterator[Verdict | None]:
    for subject, picture_format, from_kbps, bounds in _STEADY:
        judged = [
            row
            for row in of_subject(rows, subject, Schedule.STEADY)
            if row.point.format == picture_format and row.point.kbps >= from_kbps
        ]
        for name, most in bounds.items():
            goal = f"{subject.value}, steady {picture_format.name} from {from_kbps} kbps, VBV delay {name} <= {most} ms"
            yield Bound(goal=goal, figure=_FIGURES[name], most=most).verdict(judged)


def _drops(rows: Sequence[Row]) -> Iterator[Verdict | None]:
    excess = Bound(
        goal=f"{Subject.OURS_AV1.value}, after a drop, VBV delay beyond what was in the buffer <= {_EXCESS_MS} ms",
        figure=lambda row: _of_drop(row, lambda drop: drop.excess_us),
        most=_EXCESS_MS,
    )
    calm = Bound(
        goal=f"{Subject.OURS_AV1.value}, from 1 s after a drop, VBV delay p95 <= {_CALM_MS} ms",
        figure=lambda row: _of_drop(row, lambda drop: drop.p95_after_1s_us),
        most=_CALM_MS,
    )
    others = (Subject.OURS_H264, Subject.NATIVE_AV1, Subject.NATIVE_H264)
    beside = [(subject.value, of_subject(rows, subject, *DROP_RATIOS)) for subject in others]
    for bound in (excess, calm):
        yield bound.verdict(of_subject(rows, Subject.OURS_AV1, *DROP_RATIOS), beside)


def _key_frames(rows: Sequence[Row]) -> Iterator[Verdict | None]:
    bound = Bound(
        goal=f"{Subject.OURS_AV1.value}, VBV delay after a key frame not at the coarsest quantizer "
        f"<= {_KEY_FRAME_MS} ms",
        figure=lambda row: row.key.avoidable_delay_ms,
        most=_KEY_FRAME_MS,
    )
    schedules = (Schedule.STEADY, Schedule.KEY_FRAMES)
    others = (Subject.OURS_H264, Subject.NATIVE_AV1)
    beside = [(subject.value, of_subject(rows, subject, *schedules)) for subject in others]
    yield bound.verdict(of_subject(rows, Subject.OURS_AV1, *schedules), beside)


def _lowest_rates(rows: Sequence[Row]) -> Iterator[Verdict | None]:
    for subject in _OURS:
        judged = [row for row in of_subject(rows, subject, Schedule.STEADY) if row.point.kbps <= _LOW_KBPS]
        goal = f"{subject.value}, steady up to {_LOW_KBPS} kbps, VBV delay max <= {_LOW_DELAY_MS} ms"
        yield Bound(goal=goal, figure=_FIGURES["max"], most=_LOW_DELAY_MS).verdict(judged)
        yield _still_moving(subject, judged)


def _still_moving(subject: Subject, judged: Sequence[Row]) -> Verdict | None:
    if not judged:
        return None
    worst = min(judged, key=lambda row: row.effort.pictures_per_s)
    return Verdict(
        goal=f"{subject.value}, steady up to {_LOW_KBPS} kbps, at least {_LOW_PICTURES_PER_S} pictures a second",
        measured=f"fewest {worst.effort.pictures_per_s:g} ({worst.point})",
        met=worst.effort.pictures_per_s >= _LOW_PICTURES_PER_S,
    )


def _of_drop(row: Row, time_us: Callable[[DropRecovery], int | None]) -> float | None:
    return None if row.drop is None else to_ms(time_us(row.drop))
