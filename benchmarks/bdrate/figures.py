"""From encodes to what is compared: BD-rate clip by clip, and CPU time against the anchor's."""

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.bdrate.encodes import Level, LevelEncode
from rtc.metrics.bd_rate import RatePoint, bd_rate_percent
from rtc.values.errors import LocalMisuse

ClipEncodes = Mapping[str, Sequence[LevelEncode]]
"""Every encode of every level at every target, by clip."""
Quality = Callable[[LevelEncode], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelFigures:
    """One level against the anchor."""

    level: Level
    cpu_ratio: float
    """Median over clips and targets of the ratio of both levels' CPU time for the same pictures."""
    ms_per_picture: float
    """CPU time, median over clips and targets."""
    encodes_per_picture: float
    rate_accuracy: float
    """Encoded rate over target, median over clips and targets."""
    dropped: int
    vmaf_bd_rates: Mapping[str, float | None]
    """In percent, by clip; None where the two curves share no quality."""
    psnr_bd_rates: Mapping[str, float | None]

    @property
    def mean_vmaf_bd_rate(self) -> float | None:
        """Over all clips; None where one is missing."""
        return _mean(self.vmaf_bd_rates)

    @property
    def mean_psnr_bd_rate(self) -> float | None:
        """Likewise by PSNR."""
        return _mean(self.psnr_bd_rates)

    @property
    def worst_vmaf_bd_rate(self) -> float | None:
        """Of the clip where the level gains least; None where one is missing."""
        rates = [rate for rate in self.vmaf_bd_rates.values() if rate is not None]
        return max(rates) if len(rates) == len(self.vmaf_bd_rates) else None


def level_figures(level: Level, anchor: Level, pictures: int, encodes: ClipEncodes) -> LevelFigures:
    """What the encodes say of `level`; each is of as many pictures."""
    own = [encode for clip in encodes.values() for encode in _of(level, clip)]
    anchors = [encode for clip in encodes.values() for encode in _of(anchor, clip)]
    return LevelFigures(
        level=level,
        cpu_ratio=statistics.median(one.encode_ns / other.encode_ns for one, other in zip(own, anchors, strict=True)),
        ms_per_picture=statistics.median(encode.encode_ns for encode in own) / pictures / 1e6,
        encodes_per_picture=sum(encode.encodes for encode in own) / len(own) / pictures,
        rate_accuracy=statistics.median(encode.bps / encode.target_bps for encode in own),
        dropped=sum(encode.dropped for encode in own),
        vmaf_bd_rates=_bd_rates(level, anchor, encodes, lambda encode: encode.vmaf),
        psnr_bd_rates=_bd_rates(level, anchor, encodes, lambda encode: encode.psnr_y_db),
    )


def _bd_rates(level: Level, anchor: Level, encodes: ClipEncodes, quality: Quality) -> dict[str, float | None]:
    return {name: _bd_rate(_of(anchor, clip), _of(level, clip), quality) for name, clip in encodes.items()}


def _bd_rate(anchor: Sequence[LevelEncode], tested: Sequence[LevelEncode], quality: Quality) -> float | None:
    try:
        return bd_rate_percent(rising_points(anchor, quality), rising_points(tested, quality))
    except LocalMisuse:
        return None


def rising_points(encodes: Sequence[LevelEncode], quality: Quality) -> list[RatePoint]:
    """One level's points by rate, without those whose further bits bought nothing, as on a picture at rest."""
    points: list[RatePoint] = []
    for encode in sorted(encodes, key=lambda encode: encode.bps):
        point = RatePoint(bps=encode.bps, quality=quality(encode))
        if not points or (point.bps > points[-1].bps and point.quality > points[-1].quality):
            points.append(point)
    return points


def _of(level: Level, encodes: Sequence[LevelEncode]) -> list[LevelEncode]:
    return [encode for encode in encodes if encode.level == level]


def _mean(rates: Mapping[str, float | None]) -> float | None:
    known = [rate for rate in rates.values() if rate is not None]
    return statistics.fmean(known) if known and len(known) == len(rates) else None
