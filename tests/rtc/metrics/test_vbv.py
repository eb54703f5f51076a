from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from rtc.metrics.rate_timeline import RateStep
from rtc.metrics.vbv import VbvDelay, targets_of_frames, vbv_delays_us
from tests.support.direction_records import encoded_frame

TARGET = (RateStep(at_us=0, bps=100_000),)


def test_5_kbit_left_and_a_frame_of_20_kbit_at_100_kbps_is_250_ms() -> None:
    # Frame N-1 has 5 kbit left when frame N comes: 8 kbit, 30 ms earlier.
    frames = [encoded_frame(0, 0, 1_000), encoded_frame(1, 30_000, 2_500)]
    assert vbv_delays_us(frames, TARGET) == (80_000, 250_000)


def test_an_idle_encoder_saves_nothing_up() -> None:
    frames = [encoded_frame(0, 0, 1_000), encoded_frame(1, 10_000_000, 1_000)]
    assert vbv_delays_us(frames, TARGET) == (80_000, 80_000)


def test_the_bucket_drains_at_the_target_in_force_and_is_judged_by_the_newest() -> None:
    targets = (RateStep(at_us=0, bps=100_000), RateStep(at_us=50_000, bps=20_000))
    frames = [encoded_frame(0, 0, 1_000), encoded_frame(1, 100_000, 100)]
    # 8,000 bits less 5,000 at the old rate and 1,000 at the new one leave 2,000; and 800 come.
    assert vbv_delays_us(frames, targets) == (80_000, 140_000)


def test_a_frame_never_encoded_has_no_delay_and_lets_the_bucket_drain() -> None:
    frames = [encoded_frame(0, 0, 1_000), encoded_frame(1, 30_000, 0, encoded_bytes=None), encoded_frame(2, 60_000, 0)]
    assert vbv_delays_us(frames, TARGET) == (80_000, None, 20_000)


def test_a_frame_at_a_target_of_zero_has_no_delay_that_can_be_told() -> None:
    assert vbv_delays_us([encoded_frame(0, 0, 100)], (RateStep(at_us=0, bps=0),)) == (None,)


def test_the_targets_are_read_from_the_frames_where_nobody_kept_them() -> None:
    frames = [
        encoded_frame(0, 0, 9, target_bps=5),
        encoded_frame(1, 10, 9, target_bps=5),
        encoded_frame(2, 20, 9, target_bps=None),
        encoded_frame(3, 30, 9, target_bps=7),
    ]
    assert targets_of_frames(frames) == (RateStep(at_us=0, bps=5), RateStep(at_us=30, bps=7))


def test_exactly_200_ms_is_not_over_200_ms() -> None:
    assert VbvDelay.of_us([100_000, 200_000, 200_001, 300_000]).model_dump() == {
        "p50": 200.0,
        "p95": 300.0,
        "p99": 300.0,
        "max": 300.0,
        "over_200ms_ratio": 0.5,
    }


@given(st.lists(st.tuples(st.integers(0, 200_000), st.integers(0, 5_000)), max_size=40), st.integers(1, 400_000))
def test_the_delay_is_that_of_a_bucket_in_exact_fractions(frames: list[tuple[int, int]], bps: int) -> None:
    at_us, left, records, expected = 0, Fraction(0), [], []
    for index, (gap_us, size_bytes) in enumerate(frames):
        at_us += gap_us
        left = max(Fraction(0), left - Fraction(gap_us * bps, 1_000_000)) + size_bytes * 8
        records.append(encoded_frame(index, at_us, size_bytes))
        expected.append(-((-left * 1_000_000) // bps))
    assert vbv_delays_us(records, (RateStep(at_us=0, bps=bps),)) == tuple(expected)
