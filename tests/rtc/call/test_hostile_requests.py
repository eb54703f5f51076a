"""What a hostile peer's requests get: nothing of other streams, and nothing without bounds."""

import pytest

from rtc.rtp.rtcp.compound import serialise_compound
from rtc.values.encoding import EncodedAs
from rtc.values.feedback import (
    FullIntraRequest,
    Nack,
    PictureLossIndication,
    ReceiverReport,
    ReferencePictureSelection,
    ReportBlock,
)
from rtc.values.trace_events import KeyFrameRequestReceived, PacketKind
from tests.rtc.call.lone_endpoint import SECOND, Alone
from tests.support.call_pair import A, B, one_way_pair


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
