"""Calls between two endpoints: what each must do, loss by loss."""

import pytest

from rtc.values.encoding import EncodedAs
from rtc.values.formats import Codec
from rtc.values.frames import FrameType
from rtc.values.trace_events import (
    DropReason,
    FrameDropped,
    FrameSkipped,
    InvalidPacketDropped,
    KeyFrameRequestSent,
    NackSent,
    PacketKind,
    SkipReason,
)
from tests.support.call_pair import FRAME_US, ONE_WAY_US, one_way_pair, pair_of
from tests.support.scripted_link import (
    at_random,
    between,
    first_of_kind,
    first_packet_of,
    losing,
    of_frames,
    of_kind,
)

SECOND = 1_000_000


def sent_key_frames(side):
    return [order.frame_id for order in side.encode_orders if order.settings.encode_as is EncodedAs.KEY]


@pytest.mark.parametrize("codec", list(Codec))
def test_without_loss_each_frame_is_shown_once_and_in_order(codec):
    pair = pair_of(codec)
    pair.a.captures_until_us = pair.b.captures_until_us = 2 * SECOND
    pair.run(3 * SECOND)
    for side in pair.sides:
        assert side.shown_ids == list(range(len(side.peer.payloads)))
        assert len(side.shown_ids) >= 60
        assert not side.trace.of(NackSent)
        assert not side.trace.of(KeyFrameRequestSent)
        assert sent_key_frames(side) == [0]
    for at_us, frame_id in pair.b.shown[10:]:
        assert at_us - frame_id * FRAME_US < ONE_WAY_US + 5_000 + 1_000 + 2_000, "no delay is added without jitter"


@pytest.mark.parametrize("codec", list(Codec))
def test_one_lost_packet_is_asked_for_sent_again_and_shown_without_a_key_frame_request(codec):
    pair = one_way_pair(codec)
    pair.a.fate = losing(first_packet_of(20))
    pair.a.captures_until_us = 2 * SECOND
    pair.run(3 * SECOND)
    assert len(pair.b.trace.of(NackSent)) == 1
    assert len(pair.a.sent_of(PacketKind.RETRANSMISSION)) == 1
    assert not pair.b.trace.of(KeyFrameRequestSent)
    assert [frame.metadata.frame_id for frame in pair.b.decode_orders] == list(range(len(pair.a.payloads)))
    assert set(pair.b.shown_ids) | {skipped.frame_id for skipped in pair.b.trace.of(FrameSkipped)} == set(
        range(len(pair.a.payloads))
    )


def test_a_retransmission_that_is_lost_is_asked_for_again():
    pair = one_way_pair()
    pair.a.fate = losing(first_packet_of(20), first_of_kind(PacketKind.RETRANSMISSION, 3))
    pair.run(3 * SECOND)
    assert len(pair.b.trace.of(NackSent)) == 4
    assert not pair.b.trace.of(FrameDropped)
    assert pair.b.decode_orders[20].metadata.frame_id == 20


def test_a_lost_nack_is_repeated():
    pair = one_way_pair()
    pair.a.fate = losing(first_packet_of(20))
    nacks = between(20 * FRAME_US, 20 * FRAME_US + 100_000)
    pair.b.fate = losing(nacks)
    pair.run(3 * SECOND)
    assert len(pair.b.trace.of(NackSent)) == 2
    assert pair.b.decode_orders[20].metadata.frame_id == 20


@pytest.mark.parametrize("codec", list(Codec))
def test_without_nack_a_lost_packet_leads_to_a_key_frame_request_and_a_key_frame(codec):
    pair = one_way_pair(codec, nack=False)
    pair.a.fate = losing(first_packet_of(20))
    pair.run(3 * SECOND)
    assert not pair.b.trace.of(NackSent)
    assert len(pair.b.trace.of(KeyFrameRequestSent)) == 1
    keys = sent_key_frames(pair.a)
    assert len(keys) == 2
    assert pair.b.shown_ids[:20] == list(range(20))
    assert pair.b.shown_ids[20:] == list(range(keys[1], pair.b.shown_ids[-1] + 1))
    assert (keys[1] - 20) * FRAME_US < 300_000
    skipped = pair.b.trace.of(FrameSkipped)
    assert {skip.frame_id for skip in skipped} == set(range(21, keys[1]))
    assert {skip.reason for skip in skipped} == {SkipReason.REFERENCES_MISSING}


@pytest.mark.parametrize("lost", [(0,), (0, 1, 2)])
def test_a_key_frame_lost_at_the_start_is_recovered(lost):
    pair = one_way_pair()
    pair.a.fate = losing(of_frames(*lost))
    pair.run(3 * SECOND)
    keys = sent_key_frames(pair.a)
    assert len(keys) == 2
    assert pair.b.shown_ids[0] == keys[1]
    assert pair.b.shown_ids == list(range(keys[1], pair.b.shown_ids[-1] + 1))
    assert pair.b.shown[0][0] < SECOND


def test_the_first_packets_of_a_call_are_asked_for_when_they_are_lost():
    pair = one_way_pair()
    pair.a.fate = losing(first_packet_of(0))
    pair.run(SECOND)
    assert sent_key_frames(pair.a) == [0]
    assert len(pair.b.trace.of(NackSent)) == 1
    assert pair.b.decode_orders[0].metadata.frame_id == 0


def test_a_lost_key_frame_request_is_repeated():
    pair = one_way_pair(nack=False)
    pair.a.fate = losing(first_packet_of(20))
    pair.b.fate = losing(between(20 * FRAME_US, 20 * FRAME_US + 300_000))
    pair.run(3 * SECOND)
    assert len(pair.b.trace.of(KeyFrameRequestSent)) == 2
    assert pair.b.shown[-1][0] > 2_900_000


def test_a_call_outlives_the_loss_of_all_feedback():
    pair = pair_of()
    pair.b.fate = losing(of_kind(PacketKind.FEEDBACK))
    pair.run(2 * SECOND)
    for side in pair.sides:
        assert side.shown_ids == list(range(len(side.shown_ids)))
        assert len(side.shown_ids) >= 55


def test_duplicates_change_nothing_that_is_shown():
    pair = pair_of()
    pair.a.fate = pair.b.fate = lambda _sent: (0, 0, 7_000)
    pair.run(2 * SECOND)
    for side in pair.sides:
        assert side.shown_ids == list(range(len(side.shown_ids)))
        assert len(side.shown_ids) >= 55
        assert not side.trace.of(NackSent)
        assert not side.trace.of(InvalidPacketDropped)


def test_reordered_packets_make_the_same_pictures():
    pair = one_way_pair()
    pair.a.captures_until_us = 2 * SECOND
    pair.a.fate = lambda sent: (30_000,) if sent.index % 5 == 0 else (0,)
    pair.run(3 * SECOND)
    assert [frame.metadata.frame_id for frame in pair.b.decode_orders] == list(range(len(pair.a.payloads)))
    assert not pair.b.trace.of(KeyFrameRequestSent)


def test_a_frame_the_decoder_refuses_leads_to_a_key_frame_and_the_call_goes_on():
    pair = one_way_pair()
    pair.b.refuses = lambda frame: frame.metadata.frame_id == 20
    pair.run(3 * SECOND)
    assert len(pair.b.trace.of(KeyFrameRequestSent)) == 1
    keys = sent_key_frames(pair.a)
    assert len(keys) == 2
    assert pair.b.shown_ids == [*range(20), *range(keys[1], pair.b.shown_ids[-1] + 1)]
    reasons = {skip.frame_id: skip.reason for skip in pair.b.trace.of(FrameSkipped)}
    assert reasons[20] is SkipReason.DECODER_REFUSED
    assert {reasons[frame_id] for frame_id in range(21, keys[1])} == {SkipReason.REFERENCES_MISSING}


def test_a_slow_decoder_that_refuses_late_has_nothing_shown_that_was_built_on_the_refused_frame():
    pair = one_way_pair()
    pair.b.decode_time_us = 150_000
    pair.b.refuses = lambda frame: frame.metadata.frame_id == 20
    pair.run(3 * SECOND)
    keys = sent_key_frames(pair.a)
    assert not set(pair.b.shown_ids) & set(range(20, keys[1]))
    assert pair.b.shown_ids[-1] > keys[1]


def test_a_decoder_that_refuses_everything_is_asked_about_no_more_often_than_the_back_off_allows():
    pair = one_way_pair()
    pair.b.refuses = lambda _frame: True
    pair.run(10 * SECOND)
    assert not pair.b.shown
    assert 2 <= len(pair.b.trace.of(KeyFrameRequestSent)) <= 34


@pytest.mark.parametrize("skipped_capture", [0, 20])
def test_a_frame_the_encoder_skips_leaves_no_gap(skipped_capture):
    pair = one_way_pair()
    pair.a.skips = lambda order: order.capture_index == skipped_capture
    pair.a.captures_until_us = SECOND
    pair.run(2 * SECOND)
    assert pair.b.shown_ids == list(range(len(pair.a.payloads)))
    assert sent_key_frames(pair.a) == ([0, 0] if skipped_capture == 0 else [0])
    dropped = pair.a.trace.of(FrameDropped)
    assert dropped == [FrameDropped(capture_index=skipped_capture, reason=DropReason.ENCODER_SKIPPED)]


def test_an_encoder_slower_than_the_camera_drops_the_older_of_the_waiting_frames():
    pair = one_way_pair()
    pair.a.encode_time_us = 80_000
    pair.a.captures_until_us = SECOND
    pair.run(2 * SECOND)
    dropped = pair.a.trace.of(FrameDropped)
    assert len(dropped) >= 15
    assert {drop.reason for drop in dropped} == {DropReason.ENCODER_BUSY}
    encoded = [order.capture_index for order in pair.a.encode_orders]
    assert encoded[:4] == [0, 2, 4, 7]
    assert sorted(encoded + [drop.capture_index for drop in dropped]) == list(range(len(encoded) + len(dropped)))
    assert pair.b.shown_ids == list(range(len(encoded)))


def test_a_key_frame_requested_while_a_frame_is_in_the_encoder_comes_next():
    pair = one_way_pair(nack=False)
    pair.a.encode_time_us = 30_000
    pair.a.fate = losing(first_packet_of(20))
    pair.run(3 * SECOND)
    assert len(sent_key_frames(pair.a)) == 2
    assert pair.b.shown[-1][0] > 2_900_000


def test_in_a_one_way_call_the_receiver_sends_only_feedback_and_learns_the_round_trip_from_retransmissions():
    pair = one_way_pair()
    pair.a.fate = losing(first_packet_of(10))
    pair.run(4 * SECOND)
    assert {sent.kind for sent in pair.b.sent} == {PacketKind.FEEDBACK}
    assert pair.b.endpoint.target_bps is None
    assert pair.b.endpoint.round_trip_us == 2 * ONE_WAY_US
    assert abs(pair.a.endpoint.round_trip_us - 2 * ONE_WAY_US) < 100


def test_both_sides_of_a_call_learn_the_round_trip_from_reports():
    pair = pair_of()
    pair.run(4 * SECOND)
    for side in pair.sides:
        assert abs(side.endpoint.round_trip_us - 2 * ONE_WAY_US) < 100


def test_an_outage_of_both_directions_is_survived():
    pair = pair_of()
    pair.a.fate = pair.b.fate = losing(between(SECOND, 3 * SECOND))
    pair.run(7 * SECOND)
    for side in pair.sides:
        assert side.shown[-1][0] > 6_900_000
        assert [frame.metadata.frame_type for frame in side.decode_orders].count(FrameType.KEY) <= 3


def test_two_runs_of_one_call_are_the_same():
    def run():
        pair = pair_of()
        pair.a.fate, pair.b.fate = (
            losing(at_random(1, 100, until_us=SECOND)),
            losing(at_random(2, 100, until_us=SECOND)),
        )
        pair.run(2 * SECOND)
        return [(side.trace.events, [sent.datagram.data for sent in side.sent]) for side in pair.sides]

    assert run() == run()
