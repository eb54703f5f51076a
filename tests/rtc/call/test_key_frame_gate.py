import pytest

from rtc.call.key_frame_gate import MIN_INTERVAL_US, KeyFrameGate


def test_a_request_before_any_key_frame_is_honoured():
    assert KeyFrameGate().honours(0, 100_000, pending=False)


def test_a_request_while_a_key_frame_is_wanted_already_is_not():
    gate = KeyFrameGate()
    assert not gate.honours(0, 100_000, pending=True)
    gate.on_key_frame_sent(0)
    assert not gate.honours(10_000_000, 100_000, pending=True)


@pytest.mark.parametrize(
    ("round_trip_us", "wait_us"), [(0, MIN_INTERVAL_US), (50_000, MIN_INTERVAL_US), (700_000, 700_000)]
)
def test_a_request_is_honoured_once_the_last_key_frame_must_have_been_seen(round_trip_us, wait_us):
    gate = KeyFrameGate()
    gate.on_key_frame_sent(5_000)
    assert not gate.honours(5_000 + wait_us - 1, round_trip_us, pending=False)
    assert gate.honours(5_000 + wait_us, round_trip_us, pending=False)
    gate.on_key_frame_sent(5_000 + wait_us)
    assert not gate.honours(6_000 + wait_us, round_trip_us, pending=False)
