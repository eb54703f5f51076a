"""AV1 against H.264: from encodes to BD-rates, CPU ratios and verdicts; the figures themselves are for a person."""

import pytest

from benchmarks import bdrate
from benchmarks.bdrate.encodes import Level, LevelEncode
from benchmarks.bdrate.figures import LevelFigures, level_figures, rising_points
from benchmarks.real_clips import real_clips
from benchmarks.vmaf import vmaf_available
from rtc.call.config import RateControl
from rtc.values.errors import LocalMisuse
from rtc.values.formats import Codec

FASTEST = Level(codec=Codec.H264, speed=2)
AV1 = Level(codec=Codec.AV1, speed=10)


def encoded(level, kbps, vmaf, *, encode_ms=100, target_kbps=None, encodes=100):
    return LevelEncode(
        level=level,
        target_bps=(target_kbps or kbps) * 1000,
        bps=kbps * 1000.0,
        psnr_y_db=vmaf / 2,
        vmaf=float(vmaf),
        encode_ns=encode_ms * 1_000_000,
        encodes=encodes,
        dropped=1,
    )


def figures(cpu_ratio, *rates, speed=10):
    by_clip = {f"clip {index}": rate for index, rate in enumerate(rates)}
    return LevelFigures(
        level=Level(codec=Codec.AV1, speed=speed),
        cpu_ratio=cpu_ratio,
        ms_per_picture=1.0,
        encodes_per_picture=1.0,
        rate_accuracy=1.0,
        dropped=0,
        vmaf_bd_rates=by_clip,
        psnr_bd_rates=by_clip,
    )


def test_half_the_rate_at_equal_quality_is_minus_50_percent():
    clip = [encoded(FASTEST, kbps, vmaf) for kbps, vmaf in ((100, 50), (200, 70), (400, 80))]
    clip += [encoded(AV1, kbps, vmaf, encode_ms=120) for kbps, vmaf in ((50, 50), (100, 70), (200, 80))]
    found = level_figures(AV1, FASTEST, 100, {"clip": clip})
    assert found.mean_vmaf_bd_rate == pytest.approx(-50)
    assert found.mean_psnr_bd_rate == pytest.approx(-50)
    assert found.worst_vmaf_bd_rate == pytest.approx(-50)
    assert found.cpu_ratio == pytest.approx(1.2)
    assert found.ms_per_picture == pytest.approx(1.2)
    assert found.encodes_per_picture == 1
    assert found.dropped == 3


def test_the_anchor_differs_from_itself_by_nothing():
    clip = [encoded(FASTEST, kbps, kbps / 10) for kbps in (100, 200)]
    found = level_figures(FASTEST, FASTEST, 100, {"clip": clip})
    assert found.mean_vmaf_bd_rate == pytest.approx(0)
    assert found.cpu_ratio == 1


def test_points_whose_bits_bought_nothing_are_left_out():
    points = [encoded(AV1, kbps, vmaf) for kbps, vmaf in ((300, 90), (100, 50), (200, 90), (250, 89))]
    assert [(point.bps, point.quality) for point in rising_points(points, lambda one: one.vmaf)] == [
        (100_000, 50),
        (200_000, 90),
    ]


def test_a_clip_without_common_quality_leaves_no_mean():
    clip = [encoded(FASTEST, kbps, kbps / 10) for kbps in (100, 200)]
    clip += [encoded(AV1, kbps, 50 + kbps / 10) for kbps in (100, 200)]
    found = level_figures(AV1, FASTEST, 100, {"clip": clip})
    assert found.vmaf_bd_rates == {"clip": None}
    assert found.mean_vmaf_bd_rate is None
    assert found.worst_vmaf_bd_rate is None
    assert not bdrate.low_verdict([found]).met


def test_of_the_levels_that_cost_no_more_the_one_with_the_fewest_bits_is_judged():
    levels = [figures(0.7, -25.0), figures(0.95, -35.0), figures(1.2, -45.0)]
    assert bdrate.best_within(levels, 1.0) is levels[1]
    assert bdrate.best_within(levels, 1.5) is levels[2]
    assert bdrate.best_within(levels, 0.5) is None


@pytest.mark.parametrize(
    ("level", "met"),
    [
        (figures(1.0, -35.0, -25.0), True),
        (figures(1.0, -29.0, -30.0), False),
        (figures(1.0, -60.0, -19.0), False),
        (figures(1.01, -60.0, -60.0), False),
    ],
)
def test_the_ultra_low_level_is_held_to_its_cost_its_mean_and_its_worst_clip(level, met):
    assert bdrate.ultra_low_verdict([level]).met is met


@pytest.mark.parametrize(
    ("level", "met"), [(figures(1.5, -60.0, -18.0), True), (figures(1.5, -37.9), False), (figures(1.51, -60.0), False)]
)
def test_the_low_level_is_held_to_its_cost_and_its_mean(level, met):
    assert bdrate.low_verdict([level]).met is met


def test_where_no_level_is_cheap_enough_the_cheapest_is_named():
    verdict = bdrate.ultra_low_verdict([figures(1.3, -40.0, speed=9), figures(1.1, -40.0, speed=11)])
    assert verdict.measured == "none; the cheapest, AV1 11, takes 1.10 x"


def test_real_clips_are_found_by_kind_and_there_are_none_without_the_data(tmp_path, monkeypatch):
    (tmp_path / "clips").mkdir()
    for name in ("head_b.mp4", "head_a.mkv", "motion_c.mp4"):
        (tmp_path / "clips" / name).touch()
    monkeypatch.setenv("RTC_DATA", str(tmp_path))
    assert real_clips("head") == tuple(str(tmp_path / "clips" / name) for name in ("head_a.mkv", "head_b.mp4"))
    monkeypatch.delenv("RTC_DATA")
    assert real_clips("head") == ()


@pytest.mark.skipif(not vmaf_available(), reason="imageio-ffmpeg, an optional extra, is not installed")
@pytest.mark.parametrize("rate_control", RateControl)
def test_without_real_clips_the_one_made_in_code_is_compared_and_said_so(monkeypatch, rate_control):
    monkeypatch.delenv("RTC_DATA", raising=False)
    monkeypatch.setattr(bdrate, "QUICK_SECONDS", 1)
    monkeypatch.setattr(bdrate, "QUICK_LEVELS", (FASTEST, Level(codec=Codec.AV1, speed=11)))
    monkeypatch.setattr(bdrate, "QUICK_RATES_KBPS", (60, 240))
    report = bdrate.run(quick=True, rate_control=rate_control)
    assert [row["level"] for row in report.rows] == ["H.264 2", "AV1 11"]
    assert (report.rows[0]["CPU x"], report.rows[0]["VMAF mean"]) == (1, 0)
    (section,) = report.sections
    assert section.rows == ({"clip": "talking head", "AV1 11": report.rows[1]["VMAF mean"]},)
    assert "RTC_DATA" in report.notes[-1]


def test_without_vmaf_it_refuses_in_one_line(monkeypatch):
    monkeypatch.setattr(bdrate, "vmaf_available", lambda: False)
    with pytest.raises(LocalMisuse, match="pip install imageio-ffmpeg"):
        bdrate.run(quick=True)
