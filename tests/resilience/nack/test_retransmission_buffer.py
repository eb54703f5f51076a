import pytest
from hypothesis import given
from hypothesis import strategies as st

from resilience.nack.retransmission_buffer import RetransmissionBuffer, RetransmissionConfig
from rtc.values.errors import LocalMisuse

RTT = 50_000


def buffer_of(count, config=None, *, size_bytes=100):
    buffer = RetransmissionBuffer[bytes](config)
    for sequence in range(count):
        buffer.on_packet_sent(sequence, bytes([sequence]), sequence * 1_000, size_bytes=size_bytes)
    return buffer


def test_a_sent_packet_can_be_taken():
    assert buffer_of(3).take(1, 3_000, RTT) == b"\x01"


def test_what_was_never_sent_is_unknown():
    buffer = buffer_of(3)
    assert buffer.take(3, 3_000, RTT) is None
    assert buffer.requests_unknown == 1


def test_a_packet_is_not_sent_again_within_a_round_trip_of_the_last_answer():
    buffer = buffer_of(1)
    assert buffer.take(0, 100_000, RTT) is not None
    assert buffer.take(0, 149_999, RTT) is None
    assert buffer.take(0, 150_000, RTT) is not None
    assert (buffer.packets_taken, buffer.requests_too_soon) == (2, 1)


def test_the_first_request_is_answered_however_soon_it_comes():
    assert buffer_of(1).take(0, 0, RTT) is not None


def test_old_packets_are_gone():
    buffer = buffer_of(2, RetransmissionConfig(max_age_us=10_000))
    assert buffer.take(0, 10_000, RTT) is not None
    assert buffer.take(0, 10_001, 0) is None
    assert len(buffer) == 1


@pytest.mark.parametrize("config", [RetransmissionConfig(max_packets=5), RetransmissionConfig(max_bytes=500)])
def test_the_newest_packets_are_kept_within_count_and_size(config):
    buffer = buffer_of(20, config)
    assert len(buffer) == 5
    assert buffer.bytes_held == 500
    assert [buffer.take(sequence, 20_000, RTT) is not None for sequence in (14, 15, 19)] == [False, True, True]


def test_sending_one_sequence_twice_is_refused_and_changes_nothing():
    buffer = buffer_of(1)
    with pytest.raises(LocalMisuse, match="sent once"):
        buffer.on_packet_sent(0, b"other", 5, size_bytes=1)
    assert buffer.take(0, 5, RTT) == b"\x00"
    assert buffer.bytes_held == 100


def test_an_impossible_configuration_is_refused():
    with pytest.raises(LocalMisuse):
        RetransmissionConfig(max_packets=0)


@given(st.lists(st.tuples(st.integers(0, 3_000), st.integers(1, 400)), max_size=80))
def test_the_bytes_held_are_those_of_the_packets_held(sent):
    config = RetransmissionConfig(max_age_us=20_000, max_packets=20, max_bytes=3_000)
    buffer = RetransmissionBuffer[int](config)
    now_us = 0
    for sequence, (wait_us, size_bytes) in enumerate(sent):
        now_us += wait_us
        buffer.on_packet_sent(sequence, size_bytes, now_us, size_bytes=size_bytes)
        held = [buffer.take(index, now_us, 0) for index in range(sequence + 1)]
        assert buffer.bytes_held == sum(size for size in held if size is not None) <= config.max_bytes
        assert len(buffer) <= config.max_packets
