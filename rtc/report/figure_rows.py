"""The figures of a call that a person reads first: one list, for the terminal's table and for the page's."""

from collections.abc import Callable
from dataclasses import dataclass

from rtc.metrics.direction_summary import DirectionSummary

NOTHING = "-"


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureRow:
    """One line of the table: its group, what it is called, and how a direction's figure is written."""

    group: str
    label: str
    text: Callable[[DirectionSummary], str]


def joined(*values: float | None, digits: int = 0) -> str:
    """Figures with slashes between; a dash where there is none."""
    return " / ".join(NOTHING if value is None else f"{value:,.{digits}f}" for value in values)


def percent(value: float | None) -> str:
    """A ratio as a percentage."""
    return NOTHING if value is None else f"{100 * value:.1f} %"


def seconds_by_codec(held: dict[str, float]) -> str:
    """`av1 20.0 s`, the codecs that were used."""
    return ", ".join(f"{codec} {seconds:.1f} s" for codec, seconds in held.items() if seconds) or NOTHING


def _row(group: str, label: str, text: Callable[[DirectionSummary], str]) -> FigureRow:
    return FigureRow(group=group, label=label, text=text)


FIGURE_ROWS: tuple[FigureRow, ...] = (
    _row("frames", "captured / encoded / displayed", lambda d: joined(
        d.frames_captured, d.frames_encoded, d.frames_displayed)),
    _row("frames", "dropped / drifted", lambda d: joined(d.frames_dropped, d.frames_drifted)),
    _row("frames", "key / recovery", lambda d: joined(d.key_frames_encoded, d.recovery_frames_encoded)),
    _row("smoothness", "first picture after", lambda d: (
        joined(d.first_frame_ms) + " ms" if d.frames_displayed else "nothing was displayed")),
    _row("smoothness", "frozen of the time, longest", lambda d: " / ".join((
        percent(d.freeze_ratio), joined(d.longest_freeze_ms) + " ms"))),
    _row("smoothness", "freezes (webrtc-stats), total s", lambda d: " / ".join((
        joined(d.freeze_count), joined(d.total_freezes_duration_s, digits=2)))),
    _row("smoothness", "gaps over 200 ms, total s", lambda d: " / ".join((
        joined(d.freeze_200ms_count), joined(d.total_freezes_200ms_duration_s, digits=2)))),
    _row("smoothness", "harmonic frame rate", lambda d: joined(d.harmonic_fps, digits=1) + " fps"),
    _row("delay", "capture to display p50 / p95 / max", lambda d: joined(
        d.capture_to_display_ms.p50, d.capture_to_display_ms.p95, d.capture_to_display_ms.max) + " ms"),
    _row("delay", "bottleneck queue p50 / p95", lambda d: joined(d.queue_delay_ms.p50, d.queue_delay_ms.p95) + " ms"),
    _row("rate", "target / encoded", lambda d: joined(d.target_kbps_mean, d.encoded_kbps_mean, digits=1) + " kbps"),
    _row("rate", "encoded of target", lambda d: percent(d.rate_ratio)),
    _row("rate", "VBV delay p50 / p95 / max", lambda d: joined(
        d.vbv_delay_ms.p50, d.vbv_delay_ms.p95, d.vbv_delay_ms.max) + " ms"),
    _row("rate", "link capacity used", lambda d: percent(d.capacity_used_ratio)),
    _row("quality", "PSNR-Y / with freezes", lambda d: joined(d.psnr_y_db, d.psnr_with_freeze_db, digits=2) + " dB"),
    _row("quality", "SSIM", lambda d: joined(d.ssim, digits=4)),
    _row("repair", "packets sent / lost", lambda d: joined(d.packets_sent, d.packets_lost)),
    _row("repair", "NACK / PLI / resent", lambda d: joined(d.nack_count, d.pli_count, d.retransmitted_packets)),
    _row("repair", "recoveries, p50 / p95", lambda d: ", ".join((
        joined(d.recovery_ms.count), joined(d.recovery_ms.p50, d.recovery_ms.p95) + " ms"))),
    _row("repair", "overhead", lambda d: percent(d.overhead_ratio)),
    _row("codec", "time by codec", lambda d: seconds_by_codec(d.codec_seconds)),
    _row("codec", "encode mean / p95", lambda d: joined(d.encode_ms.mean, d.encode_ms.p95, digits=1) + " ms"),
    _row("codec", "frames encoded again", lambda d: joined(d.frames_encoded_again)),
    _row("codec", "decode mean / p95", lambda d: joined(d.decode_ms.mean, d.decode_ms.p95, digits=1) + " ms"),
)  # fmt: skip


def direction_title(name: str) -> str:
    """`a_to_b` as people read it."""
    return name.replace("_to_", " → ")
