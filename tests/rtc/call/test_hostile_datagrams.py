"""What garbage and tampered datagrams do to an endpoint: they are counted, and nothing raises."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rtc.call.endpoint import CallEndpoint
from rtc.rtp.packet import RtpPacket, serialise
from rtc.rtp.rtcp.compound import serialise_compound
from rtc.values.feedback import ReceiverReport
from rtc.values.formats import Codec
from rtc.values.trace_events import InvalidPacketDropped, KeyFrameRequestSent
from tests.rtc.call.lone_endpoint import METADATA_ID, SECOND, Alone, delta, media
from tests.rtc.rtp.hostile import mutations
from tests.support.call_pair import A, B, config_of, pair_of
from tests.support.scripted_link import at_random, losing

GARBAGE = {
    "nothing": b"",
    "one byte": b"\x80",
    "text": b"GET / HTTP/1.1\r\n\r\n",
    "an RTP header cut short": media(1)[:11],
    "RTP of another version": bytes([0x40]) + media(1)[1:],
    "an extension longer than the packet": media(1)[:14] + b"\xff\xff" + media(1)[16:],
    "another stream": media(1, ssrc=0xDEAD),
    "a payload type nobody agreed on": media(1, payload_type=111),
    "a codec that may not be received": media(1, payload_type=98),
    "media without metadata": serialise(
        RtpPacket(
            payload_type=96, marker=True, sequence_number=1, timestamp=0, ssrc=B.media_ssrc, payload=b"\x10\x30abc"
        )
    ),
    "metadata of one byte": serialise(
        RtpPacket(
            payload_type=96,
            marker=True,
            sequence_number=1,
            timestamp=0,
            ssrc=B.media_ssrc,
            extensions=((METADATA_ID, b"\xc0"),),
            payload=b"x",
        )
    ),
    "a retransmission without an original sequence number": serialise(
        RtpPacket(
            payload_type=97,
            marker=True,
            sequence_number=1,
            timestamp=0,
            ssrc=B.retransmission_ssrc,
            extensions=((METADATA_ID, b"\xc0\x00\x00"),),
            payload=b"x",
        )
    ),
    "RTCP cut short": serialise_compound([ReceiverReport(sender_ssrc=1)])[:6],
    "a NACK of nothing": b"\x81\xcd\x00\x02" + bytes(8),
}


@pytest.mark.parametrize("data", GARBAGE.values(), ids=GARBAGE.keys())
def test_garbage_is_counted_once_and_changes_nothing(data):
    alone = Alone()
    assert alone.receive(data) == []
    assert alone.invalid == 1
    assert len(alone.trace.events) == 1
    assert "\n" not in alone.trace.of(InvalidPacketDropped)[0].reason


def test_a_frame_whose_payload_is_malformed_is_counted_and_a_key_frame_asked_for():
    alone = Alone()
    packet = media(32_767)[:-5] + b"\x00\xff\xff\xff\xff"
    assert alone.receive(packet) == []
    assert alone.invalid == 1
    alone.receive(delta(32_768, 1), 33_000)
    assert len(alone.trace.of(KeyFrameRequestSent)) == 1


def at_depth(depth, act):
    return act() if depth == 0 else at_depth(depth - 1, act)


def test_many_held_frames_with_malformed_payloads_do_not_exhaust_the_stack():
    alone = Alone()
    alone.receive(media(32_767, 0))
    for frame in range(900, 1_195):
        alone.receive(media(32_767 + frame, frame, timestamp=frame * 3_000)[:-5] + b"\x00\xff\xff\xff\xff", 1)
    assert alone.invalid == 0, "held for the frames before them"
    at_depth(200, lambda: alone.expire(SECOND))
    assert alone.invalid == 295


def recorded_datagrams():
    """All kinds of datagrams of a real call."""
    pair = pair_of()
    pair.a.fate, pair.b.fate = (losing(at_random(seed, 100, until_us=SECOND)) for seed in (1, 2))
    pair.b.refuses = lambda frame: frame.metadata.frame_id == 12
    pair.run(1_200_000)
    return [sent.datagram.data for side in pair.sides for sent in side.sent]


DATAGRAMS = recorded_datagrams()


@settings(max_examples=60, deadline=None)
@given(st.lists(st.binary(max_size=80) | mutations(DATAGRAMS[::7]), min_size=1, max_size=30))
def test_mutated_datagrams_never_raise(datagrams):
    for config in (config_of(A, B), config_of(B, A), config_of(A, B, may_receive=()), config_of(B, A, may_send=())):
        alone = Alone()
        alone.endpoint = CallEndpoint(config, alone.trace)
        for index, data in enumerate(datagrams):
            alone.expire(index * 10_000)
            alone.receive(data, index * 10_000)
        alone.expire(SECOND)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32), st.integers(20, 500), st.sampled_from(Codec))
def test_a_call_whose_datagrams_are_tampered_with_never_raises(seed, permille, codec):
    draws = Random(seed)

    def forge(sent):
        data = bytearray(sent.datagram.data)
        if draws.randrange(1000) < permille:
            for _ in range(draws.randrange(1, 4)):
                data[draws.randrange(min(len(data), 50))] ^= 1 << draws.randrange(8)
            del data[len(data) - draws.randrange(3) * draws.randrange(20) :]
        return bytes(data)

    pair = pair_of(codec)
    pair.a.forge = pair.b.forge = forge
    pair.run(SECOND)
    assert pair.a.trace.of(InvalidPacketDropped) or permille < 100
