import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratecontrol.cbr import QUANTIZERS
from ratecontrol.key_frame_model import SLOPES, KeyFrameModel
from rtc.values.formats import Codec

PIXELS = 640 * 360
codecs = st.sampled_from(list(Codec))
sizes_bits = st.integers(0, 80_000_000)
pixels = st.integers(256, 8192 * 8192)
quantizers = st.integers(4, 63)
key_frames = st.lists(st.tuples(quantizers, sizes_bits, pixels), max_size=20)


def taught(codec, frames):
    model = KeyFrameModel(codec)
    for quantizer, bits, size in frames:
        model.learn(quantizer, bits, size)
    return model


@pytest.mark.parametrize("codec", Codec)
def test_the_first_guess_lies_in_the_codecs_range_for_a_tenth_of_a_second_of_a_call(codec):
    finest, coarsest = QUANTIZERS[codec]
    assert finest < KeyFrameModel(codec).quantizer_for(20_000, PIXELS) <= coarsest


@given(codecs, key_frames, sizes_bits, sizes_bits, pixels)
def test_more_bits_never_make_it_coarser(codec, frames, one, other, size):
    model = taught(codec, frames)
    assert model.quantizer_for(max(one, other), size) <= model.quantizer_for(min(one, other), size)


@given(codecs, key_frames, sizes_bits, pixels, pixels)
def test_more_pixels_never_make_it_finer(codec, frames, bits, one, other):
    model = taught(codec, frames)
    assert model.quantizer_for(bits, max(one, other)) >= model.quantizer_for(bits, min(one, other))


@given(codecs, key_frames, quantizers, st.integers(64, 80_000_000), pixels)
def test_the_last_key_frame_would_be_made_at_its_own_quantizer_again(codec, frames, quantizer, bits, size):
    model = taught(codec, [*frames, (quantizer, bits, size)])
    assert model.quantizer_for(bits, size) in {quantizer, quantizer + 1}


@given(codecs, st.floats(0.04, 0.15), st.integers(20, 50))
def test_two_encodes_of_one_picture_give_the_quantizer_for_a_third(codec, slope, wanted):
    def bits(quantizer):
        return round(30_000 * math.exp(slope * (45 - quantizer)))

    model = taught(codec, [(quantizer, bits(quantizer), PIXELS) for quantizer in (51, 45)])
    assert model.quantizer_for(bits(wanted), PIXELS) == pytest.approx(wanted, abs=1)


def test_another_picture_does_not_bend_the_slope():
    model, other = KeyFrameModel(Codec.AV1), KeyFrameModel(Codec.AV1)
    model.learn(50, 5_000, PIXELS)
    model.next_picture()
    model.learn(40, 400_000, PIXELS)
    other.learn(40, 400_000, PIXELS)
    assert model.quantizer_for(20_000, PIXELS) == other.quantizer_for(20_000, PIXELS)


@given(codecs, key_frames, pixels)
def test_no_key_frames_make_the_slope_absurd(codec, frames, size):
    model = taught(codec, frames)
    steps = model.quantizer_for(10_000, size) - model.quantizer_for(100_000, size)
    assert math.log(10) / SLOPES[1] - 1 <= steps <= math.log(10) / SLOPES[0] + 1


@given(codecs, key_frames, sizes_bits, pixels)
def test_the_same_key_frames_always_teach_the_same(codec, frames, bits, size):
    assert taught(codec, frames).quantizer_for(bits, size) == taught(codec, frames).quantizer_for(bits, size)


@given(codecs, key_frames, st.integers(0, 51), st.integers(0, 51))
def test_a_coarser_quantizer_never_makes_a_key_frame_larger(codec, frames, one, other):
    model = taught(codec, frames)
    assert model.bits_at(max(one, other), PIXELS) <= model.bits_at(min(one, other), PIXELS)
    assert model.coarser(20_000, max(one, other)) <= model.coarser(20_000, min(one, other)) <= 20_000


@given(codecs, quantizers, st.integers(1_000, 80_000_000))
def test_what_a_key_frame_came_to_is_what_it_should_come_to_at_its_quantizer(codec, quantizer, bits):
    model = taught(codec, [(quantizer, bits, PIXELS)])
    assert model.bits_at(quantizer, PIXELS) == pytest.approx(bits, rel=1e-3)
    assert model.coarser(bits, 0) == bits
