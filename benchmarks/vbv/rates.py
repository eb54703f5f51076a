"""How near the encoded rate comes to the target, and whether the content could have used it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from benchmarks.driving import DrivenFrame
from rtc.metrics.rate_timeline import RateStep, RateTimeline
from rtc.values.formats import Codec
from rtc.values.units import US_PER_S

FINEST: Final = {Codec.AV1: 4, Codec.H264: 12}
"""Quantizers this fine or finer give more than anyone sees; no rate control goes far beyond."""
DIGITS: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class RateFigures:
    """Encoded bits against the target's, all of it over a whole run."""

    encoded_bps: float
    over_target: float
    """Encoded over what the target allows."""
    over_usable: float | None
    """Encoded over that part of the target which the content could use: what frames at the finest quantizer left of
    their share is not counted. None where nothing could be used, or quantizers are not known."""
    finest_share: float | None
    """Share of the frames sent that were at the finest quantizer; None where quantizers are not known."""


def rate_figures(
    codec: Codec, frames: Sequence[DrivenFrame], targets: Sequence[RateStep], duration_us: int
) -> RateFigures:
    """The figures of one run under these targets."""
    timeline = RateTimeline(targets)
    encoded = sum(frame.bits for frame in frames)
    allowed = timeline.microbits(0, duration_us) / US_PER_S
    sent = [frame for frame in frames if frame.payload is not None]
    known = bool(sent) and all(frame.quantizer is not None for frame in sent)
    finest = [frame for frame in sent if _is_finest(frame, codec)]
    usable = allowed - _unusable_bits(codec, frames, timeline, duration_us)
    return RateFigures(
        encoded_bps=encoded * US_PER_S / duration_us,
        over_target=round(encoded / allowed, DIGITS),
        over_usable=round(encoded / usable, DIGITS) if known and usable > 0 else None,
        finest_share=round(len(finest) / len(sent), DIGITS) if known else None,
    )


def _unusable_bits(codec: Codec, frames: Sequence[DrivenFrame], timeline: RateTimeline, duration_us: int) -> float:
    """What was left of the share of every frame at the finest quantizer."""
    ends = [*(frame.captured_at_us for frame in frames[1:]), duration_us]
    shares = (timeline.microbits(frame.captured_at_us, end) / US_PER_S for frame, end in zip(frames, ends, strict=True))
    return sum(
        max(0.0, share - frame.bits) for frame, share in zip(frames, shares, strict=True) if _is_finest(frame, codec)
    )


def _is_finest(frame: DrivenFrame, codec: Codec) -> bool:
    return frame.payload is not None and frame.quantizer is not None and frame.quantizer <= FINEST[codec]
