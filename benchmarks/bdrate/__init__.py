"""AV1 against H.264 in a call: how many fewer bits at equal quality, and at what CPU time, at every speed of both.

Both codecs under the same rate control, one thread each. The anchor is OpenH264 at its fastest.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from benchmarks.bdrate.encodes import FPS, SIZE, TURN_PICTURES, Level, LevelEncode, encode_levels
from benchmarks.bdrate.figures import LevelFigures, level_figures
from benchmarks.real_clips import DATA_VARIABLE, real_clips
from benchmarks.report import BenchReport, Section, Verdict
from benchmarks.vmaf import HOW_TO_GET, vmaf_available
from clips.catalogue import open_clip
from rtc.call.config import RateControl
from rtc.report.tables import Cell
from rtc.values.errors import LocalMisuse
from rtc.values.formats import Codec
from rtc.values.frames import VideoFrame

ANCHOR: Final = Level(codec=Codec.H264, speed=2)
LEVELS: Final = (
    ANCHOR,
    *(Level(codec=Codec.H264, speed=speed) for speed in (1, 0)),
    *(Level(codec=Codec.AV1, speed=speed) for speed in range(11, 4, -1)),
)
QUICK_LEVELS: Final = (ANCHOR, *(Level(codec=Codec.AV1, speed=speed) for speed in (11, 10, 8)))
RATES_KBPS: Final = (60, 100, 200, 400)
QUICK_RATES_KBPS: Final = (60, 120, 240)
SECONDS: Final = 8
QUICK_SECONDS: Final = 4
QUICK_CLIPS: Final = 2
CLIP_MADE_IN_CODE: Final = "talking_head"
ULTRA_LOW_RATIO: Final = 1.0
ULTRA_LOW_MEAN: Final = -30.0
ULTRA_LOW_WORST: Final = -20.0
LOW_RATIO: Final = 1.5
LOW_MEAN: Final = -38.0


def run(*, quick: bool, rate_control: RateControl = RateControl.OURS) -> BenchReport:
    """Encode every clip at every rate and level; `LocalMisuse` in one line where VMAF cannot be computed."""
    if not vmaf_available():
        raise LocalMisuse(HOW_TO_GET)
    levels, rates, seconds = (QUICK_LEVELS, QUICK_RATES_KBPS, QUICK_SECONDS) if quick else (LEVELS, RATES_KBPS, SECONDS)
    heads = real_clips("head")[: QUICK_CLIPS if quick else None]
    encodes = {
        _clip_name(clip): _encode_clip(clip, levels, rates, seconds, rate_control)
        for clip in heads or (CLIP_MADE_IN_CODE,)
    }
    figures = [level_figures(level, ANCHOR, seconds * FPS, encodes) for level in levels]
    av1 = [figure for figure in figures if figure.level.codec is Codec.AV1]
    return BenchReport(
        name="bdrate",
        goal=f"AV1 against {ANCHOR.name}, OpenH264's fastest: BD-rate in percent, negative is fewer bits",
        rows=tuple(_row(level) for level in figures),
        sections=(Section(title="BD-rate by VMAF, clip by clip", rows=_clip_by_clip(figures)),),
        verdicts=(ultra_low_verdict(av1), low_verdict(av1)),
        notes=_notes(rates, seconds, rate_control, real=bool(heads)),
    )


def ultra_low_verdict(figures: Sequence[LevelFigures]) -> Verdict:
    """Fewer bits for no more CPU than OpenH264's fastest, on every clip."""
    best = best_within(figures, ULTRA_LOW_RATIO)
    return Verdict(
        goal=f"a level at most {ULTRA_LOW_RATIO:g} x its CPU: BD-rate by VMAF {ULTRA_LOW_MEAN:g} % or less in the "
        f"mean, none above {ULTRA_LOW_WORST:g} %",
        measured=_measured(best, figures),
        met=best is not None
        and _at_most(best.mean_vmaf_bd_rate, ULTRA_LOW_MEAN)
        and _at_most(best.worst_vmaf_bd_rate, ULTRA_LOW_WORST),
    )


def low_verdict(figures: Sequence[LevelFigures]) -> Verdict:
    """Fewer bits still for somewhat more CPU."""
    best = best_within(figures, LOW_RATIO)
    return Verdict(
        goal=f"a level at most {LOW_RATIO:g} x its CPU: BD-rate by VMAF {LOW_MEAN:g} % or less in the mean",
        measured=_measured(best, figures),
        met=best is not None and _at_most(best.mean_vmaf_bd_rate, LOW_MEAN),
    )


def best_within(figures: Sequence[LevelFigures], cpu_ratio: float) -> LevelFigures | None:
    """The level with the lowest mean BD-rate among those that cost no more; None where there is none."""
    affordable = [figure for figure in figures if figure.cpu_ratio <= cpu_ratio]
    return min(affordable, key=lambda figure: figure.mean_vmaf_bd_rate or 0.0, default=None)


def _measured(best: LevelFigures | None, figures: Sequence[LevelFigures]) -> str:
    if best is None:
        cheapest = min(figures, key=lambda figure: figure.cpu_ratio)
        return f"none; the cheapest, {cheapest.level.name}, takes {cheapest.cpu_ratio:.2f} x"
    if best.mean_vmaf_bd_rate is None or best.worst_vmaf_bd_rate is None:
        return f"{best.level.name} at {best.cpu_ratio:.2f} x shares no quality with the anchor on some clip"
    return (
        f"{best.level.name} at {best.cpu_ratio:.2f} x: mean {best.mean_vmaf_bd_rate:.1f} %, "
        f"worst {best.worst_vmaf_bd_rate:.1f} %"
    )


def _at_most(rate: float | None, goal: float) -> bool:
    return rate is not None and rate <= goal


def _encode_clip(
    clip: str, levels: Sequence[Level], rates_kbps: Sequence[int], seconds: int, rate_control: RateControl
) -> list[LevelEncode]:
    pictures = _pictures(clip, seconds * FPS)
    return [encode for kbps in rates_kbps for encode in encode_levels(levels, pictures, kbps * 1000, rate_control)]


def _pictures(clip: str, count: int) -> list[VideoFrame]:
    with open_clip(clip, size=SIZE, fps=FPS, seed=0) as opened:
        return [opened.frame(index) for index in range(count)]


def _clip_name(clip: str) -> str:
    return Path(clip).stem.removeprefix("head_")


def _row(figures: LevelFigures) -> Mapping[str, Cell]:
    return {
        "level": figures.level.name,
        "CPU x": round(figures.cpu_ratio, 2),
        "CPU ms": round(figures.ms_per_picture, 2),
        "encodes": round(figures.encodes_per_picture, 3),
        "encoded / target": round(figures.rate_accuracy, 3),
        "dropped": figures.dropped,
        "PSNR mean": _rounded(figures.mean_psnr_bd_rate),
        "VMAF mean": _rounded(figures.mean_vmaf_bd_rate),
        "VMAF worst": _rounded(figures.worst_vmaf_bd_rate),
    }


def _clip_by_clip(figures: Sequence[LevelFigures]) -> tuple[Mapping[str, Cell], ...]:
    others = [level for level in figures if level.level != ANCHOR]
    return tuple(
        # In words, so that a narrow terminal can break the name.
        {"clip": clip.replace("_", " "), **{level.level.name: _rounded(level.vmaf_bd_rates[clip]) for level in others}}
        for clip in figures[0].vmaf_bd_rates
    )


def _rounded(rate: float | None) -> float | None:
    return None if rate is None else round(rate, 1)


def _notes(rates_kbps: Sequence[int], seconds: int, rate_control: RateControl, *, real: bool) -> tuple[str, ...]:
    rates = ", ".join(map(str, rates_kbps))
    lines = (
        f"{SIZE}p{FPS}, {rates} kbps, {seconds} s a clip, {rate_control.value} rate control, one thread.",
        f"Levels take turns of {TURN_PICTURES} pictures. CPU is that of all encodes, sent or not; its ratio is",
        "the median of the ratios by clip and rate. A dropped picture shows the one before it.",
    )
    return lines if real else (*lines, f"Real clips were not found, set {DATA_VARIABLE}: goals are stated for those.")
