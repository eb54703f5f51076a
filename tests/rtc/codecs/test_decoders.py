import random

import pytest

from rtc.codecs.interface import open_decoder, open_encoder
from rtc.values.errors import LocalMisuse
from rtc.values.formats import Codec, FrameSize
from tests.support.codec_orders import SIZE, delta_order, key_order, moving_pictures

SPEED = {Codec.AV1: 10, Codec.H264: 2}


def stream(codec: Codec, count: int, size: FrameSize = SIZE) -> list[bytes]:
    key, delta = key_order(speed=SPEED[codec], size=size), delta_order(speed=SPEED[codec], size=size)
    with open_encoder(codec, size) as encoder:
        pictures = moving_pictures(count, size)
        return [encoder.encode(picture, delta if index else key).payload for index, picture in enumerate(pictures)]


@pytest.mark.parametrize("codec", list(Codec))
def test_garbage_is_refused_quietly_and_decoding_goes_on(codec: Codec, capfd: pytest.CaptureFixture[str]):
    draw = random.Random(1)
    frames = stream(codec, 6)
    with open_decoder(codec) as decoder:
        assert decoder.decode(frames[0]) is not None
        for length in (0, 1, 7, 100, 2000):
            assert decoder.decode(draw.randbytes(length)) is None
        for frame in frames[1:]:
            assert decoder.decode(frame) is not None
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("codec", list(Codec))
def test_a_truncated_frame_is_refused_rather_than_painted_over(codec: Codec):
    frames = stream(codec, 3)
    with open_decoder(codec) as decoder:
        assert decoder.decode(frames[0]) is not None
        assert decoder.decode(frames[1][: len(frames[1]) // 2]) is None


@pytest.mark.parametrize("codec", list(Codec))
def test_damaged_frames_never_raise(codec: Codec):
    draw = random.Random(2)
    frames = stream(codec, 12)
    with open_decoder(codec) as decoder:
        for frame in frames:
            damaged = bytearray(frame)
            for _ in range(3):
                damaged[draw.randrange(len(damaged))] = draw.randrange(256)
            decoder.decode(bytes(damaged))
        assert decoder.decode(frames[0]) is not None


@pytest.mark.parametrize("codec", list(Codec))
def test_a_stream_that_starts_in_the_middle_is_refused_until_its_key_frame(codec: Codec):
    frames = stream(codec, 4)
    with open_decoder(codec) as decoder:
        assert decoder.decode(frames[2]) is None
        assert decoder.decode(frames[0]) is not None


@pytest.mark.parametrize("codec", list(Codec))
@pytest.mark.parametrize("size", [FrameSize(16, 16), FrameSize(178, 98), FrameSize(322, 182)], ids=str)
def test_the_picture_is_contiguous_i420_of_its_own_size(codec: Codec, size: FrameSize):
    with open_decoder(codec) as decoder:
        for frame in stream(codec, 2, size):
            picture = decoder.decode(frame)
            assert picture is not None
            assert picture.size == size
            assert picture.data.nbytes == size.i420_bytes
            assert picture.data.c_contiguous


@pytest.mark.parametrize("codec", list(Codec))
def test_a_picture_outlives_later_frames_and_the_decoder(codec: Codec):
    frames = stream(codec, 5)
    with open_decoder(codec) as decoder:
        first = decoder.decode(frames[0])
        assert first is not None
        kept = bytes(first.data)
        for frame in frames[1:]:
            decoder.decode(frame)
    assert bytes(first.data) == kept


def test_a_closed_decoder_says_so():
    decoder = open_decoder(Codec.AV1)
    decoder.close()
    decoder.close()
    with pytest.raises(LocalMisuse, match="closed"):
        decoder.decode(b"x")
