"""The model of delta frames' bits against a codec that is a formula, and against nonsense."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratecontrol.rate_model import MIN_BITS, FrameFacts, RateModel, log_bits
from rtc.values.formats import Codec
from tests.support.synthetic_codec import SyntheticCodec, SyntheticContent

PLAIN = FrameFacts(difference=512)
codecs = st.sampled_from(list(Codec))
facts = st.builds(FrameFacts, difference=st.integers(0, 65_535), is_refresh=st.booleans(), is_resized=st.booleans())
histories = st.lists(st.tuples(st.integers(4, 63), st.integers(0, 80_000_000), facts), max_size=60)


def started(codec=Codec.AV1, quantizer=40, bits=3_000):
    model = RateModel(codec)
    model.start(quantizer, log_bits(bits))
    return model


def taught(history, codec=Codec.AV1):
    model = started(codec)
    for quantizer, bits, known in history:
        model.learn(quantizer, bits, known)
    return model


class Lesson:
    """A model beside a synthetic codec whose quantizer wanders, as it does in a call."""

    def __init__(self, codec=Codec.AV1, **content):
        self.codec = SyntheticCodec(codec, SyntheticContent(**content), seed=3)
        self.model = started(codec, 44)
        self.quantizers = itertools.cycle([44, 46, 49, 47, 50, 45, 48, 52, 46, 43])

    def errors(self, frames):
        return [self._error() for _ in range(frames)]

    def _error(self):
        quantizer = next(self.quantizers)
        known = FrameFacts(difference=self.codec.next_picture().difference)
        expected = self.model.predicted_log(quantizer, known)
        size = math.exp(
            self.codec.log_bits(quantizer, known) + self.codec.content.noise * self.codec._random.gauss(0, 1)
        )
        self.model.learn(quantizer, round(size), known)
        self.codec.send(quantizer)
        return log_bits(round(size)) - expected


def root_mean_square(errors):
    return math.sqrt(sum(error * error for error in errors) / len(errors))


def test_it_starts_with_the_first_key_frame():
    model = RateModel(Codec.AV1)
    assert not model.is_started
    model.start(40, log_bits(3_000))
    assert model.is_started


@given(codecs, st.integers(4, 63), st.integers(0, 1_000_000), st.integers(0, 65_535))
def test_until_a_frame_was_seen_the_guess_of_the_key_frame_holds_whatever_differs(codec, quantizer, bits, difference):
    model = started(codec, quantizer, bits)
    assert model.predicted_log(quantizer, FrameFacts(difference=difference)) == pytest.approx(log_bits(bits))


def test_a_later_key_frame_does_not_unlearn_what_delta_frames_cost():
    lesson = Lesson(noise=0.05)
    lesson.errors(60)
    before = lesson.model.predicted_log(46, PLAIN)
    lesson.model.start(46, log_bits(200_000))
    assert lesson.model.predicted_log(46, PLAIN) == pytest.approx(before, abs=0.3)


@given(codecs, histories, facts, st.integers(4, 62))
def test_coarser_is_always_cheaper_by_more_than_nothing_and_less_than_codecs_can(codec, history, known, quantizer):
    model = taught(history, codec)
    step = model.predicted_log(quantizer, known) - model.predicted_log(quantizer + 1, known)
    assert 0.02 < step < 2


@given(codecs, histories, st.integers(4, 63), facts, st.integers(0, 10_000))
def test_more_change_is_never_expected_to_cost_less(codec, history, quantizer, known, more):
    model = taught(history, codec)
    greater = FrameFacts(difference=known.difference + more, is_refresh=known.is_refresh, is_resized=known.is_resized)
    assert model.predicted_log(quantizer, greater) >= model.predicted_log(quantizer, known)


@given(histories, facts, st.floats(4, 18))
def test_the_quantizer_for_a_size_is_the_one_whose_frame_is_expected_to_have_it(history, known, log_target):
    model = taught(history)
    below = math.floor(model.quantizer_for(log_target, known))
    assert model.predicted_log(below, known) >= log_target - 1e-6
    assert model.predicted_log(below + 1, known) <= log_target + 1e-6


@given(codecs, histories, facts)
def test_nothing_that_frames_do_makes_its_figures_absurd(codec, history, known):
    model = taught(history, codec)
    assert -30 < model.predicted_log(30, known) < 60
    assert 0 <= model.deviation < 1


@given(codecs, histories, facts)
def test_the_same_frames_always_teach_the_same(codec, history, known):
    assert taught(history, codec).predicted_log(33, known) == taught(history, codec).predicted_log(33, known)


@pytest.mark.parametrize("codec", Codec)
@pytest.mark.parametrize("slope", [0.1, 0.15, 0.2])
@pytest.mark.parametrize("memory", [0.02, 0.06])
def test_the_error_of_prediction_falls_to_little_more_than_the_noise(codec, slope, memory):
    lesson = Lesson(codec, slope=slope, memory=memory, exponent=0.9, motion=0.5, bits=6_000)
    at_first = root_mean_square(lesson.errors(10))
    lesson.errors(150)
    later = root_mean_square(lesson.errors(100))
    assert later < at_first
    assert later < 0.16
    assert lesson.model.deviation == pytest.approx(later, rel=0.5)


@pytest.mark.parametrize("slope", [0.1, 0.15, 0.22])
def test_the_slope_of_the_codec_is_found(slope):
    lesson = Lesson(slope=slope, memory=0.0, noise=0.05)
    lesson.errors(300)
    found = lesson.model.predicted_log(45, PLAIN) - lesson.model.predicted_log(46, PLAIN)
    assert found == pytest.approx(slope, abs=0.04)


def test_one_odd_frame_is_soon_forgotten():
    lesson = Lesson(noise=0.05)
    lesson.errors(100)
    usual = root_mean_square(lesson.errors(30))
    lesson.model.learn(46, 200_000, PLAIN)
    lesson.errors(10)
    assert root_mean_square(lesson.errors(30)) < 2 * usual + 0.05


@pytest.mark.parametrize("factor", [0.1, 10])
def test_a_scene_cut_to_other_content_is_followed_within_a_second(factor):
    lesson = Lesson(noise=0.05)
    lesson.errors(100)
    usual = root_mean_square(lesson.errors(30))
    content = lesson.codec.content
    lesson.codec.content = SyntheticContent(bits=round(content.bits * factor), noise=content.noise)
    lesson.errors(30)
    assert root_mean_square(lesson.errors(30)) < 2 * usual + 0.05


def test_a_change_of_size_moves_what_is_expected_by_just_as_much():
    lesson = Lesson()
    lesson.errors(20)
    before = lesson.model.predicted_log(45, PLAIN)
    lesson.model.rescale(-1.1)
    assert lesson.model.predicted_log(45, PLAIN) == pytest.approx(before - 1.1)


def test_a_change_of_size_before_the_first_delta_frame_moves_the_guess_and_what_resizing_costs_is_no_part_of_it():
    model = started(quantizer=40, bits=3_000)
    model.rescale(-1.1)
    resized = FrameFacts(difference=512, is_resized=True)
    model.learn(40, 5_000, resized)
    assert model.predicted_log(40, PLAIN) == pytest.approx(log_bits(3_000) - 1.1)

    other = started(quantizer=40, bits=3_000)
    assert other.predicted_log(40, resized) > other.predicted_log(40, PLAIN)
    assert other.predicted_log(40, PLAIN) == pytest.approx(log_bits(3_000))


def test_the_first_frame_at_another_size_is_expected_to_cost_more_and_teaches_nothing():
    lesson = Lesson()
    lesson.errors(20)
    model, resized = lesson.model, FrameFacts(difference=512, is_resized=True)
    plain = model.predicted_log(45, PLAIN)
    assert model.predicted_log(45, resized) > plain
    model.learn(45, 10_000_000, resized)
    assert model.predicted_log(45, PLAIN) == pytest.approx(plain, abs=0.5)


def test_what_refresh_costs_is_learned_apart():
    model, refreshing = started(), FrameFacts(difference=512, is_refresh=True)
    for _ in range(100):
        model.learn(40, 3_000, PLAIN)
        model.learn(40, 4_500, refreshing)
    assert model.predicted_log(40, PLAIN) == pytest.approx(log_bits(3_000), abs=0.15)
    assert model.predicted_log(40, refreshing) == pytest.approx(log_bits(4_500), abs=0.15)


def test_logarithms_stop_at_the_size_of_a_frames_own_headers():
    assert log_bits(0) == log_bits(MIN_BITS) == round(math.log(MIN_BITS), 6)
    assert math.isfinite(FrameFacts(difference=0).log_difference)


def step_below_the_finest(model):
    """What one step finer than anything of late is expected to cost, in log(bits)."""
    finest = math.ceil(model.finest_of_late)
    return model.predicted_log(finest - 1, PLAIN) - model.predicted_log(finest, PLAIN)


def test_an_encode_too_large_to_be_sent_teaches_what_steps_below_the_finest_quantizer_cost():
    model = taught([(40, 3_000, PLAIN)] * 10)
    before = step_below_the_finest(model)
    for _ in range(5):
        model.learn_novelty((38, 12_000), (40, 3_000))
    assert step_below_the_finest(model) > before + 0.2
    for _ in range(20):
        model.learn_novelty((38, 3_000), (40, 3_000))
    assert step_below_the_finest(model) == pytest.approx(before, abs=0.05)


@given(histories, st.integers(40, 62), st.integers(0, 80_000_000), st.integers(0, 80_000_000))
def test_two_encodes_no_finer_than_the_finest_of_late_teach_nothing_of_it(history, quantizer, one, other):
    model = taught([*history, (40, 3_000, PLAIN)])
    before = step_below_the_finest(model)
    model.learn_novelty((quantizer, one), (quantizer + 1, other))
    if model.finest_of_late <= quantizer:
        assert step_below_the_finest(model) == before
