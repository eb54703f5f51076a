"""A real encoder under the call's controller, without a call: what becomes of each picture."""

import pytest

from benchmarks.driving import DrivingPlan, SizeStep, drive, open_controller
from rtc.call.config import RateControl
from rtc.codecs.interface import open_decoder, open_encoder
from rtc.metrics.rate_timeline import RateStep
from rtc.values.errors import LocalMisuse
from rtc.values.formats import Codec, FrameSize
from tests.support.codec_orders import SIZE, moving_pictures

FPS = 30
TARGET = (RateStep(at_us=0, bps=100_000),)
SPEEDS = {Codec.AV1: 10, Codec.H264: 2}


def driven(codec, pictures, *, rate_control=RateControl.OURS, candidates=1, targets=TARGET, **plan):
    controller = open_controller(
        codec, SIZE, fps=FPS, speed=SPEEDS[codec], targets=targets, rate_control=rate_control, candidates=candidates
    )
    with open_encoder(codec, SIZE) as encoder:
        return list(drive(pictures, encoder, controller, DrivingPlan(targets=targets, **plan), fps=FPS))


def decoded(codec, frames):
    with open_decoder(codec) as decoder:
        return [decoder.decode(frame.payload) for frame in frames if frame.payload is not None]


@pytest.mark.parametrize("codec", Codec)
@pytest.mark.parametrize("rate_control", RateControl)
def test_every_frame_that_is_sent_decodes(codec, rate_control):
    frames = driven(codec, moving_pictures(30), rate_control=rate_control)
    assert None not in decoded(codec, frames)
    assert [frame.captured_at_us for frame in frames[:4]] == [0, 33_333, 66_666, 100_000]
    assert frames[0].is_key
    assert not any(frame.is_key for frame in frames[1:])


def test_a_picture_is_encoded_again_while_the_controller_asks_and_the_stream_stays_whole():
    calm, sudden = moving_pictures(40), moving_pictures(40, FrameSize(SIZE.height, SIZE.width))
    turned = [type(one)(size=SIZE, data=one.data) for one in sudden]
    frames = driven(Codec.AV1, calm[:20] + turned[20:])
    assert max(frame.encodes for frame in frames) > 1
    assert None not in decoded(Codec.AV1, frames)


def test_delta_frames_of_h264_are_encoded_once_and_key_frames_as_often_as_it_takes():
    targets = (RateStep(at_us=0, bps=40_000),)
    frames = driven(Codec.H264, moving_pictures(30), targets=targets, key_frames_at_us=(500_000,))
    assert {frame.encodes for frame in frames if not frame.is_key} <= {0, 1}
    assert max(frame.encodes for frame in frames if frame.is_key) > 1
    assert None not in decoded(Codec.H264, frames)


def test_the_same_pictures_and_plan_give_the_same_stream():
    once, again = ([frame.payload for frame in driven(Codec.AV1, moving_pictures(15))] for _ in range(2))
    assert once == again


def test_targets_take_effect_at_their_moment():
    steps = (RateStep(at_us=0, bps=120_000), RateStep(at_us=200_000, bps=30_000))
    frames = driven(Codec.AV1, moving_pictures(8), targets=steps)
    assert [frame.target_bps for frame in frames] == [120_000] * 6 + [30_000] * 2


def test_a_target_the_controller_would_not_follow_is_refused():
    steps = (RateStep(at_us=0, bps=100_000), RateStep(at_us=33_333, bps=50_000_000))
    with pytest.raises(LocalMisuse, match="50000000"):
        driven(Codec.AV1, moving_pictures(3), targets=steps)


@pytest.mark.parametrize("codec", Codec)
def test_key_frames_come_when_the_plan_asks_for_them(codec):
    frames = driven(codec, moving_pictures(12), key_frames_at_us=(150_000,))
    assert [index for index, frame in enumerate(frames) if frame.is_key] == [0, 5]


@pytest.mark.parametrize(("codec", "keys"), [(Codec.AV1, [0]), (Codec.H264, [0, 5])])
def test_sizes_change_when_the_plan_says_so(codec, keys):
    half = FrameSize(SIZE.width // 2, SIZE.height // 2)
    frames = driven(codec, moving_pictures(10), sizes=(SizeStep(at_us=150_000, size=half),))
    assert [picture.size for picture in decoded(codec, frames)] == [SIZE] * 5 + [half] * 5
    assert [index for index, frame in enumerate(frames) if frame.is_key] == keys


def test_a_dropped_picture_has_no_payload_and_no_encodes():
    class DropsEverySecond:
        target_bps = TARGET[0].bps

        def __init__(self):
            self.controller = open_controller(Codec.AV1, SIZE, fps=FPS, speed=10, targets=TARGET)
            self.ordered = 0

        def order_frame(self, captured_at_us, change):
            self.ordered += 1
            return None if self.ordered % 2 == 0 else self.controller.order_frame(captured_at_us, change)

        def __getattr__(self, name):
            return getattr(self.controller, name)

    with open_encoder(Codec.AV1, SIZE) as encoder:
        plan = DrivingPlan(targets=TARGET)
        frames = list(drive(moving_pictures(4), encoder, DropsEverySecond(), plan, fps=FPS))
    assert [frame.payload is None for frame in frames] == [False, True, False, True]
    assert [(frame.encodes, frame.bits, frame.quantizer) for frame in frames if frame.payload is None] == [
        (0, 0, None),
        (0, 0, None),
    ]
