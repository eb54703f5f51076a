"""The bench's tables: every run for the file, medians over clips for the terminal, BD-rates."""

import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from benchmarks.vbv.bd_rates import BdRate
from benchmarks.vbv.measurement import Row
from benchmarks.vbv.points import clip_title
from rtc.metrics.distributions import to_ms
from rtc.report.tables import Cell, cell_text

FIGURES: Final[Mapping[str, Callable[[Row], float | None]]] = {
    "vbv p50 ms": lambda row: row.vbv.p50,
    "vbv p95 ms": lambda row: row.vbv.p95,
    "vbv p99 ms": lambda row: row.vbv.p99,
    "vbv max ms": lambda row: row.vbv.max,
    "over 200 ms": lambda row: row.vbv.over_200ms_ratio,
    "encoded/target": lambda row: row.rate.over_target,
    "encoded/usable": lambda row: row.rate.over_usable,
    "at finest": lambda row: row.rate.finest_share,
    "encoded kbps": lambda row: round(row.rate.encoded_bps / 1_000, 3),
    "key frame ms": lambda row: row.key.largest_ms,
    "after key ms": lambda row: row.key.delay_ms,
    "after key, not coarsest, ms": lambda row: row.key.avoidable_delay_ms,
    "drop given ms": lambda row: None if row.drop is None else to_ms(row.drop.given_us),
    "drop excess ms": lambda row: None if row.drop is None else to_ms(row.drop.excess_us),
    "p95 from 1 s after drop ms": lambda row: None if row.drop is None else to_ms(row.drop.p95_after_1s_us),
    "calm after ms": lambda row: None if row.drop is None else to_ms(row.drop.calm_after_us),
    "PSNR dB": lambda row: row.quality.psnr_db,
    "SSIM": lambda row: row.quality.ssim,
    "VMAF": lambda row: row.quality.vmaf,
    "encode ms": lambda row: row.effort.encode_ms,
    "controller ms": lambda row: row.effort.control_ms,
    "re-encoded": lambda row: row.effort.reencoded,
    "dropped": lambda row: row.effort.dropped,
    "pictures/s": lambda row: row.effort.pictures_per_s,
    "quantizer": lambda row: row.effort.quantizer_mean,
}
"""Every figure of a run by its column."""
SHOWN_TOGETHER: Final[Mapping[str, tuple[str, ...]]] = {
    "VBV delay p50/p95/p99/max ms": ("vbv p50 ms", "vbv p95 ms", "vbv p99 ms", "vbv max ms"),
    ">200 ms": ("over 200 ms",),
    "enc/target": ("encoded/target",),
    "key frame/after ms": ("key frame ms", "after key ms"),
    "PSNR/SSIM": ("PSNR dB", "SSIM"),
    "VMAF": ("VMAF",),
    "enc/ctrl ms": ("encode ms", "controller ms"),
    "re-enc": ("re-encoded",),
    "drops": ("dropped",),
    "q": ("quantizer",),
}
"""The columns of the terminal's table."""


def run_cells(row: Row) -> dict[str, Cell]:
    """One run, each figure a number."""
    point = row.point
    named: dict[str, Cell] = {
        "clip": clip_title(point.clip),
        "format": point.format.name,
        "kbps": point.kbps,
        "schedule": point.schedule.value,
        "subject": row.subject.value,
    }
    return named | {name: figure(row) for name, figure in FIGURES.items()} | {"settings": row.settings}


def median_rows(rows: Iterable[Row]) -> tuple[dict[str, Cell], ...]:
    """Medians over clips: a row for each schedule, format, rate and subject, in that order."""
    groups: dict[tuple[int, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(_place(row), []).append(row)
    return tuple(_median_cells(groups[place]) for place in sorted(groups))


def _place(row: Row) -> tuple[int, ...]:
    subjects, schedules = list(type(row.subject)), list(type(row.point.schedule))
    size = row.point.format.size
    return (schedules.index(row.point.schedule), size.pixels, row.point.kbps, subjects.index(row.subject))


def _median_cells(group: Sequence[Row]) -> dict[str, Cell]:
    first = group[0]
    cells: dict[str, Cell] = {
        "point": f"{first.point.schedule.value} {first.point.format.name} {first.point.kbps}",
        "subject": first.subject.value,
    }
    for column, names in SHOWN_TOGETHER.items():
        medians = [_median(FIGURES[name](row) for row in group) for name in names]
        if any(median is not None for median in medians) or column != "VMAF":
            cells[column] = "/".join(_short(median) for median in medians)
    return cells


def _median(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return statistics.median(known) if known else None


def _short(value: float | None) -> str:
    return cell_text(None if value is None else float(f"{value:.3g}"))


def bd_rate_cells(found: Iterable[BdRate]) -> tuple[dict[str, Cell], ...]:
    """A row for each clip, format and score, a column for each pair of subjects."""
    rows: dict[tuple[str, ...], dict[str, Cell]] = {}
    for one in found:
        key = (clip_title(one.clip), one.format_name, one.metric.value)
        row = rows.setdefault(key, dict(zip(("clip", "format", "by"), key, strict=True)))
        row[f"{one.tested.value} against {one.anchor.value}, %"] = one.percent
    return tuple(rows.values())
