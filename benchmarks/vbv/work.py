"""Does one job: renders its pictures once, then measures its runs one after the other."""

from collections.abc import Iterator, Sequence

from benchmarks.driving import DrivenFrame
from benchmarks.vbv.encoding import encode, plan_of
from benchmarks.vbv.matrix import Job, Run
from benchmarks.vbv.measurement import Failure, Row, measured
from benchmarks.vbv.native_grid import GRID, Trial, best_trial, settings_text
from benchmarks.vbv.points import Point, Subject
from benchmarks.vbv.rates import rate_figures
from benchmarks.vbv.schedules import Schedule
from benchmarks.vbv.shown_quality import shown_psnr_db, shown_quality
from clips.catalogue import open_clip
from rtc.codecs.encoder_values import EncoderOptions
from rtc.values.errors import CallError
from rtc.values.frames import VideoFrame

CLIP_SEED = 1


def work(job: Job) -> tuple[Row | Failure, ...]:
    """The results of all runs, in their order."""
    return tuple(_Runner(rendered(job.point), vmaf=job.vmaf).results(job.runs))


def rendered(point: Point) -> list[VideoFrame]:
    """The pictures of a point."""
    with open_clip(point.clip, size=point.format.size, fps=point.format.fps, seed=CLIP_SEED) as clip:
        return [clip.frame(index) for index in range(point.frame_count)]


class _Runner:
    """Measures runs on the same pictures; what the grid gave is remembered from one run to the next."""

    def __init__(self, pictures: Sequence[VideoFrame], *, vmaf: bool) -> None:
        self._pictures = pictures
        self._vmaf = vmaf
        self._tuned: EncoderOptions | None = None

    def results(self, runs: Sequence[Run]) -> Iterator[Row | Failure]:
        for run in runs:
            try:
                yield self._row(run.subject, run.point)
            except CallError as error:
                yield Failure(subject=run.subject, point=run.point, reason=str(error))

    def _row(self, subject: Subject, point: Point) -> Row:
        if subject is not Subject.TUNED_AV1:
            return self._measured(subject, point, encode(subject, point, self._pictures))
        options = self._tuned = self._tuned or self._tune(point)
        frames = encode(subject, point, self._pictures, options)
        return self._measured(subject, point, frames, settings_text(options))

    def _measured(self, subject: Subject, point: Point, frames: Sequence[DrivenFrame], settings: str = "") -> Row:
        # Scores of the steady runs are what BD-rates are made of; elsewhere VMAF would cost more than it says.
        vmaf = self._vmaf and point.schedule is Schedule.STEADY
        quality = shown_quality(subject.codec, frames, self._pictures, fps=point.format.fps, vmaf=vmaf)
        targets = plan_of(point).targets
        return measured(subject, point, frames, targets=targets, quality=quality, settings=settings)

    def _tune(self, point: Point) -> EncoderOptions:
        """The best of the grid at this clip, format and rate, found on the steady schedule."""
        steady = point.on(Schedule.STEADY)
        trials = [self._trial(steady, options) for options in GRID]
        return GRID[best_trial(trials)]

    def _trial(self, point: Point, options: EncoderOptions) -> Trial:
        codec = Subject.TUNED_AV1.codec
        frames = encode(Subject.TUNED_AV1, point, self._pictures, options)
        rate = rate_figures(codec, frames, plan_of(point).targets, point.duration_us)
        psnr_db = shown_psnr_db(codec, frames, self._pictures)
        return Trial(encoded_over_target=rate.over_target, psnr_db=psnr_db)
