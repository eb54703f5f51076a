"""One subject encodes the pictures of one point."""

from collections.abc import Sequence
from typing import Final

from benchmarks.driving import DrivenFrame, DrivingPlan, drive, open_controller
from benchmarks.vbv.baselines import encode_steadily
from benchmarks.vbv.points import STEADY_ONLY, Point, Subject
from benchmarks.vbv.schedules import driving_plan
from rtc.call.config import RateControl
from rtc.codecs.encoder_values import EncoderOptions
from rtc.codecs.interface import open_encoder
from rtc.values.formats import Codec
from rtc.values.frames import VideoFrame

SPEEDS: Final = {Codec.AV1: 10, Codec.H264: 2}
"""libwebrtc's default for AV1, OpenH264's low complexity."""
OURS: Final = frozenset({Subject.OURS_AV1, Subject.OURS_AV1_2, Subject.OURS_H264})


def plan_of(point: Point) -> DrivingPlan:
    """What an encoder is told at a point, and when."""
    return driving_plan(point.schedule, peak_bps=point.peak_bps, size=point.format.size, duration_us=point.duration_us)


def encode(
    subject: Subject, point: Point, pictures: Sequence[VideoFrame], options: EncoderOptions | None = None
) -> tuple[DrivenFrame, ...]:
    """What became of each picture; `options` are those of the codec's own rate control.

    Raises:
        CodecError: the encoder is missing or fails.

    """
    if subject in STEADY_ONLY:
        return encode_steadily(subject, pictures, fps=point.format.fps, bps=point.peak_bps)
    codec, plan = subject.codec, plan_of(point)
    controller = open_controller(
        codec,
        point.format.size,
        fps=point.format.fps,
        speed=SPEEDS[codec],
        rate_control=RateControl.OURS if subject in OURS else RateControl.NATIVE,
        targets=plan.targets,
        candidates=2 if subject is Subject.OURS_AV1_2 else 1,
    )
    with open_encoder(codec, point.format.size, options) as encoder:
        return tuple(drive(pictures, encoder, controller, plan, fps=point.format.fps))
