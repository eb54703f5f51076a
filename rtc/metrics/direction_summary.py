"""The figures of one direction of a call, as `summary.json` holds them.

Every figure is made of exact integer sums, or of exactly rounded float sums, and is then rounded to a fixed number of
digits: milliseconds, kbps and fps 3, seconds and ratios 6, decibels 4. The same call gives the same bytes anywhere.
"""

import dataclasses

from rtc.metrics.bitrate import Bitrate, bitrate, capacity_used_ratio
from rtc.metrics.codec import SECONDS_DIGITS, CodecFigures, codec_figures
from rtc.metrics.delay import capture_to_display, queue_delay
from rtc.metrics.direction_records import DirectionRecords
from rtc.metrics.distributions import DelayDistribution, Figures, MedianAndTail
from rtc.metrics.frame_counts import FrameCounts, frame_counts
from rtc.metrics.quality_means import QualityMeans, quality_means
from rtc.metrics.records import Decision
from rtc.metrics.repair import PacketCounts, RecoveryTimes, packet_counts, recovery_times
from rtc.metrics.smoothness import Smoothness, smoothness
from rtc.metrics.vbv import VbvDelay
from rtc.values.units import US_PER_S


class AvSync(Figures):
    """Milliseconds by which audio leads (positive) or lags video; null until audio runs beside video."""

    p50: float | None = None
    p95: float | None = None
    max_abs: float | None = None


class DecisionRow(Figures):
    """One decision of a policy."""

    time_s: float
    kind: str
    reason: str


# pydantic orders fields from the last base to the first, so these are listed in the reverse of the file's order.
class DirectionSummary(CodecFigures, PacketCounts, QualityMeans, Bitrate, Smoothness, FrameCounts):
    """All figures of one direction. Null means that there was nothing to measure or that nobody asked."""

    capture_to_display_ms: DelayDistribution
    av_sync_ms: AvSync = AvSync()

    vbv_delay_ms: VbvDelay
    capacity_used_ratio: float | None
    queue_delay_ms: MedianAndTail

    vmaf: float | None = None

    nack_count: int
    pli_count: int
    fir_count: int
    rpsi_count: int
    fec_recovered: int
    recovery_ms: RecoveryTimes

    energy_j: float | None = None
    temporal_layer_seconds: float | None = None

    decisions: tuple[DecisionRow, ...]


def summarise_direction(direction: DirectionRecords) -> DirectionSummary:
    """Every figure of a direction from its records; works on a call of no frames, one frame or nothing displayed."""
    frames, packets, duration_us = direction.frames, direction.packets, direction.duration_us
    return DirectionSummary(
        **dict(frame_counts(frames)),
        **dict(smoothness(direction.display_times_us, direction.end_us, direction.camera_interval_us)),
        **dict(bitrate(frames, direction.target_steps, duration_us)),
        **dict(quality_means(frames)),
        **dict(packet_counts(packets)),
        **dict(codec_figures(frames, duration_us)),
        **dataclasses.asdict(direction.counters),
        capture_to_display_ms=capture_to_display(frames),
        vbv_delay_ms=VbvDelay.of_us(delay for delay in direction.vbv_delays_us if delay is not None),
        capacity_used_ratio=capacity_used_ratio(packets, direction.capacity, duration_us),
        queue_delay_ms=queue_delay(packets),
        recovery_ms=recovery_times(frames, packets),
        decisions=tuple(_decision_row(decision) for decision in direction.decisions),
    )


def _decision_row(decision: Decision) -> DecisionRow:
    time_s = round(decision.at_us / US_PER_S, SECONDS_DIGITS)
    return DecisionRow(time_s=time_s, kind=decision.kind.value, reason=decision.reason)
