"""A quantizer for every frame, with and without cyclic refresh: libaom uses exactly the one that is ordered.

With refresh that holds for frames of more than a few hundred bits, so pictures and quantizers here are such.
"""

import random

import pytest

from rtc.codecs.encoder_values import EncoderOptions
from rtc.codecs.interface import open_decoder, open_encoder
from rtc.values.encoding import ConstantQuantizer, NativeCbr
from rtc.values.formats import Codec, FrameSize
from tests.support.codec_orders import SIZE, delta_order, key_order, moving_pictures, psnr_y

FRAMES = 40
REFRESH = {
    "always": lambda _index: True,
    "never": lambda _index: False,
    "every other pair": lambda index: index % 4 < 2,
    "all but every third": lambda index: index % 3 > 0,
}
QUANTIZERS = {
    "the same": lambda _draw: 40,
    "far apart": lambda draw: draw.choice([0, 1, 2, 5, 15, 30, 45, 63]),
    "close": lambda draw: draw.randrange(12, 20),
}


def rates(quantizers, refresh, count=FRAMES):
    draw = random.Random(5)
    return [ConstantQuantizer(quantizer=quantizers(draw), cyclic_refresh=refresh(index)) for index in range(count)]


@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("refresh", REFRESH.values(), ids=REFRESH)
@pytest.mark.parametrize("quantizers", QUANTIZERS.values(), ids=QUANTIZERS)
def test_the_quantizer_ordered_is_the_one_used_and_the_stream_decodes(quantizers, refresh, layers):
    ordered = rates(quantizers, refresh)
    with (
        open_encoder(Codec.AV1, SIZE, EncoderOptions(temporal_layers=layers)) as encoder,
        open_decoder(Codec.AV1) as decoder,
    ):
        for index, (picture, rate) in enumerate(zip(moving_pictures(FRAMES), ordered, strict=True)):
            layer = index % layers
            order = delta_order(update=set() if layer else {0}, rate=rate, layer=layer)
            encoded = encoder.encode(picture, order if index % 20 else key_order(rate=rate))
            assert encoded.quantizer == rate.quantizer
            assert encoded.is_key is (index % 20 == 0)
            assert decoder.decode(encoded.payload) is not None


@pytest.mark.parametrize("refresh", REFRESH.values(), ids=REFRESH)
def test_it_is_used_across_changes_of_the_coded_size_and_after_encoding_again_into_a_spare_slot(refresh):
    ordered = rates(QUANTIZERS["close"], refresh)
    full, half = FrameSize(640, 384), FrameSize(320, 192)
    last, spare = 0, 1
    with open_encoder(Codec.AV1, full) as encoder, open_decoder(Codec.AV1) as decoder:
        for index, (picture, rate) in enumerate(zip(moving_pictures(FRAMES, full), ordered, strict=True)):
            size = half if 10 <= index < 20 else full
            attempts = [rate, ConstantQuantizer(quantizer=rate.quantizer + 6, cyclic_refresh=rate.cyclic_refresh)]
            for attempt in attempts[: 1 + index % 2]:
                order = delta_order(last, update={spare}, rate=attempt, size=size)
                encoded = encoder.encode(picture, order if index else key_order(rate=attempt, size=full))
                assert encoded.quantizer == attempt.quantizer
            decoded = decoder.decode(encoded.payload)
            assert decoded is not None
            assert decoded.size == size
            last, spare = spare, last


def test_it_is_used_from_the_first_frame_after_native_rate_control():
    with open_encoder(Codec.AV1, SIZE) as encoder:
        for index, picture in enumerate(moving_pictures(20)):
            ours = ConstantQuantizer(quantizer=50, cyclic_refresh=True)
            rate = ours if index >= 10 else NativeCbr(target_bps=300_000)
            encoded = encoder.encode(picture, delta_order(rate=rate) if index else key_order(rate=rate))
            assert index < 10 or encoded.quantizer == 50


@pytest.mark.parametrize("milliseconds", [1, 33, 500, 10_000])
def test_how_long_frames_last_makes_no_difference(milliseconds: int):
    """Idle libaom would save bits up, and spend them on a finer quantizer."""
    rate = ConstantQuantizer(quantizer=45, cyclic_refresh=True)

    def stream(duration_us: int) -> list[bytes]:
        with open_encoder(Codec.AV1, SIZE) as encoder:
            orders = [key_order(rate=rate)] + [delta_order(rate=rate)] * 9
            return [
                encoder.encode(picture, _lasting(order, duration_us)).payload
                for picture, order in zip(moving_pictures(10), orders, strict=True)
            ]

    assert stream(milliseconds * 1_000) == stream(33_333)


@pytest.mark.parametrize("refresh", REFRESH.values(), ids=REFRESH)
def test_the_same_orders_make_the_same_bytes(refresh):
    def stream() -> list[bytes]:
        with open_encoder(Codec.AV1, SIZE) as encoder:
            return [
                encoder.encode(picture, delta_order(rate=rate) if index else key_order(rate=rate)).payload
                for index, (picture, rate) in enumerate(
                    zip(moving_pictures(12), rates(QUANTIZERS["close"], refresh, 12), strict=True)
                )
            ]

    assert stream() == stream()


def test_refresh_makes_a_resting_picture_finer_at_the_same_quantizer():
    assert _after_a_second_of_rest(refresh=True) > _after_a_second_of_rest(refresh=False) + 0.5


def test_h264_takes_no_notice_of_refresh():
    def stream(*, refresh: bool) -> list[bytes]:
        rate = ConstantQuantizer(quantizer=30, cyclic_refresh=refresh)
        with open_encoder(Codec.H264, SIZE) as encoder:
            return [
                encoder.encode(
                    picture, delta_order(rate=rate, speed=2) if index else key_order(rate=rate, speed=2)
                ).payload
                for index, picture in enumerate(moving_pictures(5))
            ]

    assert stream(refresh=True) == stream(refresh=False)


def _lasting(order, duration_us):
    return order._replace(duration_us=duration_us)


def _after_a_second_of_rest(*, refresh: bool) -> float:
    """Luma PSNR of the last of 30 equal pictures."""
    picture = moving_pictures(1)[0]
    shown = None
    rate = ConstantQuantizer(quantizer=50, cyclic_refresh=refresh)
    with open_encoder(Codec.AV1, SIZE) as encoder, open_decoder(Codec.AV1) as decoder:
        for index in range(30):
            order = delta_order(rate=rate) if index else key_order(rate=rate)
            shown = decoder.decode(encoder.encode(picture, order).payload)
    assert shown is not None
    return psnr_y(shown, picture)
