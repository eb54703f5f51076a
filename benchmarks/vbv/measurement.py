"""From what became of each picture to the figures of one run."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from benchmarks.driving import DrivenFrame
from benchmarks.vbv.drop_recovery import DropRecovery, drop_recovery
from benchmarks.vbv.points import Point, Subject
from benchmarks.vbv.rates import RateFigures, rate_figures
from benchmarks.vbv.schedules import target_drop
from benchmarks.vbv.shown_quality import ShownQuality
from rtc.metrics.distributions import mean_of_floats
from rtc.metrics.rate_timeline import RateStep
from rtc.metrics.records import FrameRecord
from rtc.metrics.vbv import VbvDelay, vbv_delays_us
from rtc.values.formats import Codec
from rtc.values.units import US_PER_MS, US_PER_S

COARSEST: Final = {Codec.AV1: 63, Codec.H264: 51}
NS_PER_MS: Final = 1_000_000
DIGITS: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyFrameFigures:
    """Of all key frames of a run, the first included; None without one, or where quantizers are not known."""

    largest_ms: float | None
    """The largest one's bits over the target in force."""
    delay_ms: float | None
    """The largest VBV delay after one."""
    avoidable_delay_ms: float | None
    """The same over those that a coarser quantizer would have made smaller."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EffortFigures:
    """What a run cost; times are CPU time a captured picture."""

    encode_ms: float | None
    control_ms: float | None
    reencoded: float
    """Share of pictures encoded more than once."""
    dropped: int
    """Pictures of which nothing was sent: dropped on purpose, or skipped by the codec."""
    pictures_per_s: float
    """Pictures sent a second."""
    quantizer_mean: float | None
    """Over frames sent, in the codec's own scale."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One subject at one point."""

    subject: Subject
    point: Point
    settings: str
    """What was chosen for this point alone; empty where nothing was."""
    curve: tuple[tuple[int, int], ...]
    """Capture time and VBV delay of each frame sent."""
    vbv: VbvDelay
    rate: RateFigures
    key: KeyFrameFigures
    drop: DropRecovery | None
    quality: ShownQuality
    effort: EffortFigures


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A subject that could not be measured at a point."""

    subject: Subject
    point: Point
    reason: str


def measured(
    subject: Subject,
    point: Point,
    frames: Sequence[DrivenFrame],
    *,
    targets: Sequence[RateStep],
    quality: ShownQuality,
    settings: str = "",
) -> Row:
    """All figures of one run under these targets."""
    delays_us = vbv_delays_us([_record(index, frame) for index, frame in enumerate(frames)], targets)
    pairs = zip(frames, delays_us, strict=True)
    curve = tuple((frame.captured_at_us, delay_us) for frame, delay_us in pairs if delay_us is not None)
    drop = target_drop(point.schedule, point.peak_bps, point.duration_us)
    return Row(
        subject=subject,
        point=point,
        settings=settings,
        curve=curve,
        vbv=VbvDelay.of_us(delay_us for _, delay_us in curve),
        rate=rate_figures(subject.codec, frames, targets, point.duration_us),
        key=_key_frame_figures(subject.codec, frames, dict(curve)),
        drop=None if drop is None else drop_recovery(curve, drop),
        quality=quality,
        effort=_effort_figures(frames, point.duration_us),
    )


def _record(index: int, frame: DrivenFrame) -> FrameRecord:
    encoded_bytes = None if frame.payload is None else len(frame.payload)
    return FrameRecord(capture_index=index, captured_at_us=frame.captured_at_us, encoded_bytes=encoded_bytes)


def _key_frame_figures(codec: Codec, frames: Sequence[DrivenFrame], delays_us: dict[int, int]) -> KeyFrameFigures:
    keys = [frame for frame in frames if frame.is_key]
    avoidable = [frame for frame in keys if frame.quantizer is not None and frame.quantizer < COARSEST[codec]]
    return KeyFrameFigures(
        largest_ms=max((round(1_000 * key.bits / key.target_bps, 1) for key in keys), default=None),
        delay_ms=_largest_delay_ms(keys, delays_us),
        avoidable_delay_ms=_largest_delay_ms(avoidable, delays_us),
    )


def _largest_delay_ms(frames: Sequence[DrivenFrame], delays_us: dict[int, int]) -> float | None:
    return max((delays_us[frame.captured_at_us] / US_PER_MS for frame in frames), default=None)


def _effort_figures(frames: Sequence[DrivenFrame], duration_us: int) -> EffortFigures:
    sent = [frame for frame in frames if frame.payload is not None]
    return EffortFigures(
        encode_ms=mean_of_floats((frame.encode_ns / NS_PER_MS for frame in frames), DIGITS),
        control_ms=mean_of_floats((frame.control_ns / NS_PER_MS for frame in frames), DIGITS),
        reencoded=round(sum(frame.encodes > 1 for frame in frames) / len(frames), DIGITS),
        dropped=len(frames) - len(sent),
        pictures_per_s=round(len(sent) * US_PER_S / duration_us, 2),
        quantizer_mean=mean_of_floats((frame.quantizer for frame in sent), 2),
    )
