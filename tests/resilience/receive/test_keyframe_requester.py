from itertools import pairwise

import pytest

from resilience.receive.keyframe_requester import KeyFrameNeed, KeyFrameRequestConfig, KeyFrameRequester
from rtc.values.errors import LocalMisuse
from tests.resilience.made_up_stream import assembled

RTT = 50_000
PATIENCE = 250_000


def started():
    requester = KeyFrameRequester(round_trip_us=RTT)
    requester.on_packet(0)
    requester.on_frame_decodable(assembled(0))
    requester.on_frame_assembled(0, is_stuck=False)
    return requester


def test_a_stream_that_goes_well_is_never_asked_for_a_key_frame():
    requester = started()
    assert requester.next_timeout_us() is None
    assert requester.poll_request(100_000_000) is None


def test_a_stream_that_never_had_a_key_frame_is_asked_for_one():
    requester = KeyFrameRequester(round_trip_us=RTT)
    requester.on_packet(0)
    requester.on_frame_assembled(1_000, is_stuck=True)
    assert requester.next_timeout_us() == 1_000 + PATIENCE
    assert requester.poll_request(1_000 + PATIENCE - 1) is None
    assert requester.poll_request(1_000 + PATIENCE) is KeyFrameNeed.NEVER_STARTED


def test_retransmission_is_given_its_round_trips_before_being_stuck_is_believed():
    requester = started()
    requester.on_frame_assembled(10_000, is_stuck=True)
    requester.on_frame_assembled(43_000, is_stuck=True)
    assert requester.next_timeout_us() == 10_000 + PATIENCE
    requester.on_round_trip(200_000)
    assert requester.next_timeout_us() == 10_000 + 700_000
    assert requester.poll_request(710_000) is KeyFrameNeed.STUCK


def test_without_retransmission_there_is_nothing_to_wait_for_but_reordering():
    requester = KeyFrameRequester(KeyFrameRequestConfig(repair_rounds=0))
    requester.on_frame_assembled(0, is_stuck=True)
    assert requester.next_timeout_us() == 100_000


def test_a_repair_that_arrives_in_time_ends_the_wait():
    requester = started()
    requester.on_frame_assembled(10_000, is_stuck=True)
    requester.on_frame_decodable(assembled(1))
    assert requester.next_timeout_us() is None


def test_a_decoder_that_refuses_calls_for_a_key_frame_at_once():
    requester = started()
    requester.on_decoder_refused(assembled(1))
    assert requester.poll_request(5) is KeyFrameNeed.DECODER_REFUSED
    assert requester.poll_request(5) is None


def test_a_repair_given_up_calls_for_a_key_frame_at_once():
    requester = started()
    requester.on_packets_given_up(())
    assert requester.next_timeout_us() is None
    requester.on_packets_given_up((4, 7))
    assert requester.poll_request(5) is KeyFrameNeed.REPAIR_GAVE_UP


def test_only_a_decodable_frame_newer_than_the_trouble_ends_it():
    requester = started()
    requester.on_packets_given_up((4, 7))
    requester.on_frame_decodable(assembled(5))
    assert requester.poll_request(5) is KeyFrameNeed.REPAIR_GAVE_UP
    requester.on_frame_decodable(assembled(8, ()))
    assert requester.next_timeout_us() is None


def test_repeats_back_off_up_to_a_bound_and_start_afresh_after_success():
    requester = started()
    requester.on_packets_given_up((4,))
    asked = []
    now_us = 0
    while len(asked) < 7:
        assert requester.poll_request(now_us) is not None
        asked.append(now_us)
        requester.on_packet(now_us)
        now_us = requester.next_timeout_us()
    gaps = [later - earlier for earlier, later in pairwise(asked)]
    assert gaps == [300_000, 600_000, 1_000_000, 1_000_000, 1_000_000, 1_000_000]
    requester.on_frame_decodable(assembled(9, ()))
    requester.on_packets_given_up((20,))
    now_us = requester.next_timeout_us()
    requester.poll_request(now_us)
    requester.on_packet(now_us)
    assert requester.next_timeout_us() == now_us + 300_000
    assert requester.requests_made == 8


def test_on_a_long_path_repeats_wait_for_the_round_trip():
    requester = started()
    requester.on_round_trip(600_000)
    requester.on_decoder_refused(assembled(1))
    requester.poll_request(0)
    requester.on_packet(30_000)
    assert requester.next_timeout_us() == 1_300_000


def test_a_sender_not_heard_from_is_not_asked_again():
    requester = started()
    requester.on_decoder_refused(assembled(1))
    requester.poll_request(0)
    assert requester.next_timeout_us() is None
    requester.on_packet(5_000_000)
    assert requester.poll_request(5_000_000) is KeyFrameNeed.DECODER_REFUSED


def test_no_repeat_is_made_while_a_key_frame_is_coming_in():
    requester = started()
    requester.on_decoder_refused(assembled(1))
    requester.poll_request(0)
    requester.on_packet(250_000, of_key_frame=True)
    assert requester.next_timeout_us() == 1_250_000
    requester.on_packet(900_000, of_key_frame=True)
    assert requester.next_timeout_us() == 1_900_000


def test_a_repeat_is_made_once_a_packet_after_the_key_frame_shows_it_broken():
    requester = started()
    requester.on_decoder_refused(assembled(1))
    requester.poll_request(0)
    requester.on_packet(250_000, of_key_frame=True)
    requester.on_packet(260_000)
    assert requester.next_timeout_us() == 300_000


def test_packets_that_never_make_a_frame_call_for_a_key_frame_in_the_end():
    requester = KeyFrameRequester(round_trip_us=RTT)
    for now_us in range(0, 3_000_000, 33_000):
        requester.on_packet(now_us)
        assert requester.poll_request(now_us) is None
    assert requester.poll_request(3_100_000) is None
    requester.on_packet(3_100_000)
    assert requester.poll_request(3_100_000) is KeyFrameNeed.NOTHING_ASSEMBLED


@pytest.mark.parametrize("wrong", [{"repair_rounds": -1}, {"min_interval_us": 0}, {"max_interval_us": 1}])
def test_an_impossible_configuration_is_refused(wrong):
    with pytest.raises(LocalMisuse):
        KeyFrameRequestConfig(**wrong)
