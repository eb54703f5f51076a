import itertools

import numpy as np
import pytest

from rtc.codecs.av1_scaling import coded_sizes
from rtc.codecs.encoder_values import EncoderOptions, NativeRateBuffer
from rtc.codecs.interface import open_decoder, open_encoder
from rtc.values.encoding import ConstantQuantizer, NativeCbr
from rtc.values.formats import Codec, FrameSize
from rtc.values.frames import VideoFrame
from tests.support.codec_orders import SIZE, delta_order, key_order, moving_pictures, psnr_y


def test_every_picture_comes_back_at_once_and_close_to_the_original():
    with open_encoder(Codec.AV1, SIZE) as encoder, open_decoder(Codec.AV1) as decoder:
        for index, picture in enumerate(moving_pictures(12)):
            encoded = encoder.encode(picture, delta_order() if index else key_order())
            decoded = decoder.decode(encoded.payload)
            assert encoded.is_key is (index == 0)
            assert decoded is not None
            assert decoded.size == SIZE
            assert psnr_y(decoded, picture) > 36


def test_a_quantizer_per_frame_is_used_exactly_and_coarser_ones_make_smaller_frames():
    sizes = []
    for quantizer in (5, 15, 25, 35, 45, 55, 63):
        rate = ConstantQuantizer(quantizer=quantizer)
        with open_encoder(Codec.AV1, SIZE) as encoder:
            pictures = moving_pictures(3)
            frames = [
                encoder.encode(picture, delta_order(rate=rate) if index else key_order(rate=rate))
                for index, picture in enumerate(pictures)
            ]
        assert {frame.quantizer for frame in frames} == {quantizer}
        sizes.append(len(frames[0].payload))
    assert all(finer > coarser for finer, coarser in itertools.pairwise(sizes))


def test_the_quantizer_changes_from_frame_to_frame():
    with open_encoder(Codec.AV1, SIZE) as encoder:
        pictures = moving_pictures(8)
        encoder.encode(pictures[0], key_order())
        for picture, quantizer in zip(pictures[1:], (10, 60, 11, 59, 33, 33, 0), strict=True):
            order = delta_order(rate=ConstantQuantizer(quantizer=quantizer))
            assert encoder.encode(picture, order).quantizer == quantizer


def test_the_same_orders_make_the_same_bytes():
    def stream() -> list[bytes]:
        with open_encoder(Codec.AV1, SIZE) as encoder:
            return [
                encoder.encode(picture, delta_order(speed=7 + index % 4) if index else key_order()).payload
                for index, picture in enumerate(moving_pictures(10))
            ]

    assert stream() == stream()


def test_speed_changes_without_a_key_frame():
    with open_encoder(Codec.AV1, SIZE) as encoder, open_decoder(Codec.AV1) as decoder:
        pictures = moving_pictures(8)
        decoder.decode(encoder.encode(pictures[0], key_order()).payload)
        for picture, speed in zip(pictures[1:], range(5, 12), strict=True):
            encoded = encoder.encode(picture, delta_order(speed=speed))
            assert not encoded.is_key
            assert decoder.decode(encoded.payload) is not None


@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("update", [{0}, set()], ids=["in place", "alternating"])
def test_native_rate_control_follows_its_target(layers: int, update: set[int]):
    """Where the reference is updated in place, the names that serve nothing must rest on another slot."""
    pictures = _noisy_pictures(45)
    options = EncoderOptions(
        temporal_layers=layers, native_buffer=NativeRateBuffer(size_ms=400, initial_ms=200, optimal_ms=200)
    )
    with open_encoder(Codec.AV1, SIZE, options) as encoder:
        means = []
        for target_kbps in (500, 1500):
            rate = NativeCbr(target_bps=target_kbps * 1000)
            lengths, last = [], 0
            for index, picture in enumerate(pictures):
                layer = index % layers
                into = last if update else 1 - last
                order = delta_order(last, update={into} if layer == 0 else set(), rate=rate, layer=layer)
                first = index == 0 and not means
                lengths.append(len(encoder.encode(picture, key_order(rate=rate) if first else order).payload))
                if not first and layer == 0:
                    last = into
            means.append(sum(lengths[15:]) * 8 * 30 / len(lengths[15:]) / 1000)
    assert means[0] == pytest.approx(500, rel=0.15)
    assert means[1] == pytest.approx(1500, rel=0.15)


@pytest.mark.parametrize("layers", [1, 2])
def test_native_rate_control_and_a_quantizer_take_turns(layers: int):
    target_kbps, lengths = 800, []
    with open_encoder(Codec.AV1, SIZE, EncoderOptions(temporal_layers=layers)) as encoder:
        for index, picture in enumerate(_noisy_pictures(120)):
            is_ours = 15 <= index < 30
            rate = ConstantQuantizer(quantizer=60) if is_ours else NativeCbr(target_bps=target_kbps * 1000)
            layer = index % layers
            order = delta_order(update=set() if layer else {0}, rate=rate, layer=layer)
            encoded = encoder.encode(picture, order if index else key_order(rate=rate))
            lengths.append(len(encoded.payload))
            assert encoded.quantizer == 60 or not is_ours
    assert sum(lengths[90:]) * 8 / 1000 == pytest.approx(target_kbps, rel=0.15)


def test_a_side_that_is_no_multiple_of_eight_keeps_its_planes_apart():
    size = FrameSize(322, 182)
    with open_encoder(Codec.AV1, size) as encoder, open_decoder(Codec.AV1) as decoder:
        picture = moving_pictures(1, size)[0]
        decoded = decoder.decode(encoder.encode(picture, key_order(size=size)).payload)
    assert decoded is not None
    assert decoded.size == size
    assert psnr_y(decoded, picture) > 36


def test_the_fractions_that_come_out_odd_are_not_offered():
    sizes = coded_sizes(FrameSize(640, 360))
    assert sizes[:5] == (
        FrameSize(640, 360),
        FrameSize(512, 288),
        FrameSize(480, 270),
        FrameSize(384, 216),
        FrameSize(320, 180),
    )
    assert FrameSize(426, 240) not in sizes


def _noisy_pictures(count: int) -> list[VideoFrame]:
    rng = np.random.default_rng(3)
    pictures = []
    for picture in moving_pictures(count):
        pixels = np.frombuffer(picture.data, np.uint8).copy()
        pixels[: SIZE.pixels] += rng.integers(0, 12, SIZE.pixels, dtype=np.uint8)
        pictures.append(VideoFrame(size=SIZE, data=memoryview(pixels)))
    return pictures
