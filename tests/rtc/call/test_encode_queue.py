import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtc.call.encode_queue import EncodeQueue
from rtc.values.errors import LocalMisuse
from rtc.values.formats import FrameSize
from rtc.values.frames import CapturedFrame


def captured(index):
    return CapturedFrame(capture_index=index, captured_at_us=index, size=FrameSize(16, 16))


def test_an_idle_encoder_gets_the_frame_at_once():
    queue = EncodeQueue()
    assert queue.start_next() is None
    assert queue.offer(captured(0)) is None
    assert queue.start_next() == captured(0)
    assert queue.encoding == captured(0)
    assert queue.start_next() is None
    assert queue.finish() == captured(0)
    assert queue.encoding is None


def test_while_the_encoder_is_busy_the_newest_frame_takes_the_place_of_the_one_that_waits():
    queue = EncodeQueue()
    queue.offer(captured(0))
    queue.start_next()
    assert queue.offer(captured(1)) is None
    assert queue.offer(captured(2)) == captured(1)
    assert queue.offer(captured(3)) == captured(2)
    assert queue.finish() == captured(0)
    assert queue.start_next() == captured(3)


def test_a_result_without_an_order_is_misuse():
    queue = EncodeQueue()
    with pytest.raises(LocalMisuse):
        queue.finish()
    queue.offer(captured(0))
    with pytest.raises(LocalMisuse):
        queue.finish()
    assert queue.start_next() == captured(0)


@given(st.lists(st.booleans(), max_size=60))
def test_each_frame_is_encoded_or_dropped_once_and_in_order(steps):
    queue = EncodeQueue()
    offered, encoded, dropped = 0, [], []
    for is_offer in steps:
        if is_offer:
            loser = queue.offer(captured(offered))
            offered += 1
            dropped += [] if loser is None else [loser.capture_index]
        elif queue.encoding is not None:
            encoded.append(queue.finish().capture_index)
        queue.start_next()
    held = offered - len(encoded) - len(dropped)
    assert 0 <= held <= 2
    assert encoded == sorted(encoded)
    assert not set(encoded) & set(dropped)
