import itertools

import pytest

from clips.frames import planes, solid_frame
from rtc.codecs.encoder_values import EncoderOptions
from rtc.codecs.interface import open_decoder, open_encoder
from rtc.codecs.openh264_binding.loader import ffi
from rtc.values.encoding import ConstantQuantizer, NativeCbr
from rtc.values.errors import LocalMisuse
from rtc.values.formats import Codec, FrameSize
from rtc.values.frames import VideoFrame
from tests.support.codec_orders import SIZE, delta_order, key_order, moving_pictures, noise_pictures, psnr_y

SEQUENCE_PARAMETER_SET, PICTURE_PARAMETER_SET, IDR_SLICE, SLICE = 7, 8, 5, 1
HALF = FrameSize(160, 96)


def nal_types(payload: bytes) -> list[int]:
    return [unit[0] & 0x1F for unit in payload.split(b"\0\0\0\1")[1:]]


def test_the_declared_structures_have_the_sizes_of_release_2_6():
    if ffi.sizeof("long") != 8:
        pytest.skip("sizes are those of 64-bit Unix")
    sizes = {
        name: ffi.sizeof(name) for name in ("SEncParamExt", "SFrameBSInfo", "SSourcePicture", "SEncoderStatistics")
    }
    assert sizes == {"SEncParamExt": 924, "SFrameBSInfo": 7192, "SSourcePicture": 80, "SEncoderStatistics": 88}


def test_parameter_sets_come_with_each_key_frame_and_only_there():
    with open_encoder(Codec.H264, SIZE) as encoder:
        for index, picture in enumerate(moving_pictures(6)):
            is_key = index in {0, 4}
            encoded = encoder.encode(picture, key_order(speed=2) if is_key else delta_order(speed=2))
            expected = [SEQUENCE_PARAMETER_SET, PICTURE_PARAMETER_SET, IDR_SLICE] if is_key else [SLICE]
            assert encoded.is_key is is_key
            assert nal_types(encoded.payload) == expected


def test_the_quantizer_changes_from_frame_to_frame_without_a_key_frame():
    with open_encoder(Codec.H264, SIZE) as encoder, open_decoder(Codec.H264) as decoder:
        for index, (picture, quantizer) in enumerate(
            zip(moving_pictures(8), (30, 12, 45, 13, 51, 0, 33, 33), strict=True)
        ):
            rate = ConstantQuantizer(quantizer=quantizer)
            encoded = encoder.encode(
                picture, delta_order(rate=rate, speed=2) if index else key_order(rate=rate, speed=2)
            )
            assert encoded.quantizer == quantizer
            assert encoded.is_key is (index == 0)
            assert decoder.decode(encoded.payload) is not None


def test_coarser_quantizers_make_smaller_frames():
    sizes = []
    for quantizer in range(10, 51, 8):
        with open_encoder(Codec.H264, SIZE) as encoder:
            order = key_order(rate=ConstantQuantizer(quantizer=quantizer), speed=2)
            sizes.append(len(encoder.encode(moving_pictures(1)[0], order).payload))
    assert all(finer > coarser for finer, coarser in itertools.pairwise(sizes))


def test_two_layers_alternate_and_the_base_alone_is_bit_exact():
    with (
        open_encoder(Codec.H264, SIZE, EncoderOptions(temporal_layers=2)) as encoder,
        open_decoder(Codec.H264) as everything,
        open_decoder(Codec.H264) as base_only,
    ):
        for index, picture in enumerate(moving_pictures(16)):
            layer = index % 2
            rate = ConstantQuantizer(quantizer=24 + index)
            order = delta_order(update=set() if layer else {0}, layer=layer, rate=rate, speed=2)
            encoded = encoder.encode(picture, order if index else key_order(rate=rate, speed=2))
            assert encoded.quantizer == 24 + index
            whole = everything.decode(encoded.payload)
            assert whole is not None
            if layer == 0:
                seen = base_only.decode(encoded.payload)
                assert seen is not None
                assert seen.data == whole.data


def test_the_layer_that_is_not_due_is_refused():
    with open_encoder(Codec.H264, SIZE, EncoderOptions(temporal_layers=2)) as encoder:
        pictures = moving_pictures(2)
        encoder.encode(pictures[0], key_order(speed=2))
        with pytest.raises(LocalMisuse, match="the next is layer 1"):
            encoder.encode(pictures[1], delta_order(speed=2))


def test_another_coded_size_takes_a_key_frame():
    with open_encoder(Codec.H264, SIZE) as encoder, open_decoder(Codec.H264) as decoder:
        pictures = moving_pictures(6)
        decoder.decode(encoder.encode(pictures[0], key_order(speed=2)).payload)
        with pytest.raises(LocalMisuse, match="key frame"):
            encoder.encode(pictures[1], delta_order(size=HALF, speed=2))
        for picture, order in zip(
            pictures[1:],
            (
                key_order(size=HALF, speed=2),
                delta_order(size=HALF, speed=2),
                key_order(speed=2),
                delta_order(speed=2),
            ),
            strict=False,
        ):
            encoded = encoder.encode(picture, order)
            decoded = decoder.decode(encoded.payload)
            assert decoded is not None
            assert decoded.size == order.coded_size
            assert encoded.is_key is (not order.references)


def test_native_rate_control_follows_its_target_and_skips_nothing():
    pictures = moving_pictures(60)
    with open_encoder(Codec.H264, SIZE) as encoder:
        rates = []
        for target_bps in (60_000, 150_000):
            rate = NativeCbr(target_bps=target_bps)
            lengths = [
                len(
                    encoder.encode(
                        picture,
                        key_order(rate=rate, speed=2) if not index and not rates else delta_order(rate=rate, speed=2),
                    ).payload
                )
                for index, picture in enumerate(pictures)
            ]
            assert all(lengths)
            rates.append(sum(lengths[20:]) * 8 * 30 / 40)
    assert rates[1] > 1.5 * rates[0]


def test_rate_control_is_native_or_by_quantizer_for_a_whole_stream():
    with open_encoder(Codec.H264, SIZE) as encoder:
        pictures = moving_pictures(2)
        encoder.encode(pictures[0], key_order(rate=NativeCbr(target_bps=200_000), speed=2))
        with pytest.raises(LocalMisuse, match="do not mix"):
            encoder.encode(pictures[1], delta_order(speed=2))


@pytest.mark.parametrize("rate", [NativeCbr(target_bps=20_000_000), ConstantQuantizer(quantizer=0)])
def test_pure_noise_fits_at_a_coarser_quantizer(rate):
    with open_encoder(Codec.H264, SIZE) as encoder, open_decoder(Codec.H264) as decoder:
        for index, picture in enumerate(noise_pictures(4)):
            encoded = encoder.encode(picture, (delta_order if index else key_order)(rate=rate, speed=2))
            assert encoded.is_key is (index == 0)
            assert encoded.quantizer > 12
            decoded = decoder.decode(encoded.payload)
            assert decoded is not None
            assert psnr_y(decoded, picture) > 15


def test_noise_in_the_middle_becomes_a_key_frame_and_the_next_one_ordered_may_be_fine_again():
    calm, noise, rate = moving_pictures(4), noise_pictures(1)[0], ConstantQuantizer(quantizer=4)
    key, delta = key_order(rate=rate, speed=2), delta_order(rate=rate, speed=2)
    with open_encoder(Codec.H264, SIZE) as encoder, open_decoder(Codec.H264) as decoder:
        made = []
        for picture, order in ((calm[0], key), (noise, delta), (calm[1], delta), (calm[2], key), (calm[3], delta)):
            encoded = encoder.encode(picture, order)
            assert decoder.decode(encoded.payload) is not None
            made.append((encoded.is_key, encoded.quantizer))
    coarse = made[1][1]
    assert coarse > 4
    assert made == [(True, 4), (True, coarse), (False, coarse), (True, 4), (False, 4)]


def test_noise_of_two_levels_fits_too():
    levels = noise_pictures(1)[0]
    extreme = VideoFrame(size=SIZE, data=memoryview(bytes(255 * (sample & 1) for sample in levels.data)))
    with open_encoder(Codec.H264, SIZE) as encoder, open_decoder(Codec.H264) as decoder:
        encoded = encoder.encode(extreme, key_order(rate=ConstantQuantizer(quantizer=0), speed=2))
        assert decoder.decode(encoded.payload) is not None


def test_a_coded_size_smaller_than_the_picture_outlives_noise():
    with open_encoder(Codec.H264, SIZE) as encoder, open_decoder(Codec.H264) as decoder:
        rate = ConstantQuantizer(quantizer=0)
        encoder.encode(moving_pictures(1)[0], key_order(size=HALF, rate=rate, speed=2))
        decoded = decoder.decode(
            encoder.encode(noise_pictures(1)[0], delta_order(size=HALF, rate=rate, speed=2)).payload
        )
        assert decoded is not None
        assert decoded.size == HALF


def test_two_layers_start_again_with_the_base_after_noise():
    with open_encoder(Codec.H264, SIZE, EncoderOptions(temporal_layers=2)) as encoder:
        fine, calm = ConstantQuantizer(quantizer=4), moving_pictures(3)
        encoder.encode(calm[0], key_order(rate=fine, speed=2))
        enhancement = delta_order(update=set(), layer=1, rate=fine, speed=2)
        encoded = encoder.encode(noise_pictures(1)[0], enhancement)
        assert encoded.is_key
        assert encoder.encode(calm[1], enhancement).quantizer == encoded.quantizer
        assert encoder.encode(calm[2], delta_order(rate=fine, speed=2)).quantizer == encoded.quantizer


def test_the_same_orders_make_the_same_bytes_and_pictures_come_back_close():
    def stream() -> list[bytes]:
        with open_encoder(Codec.H264, SIZE) as encoder:
            return [
                encoder.encode(picture, delta_order(speed=index % 3) if index else key_order(speed=2)).payload
                for index, picture in enumerate(moving_pictures(8))
            ]

    first = stream()
    assert first == stream()
    with open_decoder(Codec.H264) as decoder:
        for picture, payload in zip(moving_pictures(8), first, strict=True):
            decoded = decoder.decode(payload)
            assert decoded is not None
            assert psnr_y(decoded, picture) > 34


def test_a_resting_picture_is_refined_step_by_step_and_not_all_at_once():
    picture = moving_pictures(1)[0]
    bits = []
    with open_encoder(Codec.H264, SIZE) as encoder:
        for quantizer in range(40, 27, -1):
            rate = ConstantQuantizer(quantizer=quantizer)
            order = delta_order(rate=rate, speed=2) if bits else key_order(rate=rate, speed=2)
            bits.append(len(encoder.encode(picture, order).payload) * 8)
    assert max(bits[1:]) < sum(bits[1:]) / 3


def test_a_picture_coded_at_a_size_of_another_shape_fills_it_without_black_bars():
    size = FrameSize(360, 640)
    bright = solid_frame(size, y=200)
    with open_encoder(Codec.H264, size) as encoder, open_decoder(Codec.H264) as decoder:
        for coded in (FrameSize(120, 214), FrameSize(214, 214), size):
            shown = decoder.decode(encoder.encode(bright, key_order(size=coded, speed=2)).payload)
            assert shown.size == coded
            assert planes(shown).y.min() > 190
