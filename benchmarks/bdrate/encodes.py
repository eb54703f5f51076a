"""One clip at one rate through several encoders: what each made, how good it looked, and what it cost."""

import statistics
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Final

from benchmarks.driving import DrivenEncoder, DrivenFrame, DrivingPlan, open_controller
from benchmarks.vmaf import vmaf_score
from rtc.call.config import RateControl
from rtc.codecs.interface import open_decoder, open_encoder
from rtc.metrics.quality import psnr_y_db
from rtc.metrics.rate_timeline import RateStep
from rtc.values.errors import CodecError
from rtc.values.formats import Codec, FrameSize
from rtc.values.frames import VideoFrame

SIZE: Final = FrameSize(640, 360)
FPS: Final = 30
TURN_PICTURES: Final = 10
"""Encoders take turns this long, so that what disturbs the machine disturbs them alike."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """A codec at a speed."""

    codec: Codec
    speed: int

    @property
    def name(self) -> str:
        """For tables."""
        return f"{'AV1' if self.codec is Codec.AV1 else 'H.264'} {self.speed}"


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelEncode:
    """What one level made of one clip at one target."""

    level: Level
    target_bps: int
    bps: float
    psnr_y_db: float
    """Mean over all pictures; a dropped one shows the frame before it."""
    vmaf: float
    """Likewise, of every seventh picture."""
    encode_ns: int
    """CPU time, encodes that were not sent included."""
    encodes: int
    dropped: int


def encode_levels(
    levels: Sequence[Level], pictures: Sequence[VideoFrame], target_bps: int, rate_control: RateControl
) -> list[LevelEncode]:
    """All levels over the same pictures, in turns; in the order of `levels`."""
    driven = _drive_in_turns(levels, pictures, target_bps, rate_control)
    return [_scored(level, target_bps, frames, pictures) for level, frames in zip(levels, driven, strict=True)]


def _drive_in_turns(
    levels: Sequence[Level], pictures: Sequence[VideoFrame], target_bps: int, rate_control: RateControl
) -> list[list[DrivenFrame]]:
    targets = (RateStep(at_us=0, bps=target_bps),)
    made: list[list[DrivenFrame]] = [[] for _ in levels]
    with ExitStack() as stack:
        encoders = []
        for level in levels:
            controller = open_controller(
                level.codec, SIZE, fps=FPS, speed=level.speed, targets=targets, rate_control=rate_control
            )
            opened = stack.enter_context(open_encoder(level.codec, SIZE))
            encoders.append(DrivenEncoder(opened, controller, DrivingPlan(targets=targets), fps=FPS))
        for start in range(0, len(pictures), TURN_PICTURES):
            for encoder, frames in zip(encoders, made, strict=True):
                frames += [encoder.encode(picture) for picture in pictures[start : start + TURN_PICTURES]]
    return made


def _scored(
    level: Level, target_bps: int, frames: Sequence[DrivenFrame], pictures: Sequence[VideoFrame]
) -> LevelEncode:
    shown = list(_shown(level.codec, frames))
    return LevelEncode(
        level=level,
        target_bps=target_bps,
        bps=sum(frame.bits for frame in frames) * FPS / len(frames),
        psnr_y_db=statistics.fmean(map(psnr_y_db, pictures, shown)),
        vmaf=vmaf_score(pictures, shown, SIZE, FPS),
        encode_ns=sum(frame.encode_ns for frame in frames),
        encodes=sum(frame.encodes for frame in frames),
        dropped=sum(frame.payload is None for frame in frames),
    )


def _shown(codec: Codec, frames: Sequence[DrivenFrame]) -> Iterator[VideoFrame]:
    """What the receiver of every frame would see."""
    picture: VideoFrame | None = None
    with open_decoder(codec) as decoder:
        for frame in frames:
            if frame.payload is not None:
                picture = decoder.decode(frame.payload)
            if picture is None:
                raise CodecError(f"{codec.value}: the frame of {frame.captured_at_us} us shows nothing to its decoder")
            yield picture
