import pytest

from rtc.metrics.bd_rate import RatePoint, bd_rate_percent
from rtc.values.errors import LocalMisuse


def curve(*points: tuple[float, float]) -> list[RatePoint]:
    return [RatePoint(bps=bps, quality=quality) for bps, quality in points]


ANCHOR = curve((50_000, 32.1), (100_000, 35.4), (200_000, 38.0), (400_000, 40.2))


def test_a_codec_is_no_better_than_itself() -> None:
    assert bd_rate_percent(ANCHOR, ANCHOR) == pytest.approx(0)


@pytest.mark.parametrize("factor", [0.5, 0.8, 1.25])
def test_the_same_quality_at_a_constant_share_of_the_rate_is_that_share(factor: float) -> None:
    tested = [RatePoint(bps=point.bps * factor, quality=point.quality) for point in ANCHOR]
    assert bd_rate_percent(ANCHOR, tested) == pytest.approx((factor - 1) * 100)


def test_a_gap_that_grows_evenly_in_log_rate_counts_as_its_middle() -> None:
    # Rates double every 3 dB against every 6 dB, equal at 30 dB: over 30..36 dB the log gap runs from 0 to a factor 2.
    anchor = curve((100, 30), (200, 33), (400, 36))
    tested = curve((100, 30), (100 * 2**0.5, 33), (200, 36))
    assert bd_rate_percent(anchor, tested) == pytest.approx((2**-0.5 - 1) * 100)


def test_only_qualities_both_reach_are_compared() -> None:
    anchor = curve((100, 30), (200, 33), (400, 36), (800, 39))
    tested = curve((100, 33), (200, 36), (100_000, 60))
    assert bd_rate_percent(anchor, tested) < -40


@pytest.mark.parametrize(
    ("tested", "message"),
    [
        (curve((100, 30)), "at least 2 points"),
        (curve((100, 30), (200, 29)), "quality must grow with rate"),
        (curve((100, 50), (200, 60)), "no quality is reached by both"),
        (curve((100, 10), (200, 20)), "no quality is reached by both"),
        ([], "at least 2 points"),
    ],
)
def test_curves_that_cannot_be_compared_are_refused(tested: list[RatePoint], message: str) -> None:
    with pytest.raises(LocalMisuse, match=message):
        bd_rate_percent(ANCHOR, tested)
