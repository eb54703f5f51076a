"""Runs of the VBV bench made up by hand."""

from benchmarks.driving import DrivenFrame
from benchmarks.vbv.measurement import Row, measured
from benchmarks.vbv.points import P360, PictureFormat, Point, Subject
from benchmarks.vbv.schedules import Schedule, driving_plan
from benchmarks.vbv.shown_quality import ShownQuality


def point(
    *,
    clip: str = "talking_head",
    picture_format: PictureFormat = P360,
    kbps: int = 100,
    schedule: Schedule = Schedule.STEADY,
    seconds: int = 1,
) -> Point:
    return Point(clip=clip, format=picture_format, kbps=kbps, schedule=schedule, duration_us=seconds * 1_000_000)


def frame(
    at_us: int, size_bytes: int | None, *, bps: int = 100_000, key: bool = False, quantizer: int | None = 40
) -> DrivenFrame:
    return DrivenFrame(
        captured_at_us=at_us,
        target_bps=bps,
        payload=None if size_bytes is None else bytes(size_bytes),
        is_key=key,
        quantizer=quantizer,
        encodes=1,
        encode_ns=2_000_000,
        control_ns=50_000,
    )


def frames(where: Point, size_bytes: int, *, quantizer: int | None = 40) -> list[DrivenFrame]:
    """A key frame and delta frames, all of one size."""
    fps = where.format.fps
    return [
        frame(index * 1_000_000 // fps, size_bytes, bps=where.peak_bps, key=index == 0, quantizer=quantizer)
        for index in range(where.frame_count)
    ]


def row(
    subject: Subject = Subject.OURS_AV1,
    where: Point | None = None,
    *,
    size_bytes: int | None = None,
    psnr_db: float | None = 35.0,
    vmaf: float | None = None,
    made: list[DrivenFrame] | None = None,
) -> Row:
    """A run whose frames are all of one size, exactly on target unless told otherwise."""
    where = where or point()
    plan = driving_plan(where.schedule, peak_bps=where.peak_bps, size=where.format.size, duration_us=where.duration_us)
    exact = where.peak_bps // where.format.fps // 8
    made = made or frames(where, exact if size_bytes is None else size_bytes)
    quality = ShownQuality(psnr_db=psnr_db, ssim=0.9, vmaf=vmaf)
    return measured(subject, where, made, targets=plan.targets, quality=quality)
