"""Which points are measured, and by which subjects: everything, or what fits in a minute."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from benchmarks.vbv.points import FORMATS, P180, P360, PictureFormat, Point, Subject
from benchmarks.vbv.schedules import Schedule
from benchmarks.vbv.selection import Selection

ALL_RATES: Final = {picture_format: picture_format.rates_kbps for picture_format in FORMATS}
QUICK_RATES: Final = {P180: (30, 100), P360: (100, 400)}
CHANGING_RATES: Final = {P180: (100,), P360: (400,)}
"""For all schedules but the steady one: high enough that a seventh is still a call's rate."""
CHANGING_SUBJECTS: Final = (
    Subject.OURS_AV1,
    Subject.NATIVE_AV1,
    Subject.TUNED_AV1,
    Subject.OURS_H264,
    Subject.NATIVE_H264,
)
QUICK_SUBJECTS: Final = (Subject.OURS_AV1, Subject.NATIVE_AV1, Subject.OURS_H264)
MADE_CLIPS: Final = ("talking_head", "screen", "motion", "low_light", "scene_cut")
QUICK_CLIPS: Final = ("talking_head", "motion")
FULL_DURATION_US: Final = 10_000_000
QUICK_DURATION_US: Final = 5_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One subject at one point."""

    point: Point
    subject: Subject


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What is measured on the same pictures, one run after the other; all at one clip, format and rate."""

    runs: tuple[Run, ...]
    vmaf: bool

    @property
    def point(self) -> Point:
        """Any of its points: clip, format, rate and duration are the same."""
        return self.runs[0].point


def jobs(clips: Sequence[str], selection: Selection, *, quick: bool, vmaf: bool) -> tuple[Job, ...]:
    """All jobs, those that take longest first. Every other one runs its subjects in the opposite order."""
    made = [
        Job(runs=runs, vmaf=vmaf)
        for picture_format in reversed(FORMATS)
        for clip in clips
        for kbps in (QUICK_RATES if quick else ALL_RATES)[picture_format]
        if (runs := _runs(clip, picture_format, kbps, selection, quick=quick))
    ]
    return tuple(_turned(job) if index % 2 else job for index, job in enumerate(made))


def _runs(clip: str, picture_format: PictureFormat, kbps: int, selection: Selection, *, quick: bool) -> tuple[Run, ...]:
    duration_us = QUICK_DURATION_US if quick else FULL_DURATION_US
    points = [
        Point(clip=clip, format=picture_format, kbps=kbps, schedule=schedule, duration_us=duration_us)
        for schedule in Schedule
        if schedule is Schedule.STEADY or kbps in CHANGING_RATES[picture_format]
    ]
    wanted = (Run(point=point, subject=subject) for point in points for subject in _subjects(point, quick=quick))
    return tuple(run for run in wanted if selection.takes(run.subject, run.point))


def _subjects(point: Point, *, quick: bool) -> Sequence[Subject]:
    if quick:
        return QUICK_SUBJECTS
    if point.schedule is Schedule.STEADY:
        return tuple(Subject)
    return CHANGING_SUBJECTS


def _turned(job: Job) -> Job:
    return Job(runs=job.runs[::-1], vmaf=job.vmaf)
