"""The bucket in time, against the article's example and against a bucket that is drained in single microseconds."""

from hypothesis import given
from hypothesis import strategies as st

from ratecontrol.vbv import VideoBufferingVerifier
from rtc.metrics.rate_timeline import RateStep
from rtc.metrics.vbv import vbv_delays_us
from tests.support.direction_records import encoded_frame

targets_bps = st.integers(1_000, 100_000_000)
frame_bits = st.integers(0, 80_000_000)
moments = st.integers(0, 20_000_000)


def test_the_articles_example_5_kbit_left_and_a_frame_of_20_kbit_at_100_kbps_are_250_ms():
    vbv = VideoBufferingVerifier(100_000)
    vbv.pour(5_000)
    vbv.pour(20_000)
    assert vbv.delay_us == 250_000


def test_it_drains_at_the_target_as_time_passes():
    vbv = VideoBufferingVerifier(100_000)
    vbv.pour(10_000)
    vbv.advance(40_000)
    assert (vbv.bits, vbv.delay_us) == (6_000, 60_000)


def test_idle_time_saves_nothing_up():
    vbv = VideoBufferingVerifier(100_000)
    vbv.advance(3_600_000_000)
    vbv.pour(10_000)
    assert vbv.delay_us == 100_000


def test_a_lower_target_makes_what_is_left_take_longer_from_that_moment_on():
    vbv = VideoBufferingVerifier(100_000)
    vbv.pour(10_000)
    vbv.set_target(50_000, 20_000)
    assert (vbv.target_bps, vbv.bits, vbv.delay_us) == (50_000, 8_000, 160_000)
    vbv.advance(40_000)
    assert vbv.bits == 7_000


def test_a_target_that_changes_between_capture_and_encode_counts_from_its_own_moment():
    vbv = VideoBufferingVerifier(100_000)
    vbv.advance(33_333)
    vbv.set_target(20_000, 40_000)
    vbv.pour(10_000)
    assert vbv.delay_us == 500_000
    vbv.advance(66_666)
    assert vbv.bits == -(-(10_000_000_000 - 20_000 * 26_666) // 1_000_000)


def test_a_picture_captured_before_a_change_that_was_noted_is_poured_in_at_the_change():
    vbv = VideoBufferingVerifier(100_000)
    vbv.pour(10_000)
    vbv.set_target(50_000, 40_000)
    vbv.advance(33_333)
    assert (vbv.bits, vbv.delay_us) == (6_000, 120_000)
    vbv.advance(60_000)
    assert vbv.bits == 5_000


@given(st.lists(st.tuples(moments, targets_bps | st.none(), frame_bits), max_size=40), targets_bps)
def test_it_never_goes_negative_nor_back_in_time_whatever_comes_when(events, target_bps):
    vbv = VideoBufferingVerifier(target_bps)
    for now_us, changed_bps, bits in events:
        before = vbv.bits
        vbv.advance(now_us)
        if changed_bps is not None:
            vbv.set_target(changed_bps, now_us)
        assert 0 <= vbv.bits <= before
        assert vbv.delay_us >= 0
        vbv.pour(bits)
        assert vbv.bits >= bits


@given(st.lists(st.tuples(st.integers(0, 500_000), st.integers(0, 80_000)), min_size=1, max_size=30), targets_bps)
def test_looking_more_often_changes_nothing(frames, target_bps):
    seldom, often = VideoBufferingVerifier(target_bps), VideoBufferingVerifier(target_bps)
    now_us = 0
    for passed_us, size_bits in frames:
        for part in (1, 2, 3):
            often.advance(now_us + passed_us * part // 3)
        now_us += passed_us
        seldom.advance(now_us)
        seldom.pour(size_bits)
        often.pour(size_bits)
        assert (seldom.bits, seldom.delay_us) == (often.bits, often.delay_us)


@given(
    st.lists(st.tuples(st.integers(1, 200_000), targets_bps | st.none(), st.integers(0, 100_000)), max_size=40),
    targets_bps,
)
def test_what_it_says_is_what_calls_and_benches_report(events, first_bps):
    vbv = VideoBufferingVerifier(first_bps)
    now_us, steps, frames, said = 0, [RateStep(at_us=0, bps=first_bps)], [], []
    for passed_us, changed_bps, size_bytes in events:
        now_us += passed_us
        if changed_bps is not None:
            vbv.set_target(changed_bps, now_us)
            steps.append(RateStep(at_us=now_us, bps=changed_bps))
        vbv.advance(now_us)
        vbv.pour(size_bytes * 8)
        frames.append(encoded_frame(len(frames), now_us, size_bytes))
        said.append(vbv.delay_us)
    assert tuple(said) == vbv_delays_us(frames, steps)
