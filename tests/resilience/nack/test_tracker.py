import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from resilience.nack.tracker import NackConfig, NackTracker
from rtc.values.errors import LocalMisuse

RTT = 50_000


def tracker_with_gap(config=None, *, first=10, last=14, now_us=0):
    tracker = NackTracker(config)
    tracker.on_packet(first, now_us)
    tracker.on_packet(last, now_us)
    return tracker


def test_packets_in_order_are_never_asked_for():
    tracker = NackTracker()
    for sequence in range(100):
        tracker.on_packet(sequence, sequence * 1000)
        assert tracker.poll_nacks(sequence * 1000, RTT) == ()
    assert tracker.next_timeout_us() is None


def test_a_gap_is_asked_for_at_once_by_the_packet_that_shows_it():
    tracker = tracker_with_gap(now_us=7)
    assert tracker.next_timeout_us() == 7
    assert tracker.poll_nacks(7, RTT) == (11, 12, 13)


def test_a_missing_packet_is_asked_for_again_after_a_round_trip_and_a_margin():
    tracker = tracker_with_gap()
    tracker.poll_nacks(0, RTT)
    assert tracker.next_timeout_us() == 60_000
    assert tracker.poll_nacks(59_999, RTT) == ()
    assert tracker.poll_nacks(60_000, RTT) == (11, 12, 13)


def test_short_round_trips_do_not_make_requests_closer_than_the_floor():
    tracker = tracker_with_gap()
    tracker.poll_nacks(0, 1_000)
    assert tracker.next_timeout_us() == 20_000


def test_with_a_tolerance_a_reordered_packet_is_not_asked_for():
    tracker = tracker_with_gap(NackConfig(reordering_tolerance_us=5_000), first=10, last=12)
    assert tracker.poll_nacks(4_999, RTT) == ()
    tracker.on_packet(11, 4_999)
    assert tracker.poll_nacks(5_000, RTT) == ()
    assert tracker.packets_reordered == 1


def test_on_a_path_that_reorders_asking_waits_and_on_one_that_loses_it_does_not():
    tracker = NackTracker()
    now_us = 0
    for sequence in range(0, 100, 2):
        tracker.on_packet(sequence + 1, now_us)
        tracker.on_packet(sequence, now_us + 8_000)
        now_us += 20_000
    assert 7_000 < tracker.reordering_tolerance_us <= 8_000
    tracker.on_packet(101, now_us)
    assert tracker.poll_nacks(now_us, RTT) == ()
    assert tracker.poll_nacks(now_us + 8_000, RTT) == (100,)
    for sequence in range(102, 800, 2):
        tracker.on_packet(sequence + 1, now_us)
        tracker.on_packet(sequence, now_us + RTT, is_retransmission=True)
    assert tracker.reordering_tolerance_us == 0


def test_learning_from_reordering_is_bounded_and_can_be_off():
    for bound_us in (0, 5_000):
        tracker = NackTracker(NackConfig(max_learned_tolerance_us=bound_us))
        for sequence in range(0, 200, 2):
            tracker.on_packet(sequence + 1, sequence * 1_000)
            tracker.on_packet(sequence, sequence * 1_000 + 500_000)
        assert bound_us - 5 < tracker.reordering_tolerance_us <= bound_us


def test_a_packet_that_came_is_not_asked_for_again():
    tracker = tracker_with_gap()
    tracker.poll_nacks(0, RTT)
    tracker.on_packet(12, 40_000, is_retransmission=True)
    assert tracker.poll_nacks(60_000, RTT) == (11, 13)
    assert tracker.packets_recovered == 1


def test_tries_are_bounded_and_what_is_given_up_is_told_once():
    tracker = tracker_with_gap(NackConfig(max_tries=2), first=10, last=12)
    asked = [tracker.poll_nacks(now_us, RTT) for now_us in (0, 60_000, 120_000, 180_000)]
    assert asked == [(11,), (11,), (), ()]
    assert tracker.poll_given_up() == (11,)
    assert tracker.poll_given_up() == ()
    assert tracker.packets_given_up == 1
    assert tracker.next_timeout_us() is None


def test_age_is_bounded_whatever_the_round_trip():
    tracker = tracker_with_gap(NackConfig(max_age_us=100_000), first=10, last=12)
    assert tracker.poll_nacks(0, 5_000_000) == (11,)
    assert tracker.next_timeout_us() == 100_000
    assert tracker.poll_nacks(100_000, 5_000_000) == ()
    assert tracker.poll_given_up() == (11,)


def test_only_the_newest_of_a_huge_gap_are_remembered():
    tracker = NackTracker(NackConfig(max_missing=100))
    tracker.on_packet(0, 0)
    tracker.on_packet(30_000, 0)
    assert tracker.poll_nacks(0, RTT) == tuple(range(29_900, 30_000))
    assert tracker.packets_given_up == 29_899
    assert tracker.poll_given_up() == (29_899,)


def test_new_gaps_push_out_the_oldest_missing():
    tracker = NackTracker(NackConfig(max_missing=4))
    for sequence in (0, 4, 8):
        tracker.on_packet(sequence, 0)
    assert tracker.poll_nacks(0, RTT) == (3, 5, 6, 7)
    assert tracker.poll_given_up() == (1, 2)


def test_what_decoding_left_behind_is_no_longer_wanted():
    tracker = tracker_with_gap()
    tracker.give_up_before(13)
    assert tracker.poll_nacks(0, RTT) == (13,)
    tracker.forget((13, 99))
    assert tracker.missing_count == 0
    assert tracker.next_timeout_us() is None
    assert tracker.packets_given_up == 0


def test_packets_before_the_first_one_seen_can_be_held_for_missing():
    tracker = NackTracker()
    tracker.on_packet(10, 0)
    tracker.expect(8, 10, 0)
    assert tracker.poll_nacks(0, RTT) == (8, 9)
    tracker.on_packet(8, 50_000, is_retransmission=True)
    assert tracker.poll_nacks(60_000, RTT) == (9,)


def test_packets_after_the_highest_cannot_be_expected():
    tracker = NackTracker()
    with pytest.raises(LocalMisuse, match="below the highest"):
        tracker.expect(1, 2, 0)


@pytest.mark.parametrize("wrong", [{"max_tries": 0}, {"retry_margin_us": -1}, {"max_missing": 0}])
def test_an_impossible_configuration_is_refused(wrong):
    with pytest.raises(LocalMisuse):
        NackConfig(**wrong)


@given(st.sets(st.integers(0, 200), min_size=2))
def test_exactly_what_lies_between_and_did_not_come_is_asked_for(received):
    tracker = NackTracker()
    for sequence in sorted(received):
        tracker.on_packet(sequence, 0)
    missing = set(range(min(received), max(received))) - received
    assert tracker.poll_nacks(0, RTT) == tuple(sorted(missing))


class TrackerMachine(RuleBasedStateMachine):
    """Never asks for a packet that came or was forgotten, nor twice within a round trip; stays within its bounds."""

    @initialize(tolerance_us=st.sampled_from((0, 3_000)))
    def begin(self, tolerance_us):
        self.config = NackConfig(max_missing=30, max_tries=4, max_age_us=400_000, reordering_tolerance_us=tolerance_us)
        self.tracker = NackTracker(self.config)
        self.now_us = 0
        self.highest = 1_000
        self.unwanted = {1_000}
        self.asked_at = {}
        self.tracker.on_packet(1_000, 0)

    @rule(ahead=st.integers(1, 60), wait_us=st.integers(0, 50_000))
    def newer_packet(self, ahead, wait_us):
        self.now_us += wait_us
        self.highest += ahead
        self.unwanted.add(self.highest)
        self.tracker.on_packet(self.highest, self.now_us)

    @rule(behind=st.integers(0, 80), is_retransmission=st.booleans())
    def older_packet(self, behind, is_retransmission):
        self.unwanted.add(self.highest - behind)
        self.tracker.on_packet(self.highest - behind, self.now_us, is_retransmission=is_retransmission)

    @rule(behind=st.integers(0, 80))
    def move_on(self, behind):
        self.unwanted |= set(range(900, self.highest - behind))
        self.tracker.give_up_before(self.highest - behind)

    @rule(wait_us=st.integers(0, 200_000), round_trip_us=st.integers(0, 200_000))
    def poll(self, wait_us, round_trip_us):
        self.now_us += wait_us
        for sequence in self.tracker.poll_nacks(self.now_us, round_trip_us):
            assert sequence not in self.unwanted
            assert self.now_us >= self.asked_at.get(sequence, 0)
            self.asked_at[sequence] = self.now_us + max(self.config.min_retry_interval_us, round_trip_us)
        assert self.unwanted.isdisjoint(self.tracker.poll_nacks(self.now_us, round_trip_us))
        self.unwanted |= set(self.tracker.poll_given_up())

    @invariant()
    def is_bounded(self):
        assert self.tracker.missing_count <= self.config.max_missing

    @invariant()
    def has_a_timeout_exactly_while_something_is_missing(self):
        assert (self.tracker.next_timeout_us() is None) == (self.tracker.missing_count == 0)


TestTrackerMachine = TrackerMachine.TestCase
