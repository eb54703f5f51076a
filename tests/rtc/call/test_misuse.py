"""What a driver may not do to an endpoint: it raises LocalMisuse and changes nothing."""

from dataclasses import replace

import pytest

from rtc.call.config import EndpointConfig, RateControl
from rtc.call.endpoint import CallEndpoint
from rtc.call.outputs import CommitEncode, SendDatagram
from rtc.rtp.rtcp.compound import serialise_compound
from rtc.values.encoding import DecodeResult, EncodedAs, EncodeResult
from rtc.values.errors import LocalMisuse
from rtc.values.feedback import PictureLossIndication
from rtc.values.formats import Codec
from rtc.values.frames import CapturedFrame
from tests.support.call_pair import FPS, SIZE, A, B, ListTrace, config_of, one_way_pair
from tests.support.fake_codec import encoded_bytes

RECEIVE_ONLY = config_of(A, B, may_send=())
SEND_ONLY = config_of(A, B, may_receive=())


def captured(index=0):
    return CapturedFrame(capture_index=index, captured_at_us=0, size=SIZE)


def drain(endpoint):
    outputs = []
    while (output := endpoint.poll_output()) is not None:
        outputs.append(output)
    return outputs


def encoded(order, **changed):
    is_key = order.settings.encode_as is EncodedAs.KEY
    fields = {
        "frame_id": order.frame_id,
        "codec": order.codec,
        "settings": order.settings,
        "payload": encoded_bytes(order.codec, is_key=is_key, size=300, seed=1),
        "is_key": is_key,
        "quantizer": 1,
        "encode_time_us": 1,
    }
    return EncodeResult(**fields | changed)


HANDLES = {
    "captured frame": lambda endpoint: endpoint.handle_captured_frame(captured(1), 0),
    "encode result": lambda endpoint: endpoint.handle_encode_result(None, 0),
    "decode result": lambda endpoint: endpoint.handle_decode_result(None, 0),
    "datagram": lambda endpoint: endpoint.handle_datagram(b"", 0),
    "timeout": lambda endpoint: endpoint.handle_timeout(0),
    "known capacity": lambda endpoint: endpoint.handle_known_capacity(1, 0),
}


@pytest.mark.parametrize("handle", HANDLES.values(), ids=HANDLES.keys())
def test_a_handle_before_the_outputs_are_polled_is_misuse_and_changes_nothing(handle):
    trace = ListTrace()
    endpoint = CallEndpoint(config_of(A, B), trace)
    endpoint.handle_captured_frame(captured(), 0)
    events = len(trace.events)
    with pytest.raises(LocalMisuse, match="polled to None"):
        handle(endpoint)
    assert len(trace.events) == events
    (order,) = drain(endpoint)
    assert order.capture_index == 0
    assert endpoint.poll_output() is None


def test_a_side_that_only_receives_takes_no_captured_frame_encode_result_or_capacity():
    endpoint = CallEndpoint(RECEIVE_ONLY, ListTrace())
    for misuse in (HANDLES["captured frame"], HANDLES["encode result"], HANDLES["known capacity"]):
        with pytest.raises(LocalMisuse, match="sends no video"):
            misuse(endpoint)
    assert endpoint.poll_output() is None


def test_a_side_that_only_sends_takes_no_decode_result():
    endpoint = CallEndpoint(SEND_ONLY, ListTrace())
    with pytest.raises(LocalMisuse, match="receives nothing"):
        endpoint.handle_decode_result(DecodeResult(frame_id=0, size=SIZE, decode_time_us=1), 0)


def test_a_decode_result_that_was_not_ordered_is_misuse():
    endpoint = CallEndpoint(RECEIVE_ONLY, ListTrace())
    with pytest.raises(LocalMisuse, match="was not ordered"):
        endpoint.handle_decode_result(DecodeResult(frame_id=7, size=SIZE, decode_time_us=1), 0)


WRONG = {
    "another frame": {"frame_id": 5},
    "another encode of the frame": {"attempt": 1},
    "another codec": {"codec": Codec.H264},
    "not a temporal unit": {"payload": b"\xff\xff\xff"},
    "nothing to send": {"payload": b"\x12\x00"},
    "a delta frame where a key frame was ordered": {"is_key": False},
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG.keys())
def test_a_wrong_encode_result_is_misuse_and_the_right_one_is_still_taken(wrong):
    trace = ListTrace()
    endpoint = CallEndpoint(SEND_ONLY, trace)
    endpoint.handle_captured_frame(captured(), 0)
    (order,) = drain(endpoint)
    events = len(trace.events)
    with pytest.raises(LocalMisuse):
        endpoint.handle_encode_result(encoded(order, **wrong), 1)
    assert endpoint.poll_output() is None
    assert len(trace.events) == events
    endpoint.handle_encode_result(encoded(order), 2)
    packet, commit = drain(endpoint)
    assert commit == CommitEncode(frame_id=0, attempt=0)
    assert isinstance(packet, SendDatagram)
    assert (packet.frame_id, packet.unwrapped_sequence) == (0, A.first_sequence)


def test_an_encode_result_is_taken_once():
    endpoint = CallEndpoint(SEND_ONLY, ListTrace())
    endpoint.handle_captured_frame(captured(), 0)
    (order,) = drain(endpoint)
    endpoint.handle_encode_result(encoded(order), 1)
    drain(endpoint)
    with pytest.raises(LocalMisuse, match="was not ordered"):
        endpoint.handle_encode_result(encoded(order), 2)


def test_an_encode_result_before_any_order_is_misuse():
    pair = one_way_pair()
    pair.run(1)
    order = pair.a.encode_orders[0]
    with pytest.raises(LocalMisuse, match="was not ordered"):
        CallEndpoint(SEND_ONLY, ListTrace()).handle_encode_result(encoded(order), 0)


def test_a_key_frame_that_the_codec_made_unasked_answers_a_request_that_came_while_it_was_encoded():
    endpoint = CallEndpoint(SEND_ONLY, ListTrace())
    request = serialise_compound([PictureLossIndication(sender_ssrc=1, media_ssrc=A.media_ssrc)])
    orders = []
    for index, is_key in enumerate((True, True, False)):
        now_us = index * 1_000_000
        endpoint.handle_captured_frame(captured(index), now_us)
        (order,) = drain(endpoint)
        orders.append(order.settings.encode_as)
        if index == 1:
            endpoint.handle_datagram(request, now_us)
        payload = encoded_bytes(Codec.AV1, is_key=is_key, size=300, seed=1)
        endpoint.handle_encode_result(encoded(order, is_key=is_key, payload=payload), now_us)
        drain(endpoint)
    assert orders == [EncodedAs.KEY, EncodedAs.DELTA, EncodedAs.DELTA]


@pytest.mark.parametrize(
    "wrong",
    [
        {"may_send": (), "may_receive": ()},
        {"frames_per_second": 0},
        {"frames_per_second": 1_001},
        {"frames_per_second": 29.97},
        {"frames_per_second": "30"},
        {"fixed_target_bps": 0},
        {"fixed_target_bps": -5},
        {"fixed_target_bps": float("nan")},
        {"fixed_target_bps": float("inf")},
        {"fixed_target_bps": 100_000_001},
        {"fixed_target_bps": 100_000.0},
        {"fixed_target_bps": "x"},
        {"fixed_target_bps": "100000"},
        {"fixed_target_bps": True},
        {"fixed_target_bps": [100_000]},
        {"fixed_target_bps": object()},
        {"fixed_target_bps": 10**400},
        {"candidates": True},
        {"candidates": "2"},
        {"candidates": 0},
        {"candidates": 3},
        {"candidates": 2, "rate_control": RateControl.NATIVE},
        {"speeds": ((Codec.H264, 2),)},
    ],
)
def test_a_configuration_that_cannot_be_is_refused(wrong):
    with pytest.raises(LocalMisuse) as refused:
        replace(config_of(A, B), **wrong)
    assert len(str(refused.value).splitlines()) == 1
    assert len(str(refused.value)) < 150


def test_a_number_that_is_refused_is_shown_with_those_permitted():
    permitted = "'x' bit/s as fixed target: must be a whole number from 1000 to 100000000"
    with pytest.raises(LocalMisuse, match=permitted):
        replace(config_of(A, B), fixed_target_bps="x")


@pytest.mark.parametrize("wrong", [{"first_sequence": 32_768}, {"first_sequence": -1}, {"retransmission_ssrc": 0xA}])
def test_an_identity_that_cannot_be_is_refused(wrong):
    with pytest.raises(LocalMisuse):
        replace(A, **wrong)


def test_a_configuration_has_sensible_speeds():
    config = EndpointConfig(local=A, remote=B, size=SIZE, frames_per_second=FPS, may_send=tuple(Codec), may_receive=())
    assert (config.speed(Codec.AV1), config.speed(Codec.H264)) == (10, 2)
