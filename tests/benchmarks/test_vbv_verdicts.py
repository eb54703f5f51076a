"""Tables and verdicts of the VBV bench, on made-up runs."""

import pytest

from benchmarks.vbv.bd_rates import bd_rates
from benchmarks.vbv.measurement import Failure
from benchmarks.vbv.points import P180, Subject
from benchmarks.vbv.schedules import Schedule
from benchmarks.vbv.tables import bd_rate_cells, median_rows, run_cells
from benchmarks.vbv.verdicts import verdicts
from tests.support.vbv_runs import frame, frames, point, row


def verdict(rows, words, failures=()):
    """The one verdict whose goal holds these words."""
    (found,) = [one for one in verdicts(rows, failures, bd_rates(rows)) if words in one.goal]
    return found


def curve_of(subject, bits, *, vmaf=None):
    """Three steady points; a subject that takes twice the bits has twice the rate at the same quality."""
    return [
        row(subject, point(kbps=kbps), size_bytes=round(kbps * 1_000 / 30 / 8 * bits), psnr_db=psnr_db, vmaf=vmaf)
        for kbps, psnr_db in ((100, 30.0), (200, 33.0), (400, 36.0))
    ]


def test_one_clip_over_the_bound_misses_the_goal_and_is_named():
    rows = [row(), row(where=point(clip="motion"), size_bytes=600)]
    found = verdict(rows, "steady 360p30 from 100 kbps, VBV delay max")
    assert not found.met
    assert "motion 360p30 100 kbps steady" in found.measured
    assert "1 of 2 over" in found.measured


def test_all_clips_within_the_bound_meet_the_goal():
    assert verdict([row(), row(where=point(clip="motion"))], "steady 360p30 from 100 kbps, VBV delay p99").met


def test_rates_below_the_goal_s_are_not_held_against_it():
    rows = [row(), row(where=point(kbps=60), size_bytes=2_000)]
    assert verdict(rows, "steady 360p30 from 100 kbps, VBV delay max").met


def test_goals_without_runs_are_left_out():
    goals = [one.goal for one in verdicts([row()], (), ())]
    assert not [goal for goal in goals if "h264" in goal or "drop" in goal or "BD-rate" in goal or "180p15" in goal]


def test_the_rate_misses_on_either_side():
    for size_bytes, met in ((416, True), (400, False), (430, False)):
        assert verdict([row(size_bytes=size_bytes)], "encoded over usable target").met is met


def test_a_point_at_the_finest_quantizer_most_of_the_time_cannot_use_the_bits():
    idle = row(where=point(clip="screen"), made=frames(point(), 10, quantizer=4))
    found = verdict([row(), idle], "encoded over usable target")
    assert found.met
    assert "1 cannot use the bits" in found.measured


def test_native_is_shown_beside_ours_after_a_drop():
    where = point(schedule=Schedule.DROP_4, seconds=10)
    rows = [row(where=where, size_bytes=100), row(Subject.NATIVE_AV1, where, size_bytes=400)]
    found = verdict(rows, "beyond what was in the buffer")
    assert found.met
    assert "native-av1 worst" in found.measured


def test_a_key_frame_at_the_coarsest_quantizer_is_forgiven_and_another_is_not():
    for quantizer, met in ((63, True), (62, False)):
        rows = [row(made=[frame(0, 2_500, key=True, quantizer=quantizer), frame(500_000, 10, key=True)])]
        assert verdict(rows, "after a key frame").met is met


def test_too_few_pictures_at_the_lowest_rates_are_missed():
    where = point(picture_format=P180, kbps=15, seconds=1)
    assert not verdict([row(where=where, made=[frame(0, 100, key=True)])], "pictures a second").met
    assert verdict([row(where=where)], "pictures a second").met


def test_encode_time_is_the_median_ratio_point_by_point():
    rows = [row(), row(Subject.NATIVE_AV1)]
    found = verdict(rows, "CPU time in the encoder")
    assert found.met
    assert found.measured.startswith("1.00 x")


def test_half_the_bits_at_equal_quality_is_a_bd_rate_of_minus_fifty():
    rows = curve_of(Subject.OURS_AV1, 0.5) + curve_of(Subject.TUNED_AV1, 1) + curve_of(Subject.NATIVE_AV1, 1)
    (cells,) = bd_rate_cells(bd_rates(rows))
    assert cells["ours-av1 against tuned-av1, %"] == pytest.approx(-50, abs=0.5)
    assert (cells["clip"], cells["format"], cells["by"]) == ("talking_head", "360p30", "PSNR")
    assert verdict(rows, "median over heads").met
    assert verdict(rows, "every clip <= 0").met


def test_more_bits_at_equal_quality_miss_the_goal():
    rows = curve_of(Subject.OURS_AV1, 1.1) + curve_of(Subject.TUNED_AV1, 1)
    assert not verdict(rows, "every clip <= 0").met


def test_points_where_more_bits_buy_nothing_are_no_part_of_a_curve():
    flat = row(where=point(kbps=800), size_bytes=3_333, psnr_db=36.0)
    with_flat = bd_rates([*curve_of(Subject.OURS_AV1, 1), flat, *curve_of(Subject.NATIVE_AV1, 1)])
    assert [one.percent for one in with_flat] == [0.0]


def test_a_run_that_failed_is_a_missed_verdict_with_its_reason():
    failed = Failure(subject=Subject.X264, point=point(), reason="no such encoder")
    found = verdict([row()], "every run gives a stream", [failed])
    assert not found.met
    assert "no such encoder" in found.measured


def test_the_table_holds_medians_over_clips():
    rows = [row(where=point(clip=clip), psnr_db=psnr_db) for clip, psnr_db in (("a", 30.0), ("b", 31.0), ("c", 40.0))]
    (cells,) = median_rows(rows)
    assert (cells["point"], cells["subject"], cells["PSNR/SSIM"]) == ("steady 360p30 100", "ours-av1", "31/0.9")
    assert "VMAF" not in cells


def test_a_run_s_own_line_has_every_figure_as_a_number():
    cells = run_cells(row())
    assert (cells["clip"], cells["kbps"], cells["schedule"], cells["subject"]) == (
        "talking_head",
        100,
        "steady",
        "ours-av1",
    )
    assert cells["encoded/target"] == pytest.approx(0.999, abs=0.001)
    assert cells["drop excess ms"] is None
