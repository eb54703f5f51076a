"""What media packets of a hostile peer lead to: requests and memory, both within bounds."""

from random import Random

from rtc.call.outputs import SendDatagram
from rtc.values.trace_events import FrameAssembled, NackSent
from tests.rtc.call.lone_endpoint import SECOND, Alone, delta, media
from tests.support.call_pair import B
from tests.support.held_values import held_values


def test_jumps_of_every_counter_are_bounded_in_memory_and_in_requests():
    alone = Alone()
    draws = Random(3)
    after_half = 0
    for index in range(1_600):
        make = media if index % 5 == 0 else delta
        data = make(
            draws.getrandbits(16),
            draws.getrandbits(16),
            timestamp=draws.getrandbits(32),
            transport=draws.getrandbits(16),
            starts_frame=draws.random() < 0.7,
            ends_frame=draws.random() < 0.7,
        )
        for output in (*alone.expire(index * 1_000), *alone.receive(data, index * 1_000)):
            assert not hasattr(output, "data") or len(output.data) <= 1200
        if index == 800:
            after_half = held_values(alone.endpoint)
    assert alone.trace.of(NackSent)
    assert held_values(alone.endpoint) < max(20_000, 1.3 * after_half)


def test_one_forged_jump_of_the_sequence_asks_for_no_more_than_a_thousand_packets():
    alone = Alone()
    alone.receive(media(32_767, 0))
    alone.receive(delta(32_767 + 30_000, 3), 1_000)
    assert len(alone.trace.of(NackSent)[0].sequences) == 1_000


def test_many_scattered_gaps_are_asked_for_in_datagrams_that_fit():
    alone = Alone()
    for sequence in range(310 * 17):
        if sequence % 17:
            alone.receive(delta(32_767 + sequence, 1, starts_frame=False, ends_frame=False))
    asked_before = len(alone.trace.of(NackSent))
    sizes = [len(output.data) for output in alone.expire(SECOND // 5) if isinstance(output, SendDatagram)]
    assert len(alone.trace.of(NackSent)[asked_before].sequences) > 297
    assert 1_000 < max(sizes) <= 1_200


def test_a_retransmission_nobody_asked_for_is_a_packet_like_any_other():
    alone = Alone()
    original = media(32_767, 0)
    head = bytes([original[0], (original[1] & 0x80) | 97]) + bytes(2) + original[4:8]
    body = original[12:-5]
    data = head + B.retransmission_ssrc.to_bytes(4, "big") + body + original[2:4] + original[-5:]
    alone.receive(data)
    assert alone.trace.of(FrameAssembled) == [FrameAssembled(frame_id=0)]
    alone.receive(original)
    assert len(alone.trace.of(FrameAssembled)) == 1
