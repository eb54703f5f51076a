from typing import Any

import numpy as np
import pytest

from rtc.codecs.encoder_values import EncoderOptions
from rtc.codecs.interface import VideoEncoder, open_encoder
from rtc.values.encoding import ConstantQuantizer, EncodedAs, FrameEncodeSettings, NativeCbr
from rtc.values.errors import LocalMisuse
from rtc.values.formats import Codec, FrameSize
from rtc.values.frames import VideoFrame
from tests.support.codec_orders import SIZE, delta_order, key_order, moving_pictures

SPEED = {Codec.AV1: 10, Codec.H264: 2}
BAD_ORDERS: dict[str, dict[str, Any]] = {
    "slot 8": {"references": (8,)},
    "slot -1": {"update_slots": frozenset({-1})},
    "no references": {"references": ()},
    "the same slot twice": {"references": (0, 0)},
    "four references": {"references": (0, 1, 2, 3)},
    "key with references": {"encode_as": EncodedAs.KEY, "update_slots": frozenset(range(8))},
    "key that updates no slot": {"encode_as": EncodedAs.KEY, "references": (), "update_slots": frozenset()},
    "quantizer too coarse": {"rate": ConstantQuantizer(quantizer=64)},
    "quantizer negative": {"rate": ConstantQuantizer(quantizer=-1)},
    "no target": {"rate": NativeCbr(target_bps=0)},
    "speed 12": {"speed": 12},
    "speed -1": {"speed": -1},
    "layer 1 of 1": {"temporal_layer": 1},
    "odd fraction": {"coded_size": FrameSize(318, 190)},
    "larger than the picture": {"coded_size": FrameSize(640, 384)},
    "no duration": {"duration_us": 0},
}
ONLY_AV1: dict[str, dict[str, Any]] = {
    "eight slots": {"references": (0,), "update_slots": frozenset(range(8))},
    "less than half its reference": {"coded_size": FrameSize(80, 48)},
}
ONLY_H264: dict[str, dict[str, Any]] = {
    "other rate control": {"rate": NativeCbr(target_bps=300_000)},
}


@pytest.mark.parametrize("codec", list(Codec))
@pytest.mark.parametrize("change", BAD_ORDERS.values(), ids=BAD_ORDERS)
def test_an_impossible_order_is_refused_and_the_stream_goes_on_as_if_it_had_not_been_given(
    codec: Codec, change: dict[str, Any]
):
    _check_refusal_changes_nothing(codec, change)


@pytest.mark.parametrize("change", ONLY_AV1.values(), ids=ONLY_AV1)
def test_an_order_that_av1_cannot_carry_out_is_refused_likewise(change: dict[str, Any]):
    _check_refusal_changes_nothing(Codec.AV1, change)


@pytest.mark.parametrize("change", ONLY_H264.values(), ids=ONLY_H264)
def test_an_order_that_h264_cannot_carry_out_is_refused_likewise(change: dict[str, Any]):
    _check_refusal_changes_nothing(Codec.H264, change)


@pytest.mark.parametrize("codec", list(Codec))
def test_a_stream_begins_with_a_key_frame(codec: Codec):
    picture = moving_pictures(1)[0]
    with open_encoder(codec, SIZE) as encoder, pytest.raises(LocalMisuse, match="start with a key frame"):
        encoder.encode(picture, delta_order(speed=SPEED[codec]))


@pytest.mark.parametrize("codec", list(Codec))
def test_a_picture_of_another_size_or_length_is_refused(codec: Codec):
    other = moving_pictures(1, FrameSize(160, 96))[0]
    short = VideoFrame(size=SIZE, data=moving_pictures(1)[0].data[:-1])
    gappy = VideoFrame(size=SIZE, data=memoryview(np.zeros(SIZE.i420_bytes * 2, np.uint8))[::2])
    with open_encoder(codec, SIZE) as encoder:
        for picture in (other, short, gappy):
            with pytest.raises(LocalMisuse, match="320x192"):
                encoder.encode(picture, key_order(speed=SPEED[codec]))


@pytest.mark.parametrize("codec", list(Codec))
def test_a_closed_encoder_says_so_and_closing_twice_is_harmless(codec: Codec):
    encoder = open_encoder(codec, SIZE)
    encoder.close()
    encoder.close()
    with pytest.raises(LocalMisuse, match="closed"):
        encoder.encode(moving_pictures(1)[0], key_order(speed=SPEED[codec]))


def test_there_are_one_or_two_temporal_layers():
    with pytest.raises(LocalMisuse, match="1 or 2"):
        EncoderOptions(temporal_layers=3)


def _check_refusal_changes_nothing(codec: Codec, change: dict[str, Any]) -> None:
    pictures = moving_pictures(4)
    good = delta_order(speed=SPEED[codec])
    with open_encoder(codec, SIZE) as undisturbed:
        expected = _stream(undisturbed, pictures, good)
    with open_encoder(codec, SIZE) as encoder:
        made = _stream(encoder, pictures[:2], good)
        with pytest.raises(LocalMisuse) as refusal:
            encoder.encode(pictures[2], good._replace(**change))
        assert "\n" not in str(refusal.value)
        made += [encoder.encode(picture, good).payload for picture in pictures[2:]]
    assert made == expected


def _stream(encoder: VideoEncoder, pictures: list[VideoFrame], good: FrameEncodeSettings) -> list[bytes]:
    key = key_order(speed=good.speed)
    return [encoder.encode(picture, good if index else key).payload for index, picture in enumerate(pictures)]
