from hypothesis import given
from hypothesis import strategies as st

from rtc.call.nack_round_trip import MAX_OUTSTANDING, NackRoundTrip
from rtc.call.round_trip import INITIAL_ROUND_TRIP_US, MAX_SAMPLE_US, RoundTripEstimator
from tests.support.held_values import held_values


def test_the_first_sample_replaces_the_assumption():
    estimator = RoundTripEstimator()
    assert (estimator.round_trip_us, estimator.is_measured) == (INITIAL_ROUND_TRIP_US, False)
    estimator.on_sample(20_000)
    assert (estimator.round_trip_us, estimator.is_measured) == (20_000, True)


def test_later_samples_weigh_a_quarter():
    estimator = RoundTripEstimator()
    for sample_us in (80_000, 160_000, 10_000):
        estimator.on_sample(sample_us)
    assert estimator.round_trip_us == 100_000 - 22_500


def test_negative_and_absurd_samples_are_ignored():
    estimator = RoundTripEstimator()
    for sample_us in (-1, MAX_SAMPLE_US + 1):
        estimator.on_sample(sample_us)
    assert not estimator.is_measured


@given(st.lists(st.integers(0, MAX_SAMPLE_US), min_size=1))
def test_the_estimate_stays_within_its_samples(samples):
    estimator = RoundTripEstimator()
    for sample_us in samples:
        estimator.on_sample(sample_us)
    assert min(samples) <= estimator.round_trip_us <= max(samples)


def test_a_request_answered_is_a_sample_once():
    timer = NackRoundTrip()
    timer.on_nack([5, 6], 1_000)
    assert timer.on_retransmission(5, 31_000) == 30_000
    assert timer.on_retransmission(5, 40_000) is None
    assert timer.on_retransmission(6, 41_000) == 40_000
    assert timer.on_retransmission(7, 41_000) is None


def test_a_packet_asked_for_twice_gives_no_sample():
    timer = NackRoundTrip()
    for at_us in (0, 50_000, 100_000):
        timer.on_nack([5], at_us)
    assert timer.on_retransmission(5, 120_000) is None
    timer.on_nack([5], 200_000)
    assert timer.on_retransmission(5, 230_000) == 30_000


def test_requests_never_answered_are_forgotten_the_oldest_first():
    timer = NackRoundTrip()
    for start in range(0, 10 * MAX_OUTSTANDING, 100):
        timer.on_nack(range(start, start + 100), start)
    assert held_values(timer) <= MAX_OUTSTANDING
    assert timer.on_retransmission(0, 1 << 40) is None
    assert timer.on_retransmission(10 * MAX_OUTSTANDING - 1, 10_000) == 100
