"""What the sender makes of our rate control's orders: pictures encoded again and chosen among."""

import pytest

from ratecontrol.frame_class import FrameClass
from rtc.call.config import RateControl
from rtc.call.outputs import CommitEncode
from rtc.rtp.rtcp.compound import serialise_compound
from rtc.values.encoding import EncodedAs
from rtc.values.errors import LocalMisuse
from rtc.values.feedback import PictureLossIndication
from rtc.values.formats import Codec
from rtc.values.frames import FrameType
from rtc.values.trace_events import DecisionKind, DecisionMade, FrameEncoded
from tests.rtc.call.lone_sender import Sender, scripted
from tests.support.call_pair import FRAME_US, SIZE, A, B, CallPair, config_of

SECOND = 1_000_000


def test_a_picture_encoded_again_is_one_frame_whose_last_encode_is_sent(monkeypatch):
    rate = scripted(monkeypatch, lambda n: 1 if n == 0 else 3)
    sender = Sender()
    sender.encode()

    orders = sender.encode()

    assert [(order.frame_id, order.capture_index, order.attempt) for order in orders] == [(1, 1, n) for n in range(3)]
    assert [order.settings.rate.quantizer for order in orders] == [30, 35, 40]
    assert {order.settings.references for order in orders} == {(0,)}
    assert sender.commits == [CommitEncode(frame_id=0, attempt=0), CommitEncode(frame_id=1, attempt=2)]
    event = sender.trace.of(FrameEncoded)[1]
    assert (event.encodes, event.encode_time_us, event.quantizer) == (3, 15_000, 40)
    assert [attempt for attempt, _ in rate.committed] == [0, 2]


def test_a_key_frame_too_is_encoded_again_and_only_its_last_encode_can_be_sent(monkeypatch):
    rate = scripted(monkeypatch, lambda _n: 2)
    rate.chosen = lambda _attempts: 0
    sender = Sender(candidates=2)

    orders = sender.encode()

    assert [order.settings.encode_as for order in orders] == [EncodedAs.KEY] * 2
    assert sender.commits == [CommitEncode(frame_id=0, attempt=1)]


def test_the_encode_chosen_is_sent_and_the_next_frame_is_predicted_from_it(monkeypatch):
    rate = scripted(monkeypatch, lambda n: 2 if n == 1 else 1)
    sender = Sender(candidates=2)
    sender.encode()
    offered = []
    rate.chosen = lambda attempts: offered.extend(attempts) or 0

    first, second = sender.encode()
    (following,) = sender.encode()

    assert [plan.attempt for plan, _bits in offered] == [0, 1]
    assert first.settings.update_slots != second.settings.update_slots
    assert sender.commits[1] == CommitEncode(frame_id=1, attempt=0)
    assert following.settings.references == tuple(first.settings.update_slots)
    assert sender.trace.of(FrameEncoded)[2].references == (1,)


def test_of_three_encodes_the_first_whose_slot_the_third_took_is_not_offered(monkeypatch):
    rate = scripted(monkeypatch, lambda n: 3 if n == 1 else 1)
    sender = Sender(candidates=2)
    sender.encode()
    offered = []
    rate.chosen = lambda attempts: offered.extend(attempts) or 0

    sender.encode()

    assert [plan.attempt for plan, _bits in offered] == [1, 2]
    assert sender.commits[1].attempt == 1


def test_where_the_codec_skips_the_second_encode_the_first_is_sent(monkeypatch):
    scripted(monkeypatch, lambda n: 2 if n == 1 else 1)
    sender = Sender()
    sender.encode()

    (again,) = sender.answer(sender.capture()[0])
    assert sender.answer(again, payload=b"") == []

    assert sender.commits[1].attempt == 0
    assert sender.trace.of(FrameEncoded)[1].encodes == 2


def test_an_answer_to_an_earlier_encode_of_the_picture_is_misuse_and_the_right_one_is_still_taken(monkeypatch):
    scripted(monkeypatch, lambda _n: 2)
    sender = Sender()
    (first,) = sender.capture()
    (second,) = sender.answer(first)

    with pytest.raises(LocalMisuse, match="not ordered"):
        sender.answer(first)

    sender.answer(second)
    assert sender.commits == [CommitEncode(frame_id=0, attempt=1)]


def test_a_picture_that_breaks_its_bound_at_the_coarsest_quantizer_is_encoded_again_smaller(monkeypatch):
    rate = scripted(monkeypatch, lambda _n: 1)
    sender = Sender()
    sender.encode()
    rate.over = lambda n: 2.0 if n == 1 else None
    (first,) = sender.capture()
    (second,) = sender.answer(first)
    rate.over = lambda _n: None
    sender.answer(second)
    rate.log_coarsest_bits = 8.0
    (following,) = sender.capture()

    assert (second.frame_id, second.attempt) == (1, 1)
    assert second.settings.coded_size.pixels < first.settings.coded_size.pixels
    assert second.settings.references == first.settings.references
    assert second.settings.update_slots.isdisjoint(first.settings.references)
    assert sender.commits[1] == CommitEncode(frame_id=1, attempt=1)
    assert following.settings.encode_as is EncodedAs.DELTA
    assert following.settings.references == tuple(second.settings.update_slots)
    resolution = [event for event in sender.trace.of(DecisionMade) if event.kind is DecisionKind.RESOLUTION]
    assert len(resolution) == 1


def test_however_large_a_picture_is_its_encodes_end_and_none_is_less_than_half_its_reference(monkeypatch):
    rate = scripted(monkeypatch, lambda _n: 1)
    sender = Sender()
    sender.encode()
    rate.over = lambda _n: 50.0

    orders = sender.encode()

    widths = [order.settings.coded_size.width for order in orders]
    assert widths == [SIZE.width, SIZE.width // 2]


def test_h264_encodes_once_whatever_rate_control_wants_of_a_delta_frame(monkeypatch):
    scripted(monkeypatch, lambda n: 3 if n else 1)
    sender = Sender(Codec.H264, candidates=2)
    sender.encode()

    (order,) = sender.encode()

    assert (order.settings.references, order.settings.update_slots) == ((0,), {0})


def test_a_key_frame_asked_for_between_two_encodes_comes_next(monkeypatch):
    scripted(monkeypatch, lambda n: 2 if n == 30 else 1)
    sender = Sender()
    for _ in range(30):
        sender.encode()
    (first,) = sender.capture()
    (second,) = sender.answer(first)
    request = serialise_compound([PictureLossIndication(sender_ssrc=1, media_ssrc=A.media_ssrc)])
    sender.endpoint.handle_datagram(request, 30 * FRAME_US + 6_000)
    sender.answer(second)
    (following,) = sender.encode()

    assert second.settings.encode_as is EncodedAs.DELTA
    assert following.settings.encode_as is EncodedAs.KEY


def test_a_target_that_changes_during_an_encode_is_rate_controls_at_once_and_the_frame_keeps_its_own(monkeypatch):
    rate = scripted(monkeypatch, lambda _n: 2)
    sender = Sender()
    (first,) = sender.capture()
    before = sender.endpoint.target_bps
    sender.endpoint.handle_known_capacity(100_000, 1_000)
    (second,) = sender.answer(first)
    sender.answer(second)

    assert rate.targets == [(1_000, sender.endpoint.target_bps)]
    assert sender.endpoint.target_bps < before
    assert sender.trace.of(FrameEncoded)[0].target_bps == before


def test_a_picture_that_waited_for_the_encoder_counts_from_its_capture(monkeypatch):
    rate = scripted(monkeypatch, lambda _n: 1)
    sender = Sender()
    (order,) = sender.capture(0)
    assert sender.capture(2_000) == []
    sender.answer(order)

    assert rate.planned == [(0, True), (2_000, False)]


@pytest.mark.parametrize("codec", list(Codec))
def test_a_whole_call_under_our_rate_control_stays_intact(codec):
    """Sizes that follow the quantizer as real ones do; a step up in difficulty asks for further encodes."""

    def frame_bytes(order):
        base = 40_000 if order.settings.encode_as is EncodedAs.KEY else 10_000
        hard = 4 if order.capture_index % 20 == 19 else 1
        return max(20, round(base * hard * 0.9**order.settings.rate.quantizer))

    pair = CallPair(
        config_of(A, B, codec, rate_control=RateControl.OURS, candidates=1, may_receive=()),
        config_of(B, A, codec, may_send=()),
    )
    pair.a.frame_bytes = frame_bytes
    pair.a.captures_until_us = 3 * SECOND
    pair.run(4 * SECOND)

    encoded = pair.a.trace.of(FrameEncoded)
    assert pair.b.shown_ids == list(range(len(encoded)))
    again = {event.frame_type for event in encoded if event.encodes > 1}
    assert (FrameType.DELTA in again) == (codec is Codec.AV1)
    assert all(event.encode_time_us == event.encodes * pair.a.encode_time_us for event in encoded)


def test_a_key_frame_in_place_of_a_delta_frame_is_sent_as_one_with_its_reason(monkeypatch):
    rate = scripted(monkeypatch, lambda _n: 1)
    sender = Sender(codec=Codec.H264)
    sender.encode()
    instead = {"frame_class": FrameClass.KEY, "attempt": 1, "instead_of_us": 280_000}
    rate.review = lambda plan, _bits: plan._replace(**instead) if plan.attempt == 0 else None

    delta, key = sender.encode()
    rate.review = lambda _plan, _bits: None
    (following,) = sender.encode()

    assert [order.settings.encode_as for order in (delta, key, following)] == [
        EncodedAs.DELTA,
        EncodedAs.KEY,
        EncodedAs.DELTA,
    ]
    assert sender.commits[1] == CommitEncode(frame_id=1, attempt=1)
    event = sender.trace.of(FrameEncoded)[1]
    assert (event.frame_type, event.references, event.encodes) == (FrameType.KEY, (), 2)
    assert sender.trace.of(FrameEncoded)[2].references == (1,)
    (decision,) = sender.trace.of(DecisionMade)
    assert decision.kind is DecisionKind.KEY_FRAME
    assert "280 ms" in decision.reason
