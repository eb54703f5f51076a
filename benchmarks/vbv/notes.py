"""The method, in the lines under the tables."""

from collections.abc import Sequence
from typing import Final

from benchmarks.vbv.baselines import X264_BUFFER_MS
from benchmarks.vbv.matrix import Job
from benchmarks.vbv.native_grid import BUFFERS, GRID, MAX_QUANTIZERS, MOST_OVER_TARGET
from benchmarks.vbv.points import Subject, clip_title
from benchmarks.vbv.schedules import Schedule
from rtc.values.units import US_PER_S

HOW: Final = (
    "Picture by picture in one thread: the call's own controller, a real encoder, a decoder. A dropped picture "
    "counts as the one before shown again."
)


def notes(jobs: Sequence[Job], *, quick: bool) -> tuple[str, ...]:
    """What ran and how."""
    points = [run.point for job in jobs for run in job.runs]
    subjects = {run.subject for job in jobs for run in job.runs}
    clips = dict.fromkeys(clip_title(point.clip) for point in points)
    told = f"{', '.join(clips)}; {points[0].duration_us / US_PER_S:g} s each"
    lines = [f"Clips: {told}. The first table's figures are medians over clips; times are CPU time a picture.", HOW]
    if any(point.schedule is not Schedule.STEADY for point in points):
        lines.append("Schedules other than steady run at one rate a format, which is their highest.")
    if Subject.TUNED_AV1 in subjects:
        buffers = ", ".join(f"{one.size_ms}/{one.initial_ms}/{one.optimal_ms}" for one in BUFFERS)
        lines.append(
            f"{Subject.TUNED_AV1.value}: of {len(GRID)} settings (buffer {buffers} ms; max quantizer "
            f"{', '.join(map(str, MAX_QUANTIZERS))}; cyclic refresh on, off) the best PSNR whose encoded/target is at "
            f"most {MOST_OVER_TARGET:g}, else the lowest rate; chosen clip by clip and rate by rate on the steady "
            "target, and used on the other schedules as it is."
        )
    if Subject.X264 in subjects or Subject.SVT_AV1 in subjects:
        lines.append(
            f"x264 superfast, zerolatency, vbv-maxrate at the target, vbv-bufsize {X264_BUFFER_MS} ms; SVT-AV1 preset "
            "11, rtc, CBR; both through PyAV, which changes no target of an open encoder, so on steady ones alone."
        )
    if quick:
        lines.append("--quick leaves out clips, rates, most baselines, and half of each run: errors are wider.")
    return tuple(lines)
