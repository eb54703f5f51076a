import pytest

from ratecontrol.cbr import CbrController
from ratecontrol.frame_class import FrameClass
from ratecontrol.target import OverheadModel
from rtc.call.config import RateControl
from rtc.call.controller import CallController
from rtc.values.encoding import EncodedAs
from rtc.values.formats import Codec, FrameSize
from rtc.values.frames import PictureChange
from tests.support.call_pair import SIZE, A, B, config_of

HALF = FrameSize(160, 90)
OVERHEAD = OverheadModel(header_bytes_per_packet=60, payload_bytes_per_packet=1_000, frames_per_second=30)


def controller(codec, rate_control):
    return CallController(config_of(A, B, codec, rate_control=rate_control), OVERHEAD)


def encode(controller, frame_id):
    order = controller.order_frame(frame_id * 33_333, PictureChange())
    is_key = order.settings.encode_as is EncodedAs.KEY
    controller.review(order, encoded_bytes=100, is_key=is_key)
    controller.on_frame_encoded(order, frame_id, encoded_bytes=100, is_key=is_key, quantizer=40)
    return order.settings


@pytest.mark.parametrize("rate_control", list(RateControl))
@pytest.mark.parametrize(("codec", "then"), [(Codec.AV1, EncodedAs.DELTA), (Codec.H264, EncodedAs.KEY)])
def test_another_size_holds_from_the_next_frame_on_and_only_h264_starts_anew(rate_control, codec, then):
    call = controller(codec, rate_control)
    sizes = [SIZE, SIZE, HALF, HALF, SIZE]
    settings = []
    for frame_id, size in enumerate(sizes):
        call.set_coded_size(size, frame_id * 33_333)
        settings.append(encode(call, frame_id))

    assert [each.coded_size for each in settings] == sizes
    key, delta = EncodedAs.KEY, EncodedAs.DELTA
    assert [each.encode_as for each in settings] == [key, delta, then, delta, then]


def test_a_size_set_while_a_key_frame_is_in_the_encoder_is_not_forgotten():
    call = controller(Codec.H264, RateControl.OURS)
    order = call.order_frame(0, PictureChange())
    call.set_coded_size(HALF, 1_000)
    call.on_frame_encoded(order, 0, encoded_bytes=100, is_key=True, quantizer=40)

    assert encode(call, 1).encode_as is EncodedAs.KEY
    assert encode(call, 2).encode_as is EncodedAs.DELTA


def test_a_key_frame_that_the_codec_made_unasked_counts_as_one_for_rate_control(monkeypatch):
    committed = []
    monkeypatch.setattr(CbrController, "commit", lambda _rate, plan, _bits: committed.append(plan.frame_class))
    call = controller(Codec.AV1, RateControl.OURS)
    for frame_id in range(2):
        order = call.order_frame(frame_id * 33_333, PictureChange())
        call.on_frame_encoded(order, frame_id, encoded_bytes=5_000, is_key=True, quantizer=40)
    assert committed == [FrameClass.KEY, FrameClass.KEY]
