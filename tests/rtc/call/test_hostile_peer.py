"""What a broken or hostile peer can do to an endpoint: nothing that raises, and nothing without bounds."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rtc.call.endpoint import CallEndpoint
from rtc.call.outputs import SendDatagram
from rtc.call.reporting import EARLY_INTERVAL_US
from rtc.rtp import frame_metadata_extension
from rtc.rtp.frame_metadata_extension import FrameMetadataExtension
from rtc.rtp.packet import RtpPacket, serialise
from rtc.rtp.rtcp.compound import parse_compound, serialise_compound
from rtc.values.encoding import DecodeResult, EncodedAs
from rtc.values.feedback import (
    FullIntraRequest,
    Nack,
    PictureLossIndication,
    ReceiverReport,
    ReferencePictureSelection,
    ReportBlock,
    SenderReport,
    TransportFeedback,
)
from rtc.values.formats import Codec
from rtc.values.frames import FrameType
from rtc.values.trace_events import (
    FrameAssembled,
    InvalidPacketDropped,
    KeyFrameRequestReceived,
    KeyFrameRequestSent,
    NackSent,
    PacketKind,
)
from tests.rtc.rtp.hostile import mutations
from tests.support.call_pair import SIZE, A, B, ListTrace, config_of, one_way_pair, pair_of
from tests.support.held_values import held_values
from tests.support.scripted_link import at_random, losing

SECOND = 1_000_000
METADATA_ID, TRANSPORT_ID = 9, 3


def media(sequence, frame_number=0, *, timestamp=0, ssrc=B.media_ssrc, payload_type=96, transport=0, **described):
    fields = {"starts_frame": True, "ends_frame": True, "frame_type": FrameType.KEY} | described
    extension = FrameMetadataExtension(frame_number=frame_number & 0xFFFF, **fields)
    return serialise(
        RtpPacket(
            payload_type=payload_type,
            marker=True,
            sequence_number=sequence & 0xFFFF,
            timestamp=timestamp & 0xFFFFFFFF,
            ssrc=ssrc,
            extensions=(
                (TRANSPORT_ID, (transport & 0xFFFF).to_bytes(2, "big")),
                (METADATA_ID, frame_metadata_extension.serialise(extension)),
            ),
            payload=b"\x10\x30abc",
        )
    )


def delta(sequence, frame_number, **described):
    return media(sequence, frame_number, frame_type=FrameType.DELTA, reference_diffs=(1,), **described)


class Alone:
    """An endpoint of side A whose peer is the test."""

    def __init__(self):
        self.trace = ListTrace()
        self.endpoint = CallEndpoint(config_of(A, B), self.trace)
        self.drain()

    def drain(self):
        outputs = []
        while (output := self.endpoint.poll_output()) is not None:
            outputs.append(output)
        return outputs

    def receive(self, data, now_us=0):
        self.endpoint.handle_datagram(data, now_us)
        outputs = self.drain()
        for frame_id in [output.frame.metadata.frame_id for output in outputs if hasattr(output, "frame")]:
            self.endpoint.handle_decode_result(DecodeResult(frame_id=frame_id, size=SIZE, decode_time_us=0), now_us)
            outputs += self.drain()
        return outputs

    def expire(self, now_us):
        outputs = []
        while (at_us := self.endpoint.next_timeout_us()) is not None and at_us <= now_us:
            self.endpoint.handle_timeout(at_us)
            outputs += self.drain()
        return outputs

    @property
    def invalid(self):
        return len(self.trace.of(InvalidPacketDropped))


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


def test_requests_about_other_streams_are_not_ours_to_answer():
    pair = one_way_pair()
    pair.run(SECOND)
    for message in (
        Nack(sender_ssrc=1, media_ssrc=0xDEAD, sequences=(1_000, 1_001)),
        PictureLossIndication(sender_ssrc=1, media_ssrc=0xDEAD),
        FullIntraRequest(sender_ssrc=1, media_ssrc=0xDEAD, command_sequence=0),
        ReferencePictureSelection(sender_ssrc=1, media_ssrc=0xDEAD, payload_type=96, frame_number=0),
    ):
        pair.a.receive(serialise_compound([message]), SECOND)
    assert not pair.a.sent_of(PacketKind.RETRANSMISSION)
    assert not pair.a.trace.of(KeyFrameRequestReceived)


def test_requests_to_a_side_that_sends_nothing_change_nothing():
    pair = one_way_pair()
    pair.run(SECOND)
    sent = len(pair.b.sent)
    pair.b.receive(serialise_compound([Nack(sender_ssrc=1, media_ssrc=B.media_ssrc, sequences=(0,))]), SECOND)
    pair.b.receive(serialise_compound([PictureLossIndication(sender_ssrc=1, media_ssrc=B.media_ssrc)]), SECOND)
    assert len(pair.b.sent) == sent


def test_a_nack_of_packets_never_sent_gets_nothing():
    alone = Alone()
    outputs = alone.receive(serialise_compound([Nack(sender_ssrc=1, media_ssrc=A.media_ssrc, sequences=(0, 65_535))]))
    assert outputs == []


def test_a_flood_of_nacks_is_answered_within_a_budget():
    pair = one_way_pair()
    pair.run(2 * SECOND)
    # A hostile round trip of nothing would else allow everything at once.
    block = ReportBlock(
        media_ssrc=A.media_ssrc,
        fraction_lost=0,
        cumulative_lost=0,
        highest_sequence=0,
        jitter=0,
        last_sender_report=1 << 31,
        delay_since_last_sender_report=0,
    )
    poison = serialise_compound([ReceiverReport(sender_ssrc=1, reports=(block,))])
    every = serialise_compound([Nack(sender_ssrc=1, media_ssrc=A.media_ssrc, sequences=tuple(range(65_536)))])
    sequences = tuple(range(1_000, 1_130)) * 5
    ours = serialise_compound([Nack(sender_ssrc=1, media_ssrc=A.media_ssrc, sequences=sequences)])
    for step in range(20):
        for data in (poison, every, ours):
            pair.a.receive(data, 2 * SECOND + step * 50_000)
    repeated = pair.a.sent_of(PacketKind.RETRANSMISSION)
    assert len(repeated) > 50
    assert sum(len(sent.datagram.data) for sent in repeated) * 8 < 2 * 2 * pair.a.endpoint.target_bps + 64_000 * 8


@pytest.mark.parametrize("kind", ["pli", "fir"])
def test_a_flood_of_key_frame_requests_makes_three_key_frames_a_second_at_most(kind):
    pair = one_way_pair()
    for step in range(1_000):
        message = PictureLossIndication(sender_ssrc=1, media_ssrc=A.media_ssrc)
        if kind == "fir":
            message = FullIntraRequest(sender_ssrc=1, media_ssrc=A.media_ssrc, command_sequence=step & 0xFF)
        data = serialise_compound([message])
        pair.at(step * 3_000, lambda now_us, data=data: pair.a.receive(data, now_us))
    pair.run(3 * SECOND)
    keys = [order for order in pair.a.encode_orders if order.settings.encode_as is EncodedAs.KEY]
    assert 2 < len(keys) <= 11
    assert len(pair.a.trace.of(KeyFrameRequestReceived)) == 1_000


@given(
    st.lists(
        st.tuples(st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1), st.integers(0, 255)), min_size=1, max_size=31
    )
)
@settings(max_examples=50, deadline=None)
def test_reports_cannot_push_the_round_trip_out_of_its_range(blocks):
    alone = Alone()
    reports = tuple(
        ReportBlock(
            media_ssrc=A.media_ssrc,
            fraction_lost=fraction,
            cumulative_lost=0,
            highest_sequence=0,
            jitter=0,
            last_sender_report=last,
            delay_since_last_sender_report=delay,
        )
        for last, delay, fraction in blocks
    )
    alone.receive(serialise_compound([ReceiverReport(sender_ssrc=1, reports=reports)]), 5 * SECOND)
    assert 0 <= alone.endpoint.round_trip_us <= 10 * SECOND
    alone.endpoint.handle_known_capacity(1_000_000, 5 * SECOND)
    assert 10_000 <= alone.endpoint.target_bps <= 1_000_000


def test_a_sender_report_of_another_stream_is_not_repeated_in_ours():
    alone = Alone()
    alone.receive(media(32_767))
    for ssrc, seconds in ((B.media_ssrc, 98), (0xDEAD, 99)):
        report = SenderReport(
            sender_ssrc=ssrc, ntp_timestamp=seconds << 32, rtp_timestamp=0, packet_count=0, octet_count=0
        )
        alone.receive(serialise_compound([report]))
    (message,) = parse_compound(alone.expire(EARLY_INTERVAL_US)[-1].data)
    assert message.reports[0].last_sender_report == 98 << 16


def test_packets_of_other_streams_are_not_reported_as_arrivals():
    alone = Alone()
    alone.receive(media(1, ssrc=0xDEAD, transport=500))
    assert alone.endpoint.next_timeout_us() == EARLY_INTERVAL_US, "only the first report is due"


def test_transport_feedback_of_any_size_is_taken_and_forgotten():
    alone = Alone()
    before = held_values(alone.endpoint)
    for base in range(0, 60_000, 10_000):
        feedback = TransportFeedback(
            sender_ssrc=1, media_ssrc=A.media_ssrc, base_sequence=base, arrivals=(0,) * 10_000, feedback_count=0
        )
        alone.receive(serialise_compound([feedback]))
    assert alone.invalid == 0
    assert held_values(alone.endpoint) <= before


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
