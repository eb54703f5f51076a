"""The VBV bench's figures, on runs small enough to check by hand."""

import pytest

from benchmarks.vbv.drop_recovery import drop_recovery
from benchmarks.vbv.native_grid import Trial, best_trial
from benchmarks.vbv.points import Subject
from benchmarks.vbv.rates import rate_figures
from benchmarks.vbv.schedules import TargetDrop
from rtc.metrics.rate_timeline import RateStep
from rtc.values.formats import Codec
from tests.support.vbv_runs import frame, point, row

DROP = TargetDrop(at_us=50_000, until_us=4_000_000, from_bps=100_000, to_bps=25_000)


def test_what_was_in_the_buffer_at_the_drop_is_no_excess():
    # 10 kbit at 0: 100 ms of 100 kbps. At the drop 5 kbit are left, 200 ms of 25 kbps.
    # At 100 ms 3.75 kbit of them are left (150 ms), and a frame of 1 kbit makes 190 ms: 40 ms are its own.
    recovery = drop_recovery([(0, 100_000), (100_000, 190_000)], DROP)
    assert (recovery.given_us, recovery.excess_us) == (200_000, 40_000)


def test_once_the_old_content_has_gone_all_delay_is_excess():
    recovery = drop_recovery([(0, 100_000), (300_000, 90_000)], DROP)
    assert recovery.excess_us == 90_000


def test_a_buffer_that_was_empty_at_the_drop_excuses_nothing():
    recovery = drop_recovery([(0, 20_000), (100_000, 90_000)], DROP)
    assert (recovery.given_us, recovery.excess_us) == (0, 90_000)


def test_frames_after_the_target_rose_again_do_not_count():
    assert drop_recovery([(0, 0), (4_000_000, 900_000)], DROP).excess_us is None


def test_recovery_is_when_the_95th_percentile_of_all_that_follows_is_calm():
    high = [(100_000 * index, 300_000) for index in range(1, 6)]
    calm = [(100_000 * index, 80_000) for index in range(6, 30)]
    recovery = drop_recovery([(0, 0), *high, *calm], DROP)
    assert recovery.p95_after_1s_us == 80_000
    # From 500 ms on one of 25 frames is high, which is the 4 % that a 95th percentile forgives.
    assert recovery.calm_after_us == 450_000


def test_a_run_that_stays_high_never_recovers():
    curve = [(100_000 * index, 300_000) for index in range(30)]
    assert drop_recovery(curve, DROP).calm_after_us is None


def test_the_rate_is_held_against_the_target_over_the_whole_run():
    frames = [frame(index * 100_000, 1_250) for index in range(10)]
    rate = rate_figures(Codec.AV1, frames, (RateStep(at_us=0, bps=80_000),), 1_000_000)
    assert (rate.encoded_bps, rate.over_target, rate.over_usable, rate.finest_share) == (100_000, 1.25, 1.25, 0)


def test_what_the_finest_quantizer_leaves_is_not_usable():
    # Half of the frames are at the finest quantizer and take a tenth of their share, the others all of it.
    frames = [
        frame(index * 100_000, 125 if index % 2 else 1_250, quantizer=2 if index % 2 else 30) for index in range(10)
    ]
    rate = rate_figures(Codec.AV1, frames, (RateStep(at_us=0, bps=100_000),), 1_000_000)
    assert (rate.over_target, rate.over_usable, rate.finest_share) == (0.55, 1.0, 0.5)


def test_without_quantizers_nobody_knows_what_was_usable():
    rate = rate_figures(Codec.AV1, [frame(0, 100, quantizer=None)], (RateStep(at_us=0, bps=100_000),), 100_000)
    assert (rate.over_usable, rate.finest_share) == (None, None)


def test_a_key_frame_at_the_coarsest_quantizer_could_not_be_helped():
    made = [frame(0, 2_500, key=True, quantizer=63), frame(500_000, 1_250, key=True), frame(900_000, 10)]
    key = row(made=made).key
    assert (key.largest_ms, key.delay_ms, key.avoidable_delay_ms) == (200.0, 200.0, 100.0)


def test_a_dropped_picture_is_counted_and_has_no_delay():
    made = [frame(0, 1_250, key=True), frame(33_333, None, quantizer=None), frame(66_666, 1_250)]
    found = row(made=made)
    assert (found.effort.dropped, len(found.curve), found.effort.pictures_per_s) == (1, 2, 2.0)
    assert found.vbv.max == pytest.approx(133.334)


def test_times_are_means_over_captured_pictures():
    effort = row().effort
    assert (effort.encode_ms, effort.control_ms, effort.reencoded, effort.quantizer_mean) == (2.0, 0.05, 0.0, 40.0)


def test_the_best_of_the_grid_is_the_best_quality_near_the_target_else_the_lowest_rate():
    near, better, over = (
        Trial(encoded_over_target=ratio, psnr_db=psnr_db) for ratio, psnr_db in ((0.9, 34), (1.02, 35), (1.03, 40))
    )
    assert best_trial([near, better, over]) == 1
    assert best_trial([Trial(encoded_over_target=1.5, psnr_db=40), over]) == 1


def test_a_point_names_itself():
    assert str(point(clip="/some/folder/head_one.mp4")) == "head_one.mp4 360p30 100 kbps steady"
    assert [subject.codec for subject in (Subject.X264, Subject.SVT_AV1)] == [Codec.H264, Codec.AV1]
