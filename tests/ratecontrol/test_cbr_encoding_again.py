"""How often a picture is encoded, when, and which encode of it is sent."""

import itertools

import pytest
from hypothesis import given, settings

from ratecontrol.candidates import MOST_ENCODES, MOST_SPARE, SPARE_PERCENT
from ratecontrol.cbr import QUANTIZERS, CbrController
from ratecontrol.frame_class import FrameClass
from ratecontrol.key_frame_planner import MOST_KEY_ENCODES
from rtc.values.formats import Codec
from tests.ratecontrol.closed_loop_figures import FPS, delays_ms, mean
from tests.ratecontrol.driven_controller import INTERVAL_US, PLAIN, codecs, driven, films, starts
from tests.support.synthetic_codec import P360, ClosedLoop, SyntheticContent


def most_encodes(codec, plan):
    if plan.frame_class is FrameClass.KEY:
        return MOST_KEY_ENCODES
    return MOST_ENCODES if codec is Codec.AV1 else 1


def of_one_class(attempts):
    """The encodes of a picture, a delta frame's apart from those of the key frame in its place."""
    return [list(series) for _, series in itertools.groupby(attempts, key=lambda attempt: attempt[0].frame_class)]


@settings(max_examples=60)
@given(codecs, starts, films)
def test_encodes_are_counted_differ_in_quantizer_and_end(codec, start, film):
    for attempts, _delay_us in driven(codec, start, film):
        assert [plan.attempt for plan, _bits in attempts] == list(range(len(attempts)))
        assert all(plan.attempt < most_encodes(codec, plan) for plan, _bits in attempts)
        for series in of_one_class(attempts):
            quantizers = [plan.quantizer for plan, _bits in series]
            assert all(one != other for one, other in itertools.pairwise(quantizers))
            assert len({(plan.frame_class, plan.budget, plan.facts, plan.pixels) for plan, _bits in series}) == 1


@settings(max_examples=60)
@given(codecs, starts, films)
def test_a_frame_over_its_limit_is_encoded_again_and_coarser_while_that_can_be_and_none_has_fitted(codec, start, film):
    coarsest = QUANTIZERS[codec][1]
    every_series = [series for attempts, _delay_us in driven(codec, start, film) for series in of_one_class(attempts)]
    for series in every_series:
        plans = [plan for plan, _bits in series]
        fitted = False
        for (plan, bits), following in itertools.zip_longest(series, plans[1:]):
            fitted = fitted or (bits <= plan.budget.limit_bits and plan.frame_class is not FrameClass.KEY)
            if fitted:
                assert following is None or bits <= plan.budget.limit_bits
            elif bits > plan.budget.limit_bits and plan.quantizer < coarsest:
                assert (following is not None) == (plan.attempt + 1 < most_encodes(codec, plan))
                assert following is None or following.quantizer > plan.quantizer


def test_a_second_encode_that_only_sought_better_use_and_broke_the_limit_leaves_the_first_to_be_sent():
    controller = CbrController(Codec.AV1, 100_000, INTERVAL_US, candidates=2)
    controller.commit(controller.plan(0, is_key=True, size=P360, change=PLAIN), 5_000)
    first = controller.plan(INTERVAL_US, is_key=False, size=P360, change=PLAIN)
    second = controller.review(first, first.budget.target_bits // 2)
    assert second.quantizer < first.quantizer
    too_many = second.budget.limit_bits + 1
    assert controller.review(second, too_many) is None
    assert controller.choose([(first, first.budget.target_bits // 2), (second, too_many)]) == 0


def test_where_the_encoder_is_too_slow_frames_share_the_target_and_none_is_made_again_for_a_little():
    controller = CbrController(Codec.AV1, 150_000, INTERVAL_US)
    controller.commit(controller.plan(0, is_key=True, size=P360, change=PLAIN), 10_000)
    for index in range(1, 40):
        plan = controller.plan(3 * index * INTERVAL_US, is_key=False, size=P360, change=PLAIN)
        controller.commit(plan, plan.budget.target_bits)
    assert plan.budget.target_bits == pytest.approx(150_000 * 3 * INTERVAL_US / 1_000_000, rel=0.1)
    plan = controller.plan(120 * INTERVAL_US, is_key=False, size=P360, change=PLAIN)
    assert controller.review(plan, plan.budget.limit_bits + 1_000) is None
    assert controller.review(plan, 3 * plan.budget.limit_bits).quantizer > plan.quantizer


@settings(max_examples=60)
@given(starts, films)
def test_delta_frames_of_h264_are_never_made_again_but_as_key_frames(start, film):
    for attempts, _delay_us in driven(Codec.H264, start, film):
        assert all(plan.frame_class is FrameClass.KEY for plan, _bits in attempts[1:])
        assert not any(plan.cyclic_refresh for plan, _bits in attempts)


@pytest.mark.parametrize("fps", FPS)
def test_encoding_again_stays_rare_on_steady_content(fps):
    run = ClosedLoop(Codec.AV1, 100_000, fps, SyntheticContent()).run(30 * fps)
    assert mean(one.encodes for one in run) <= 1.15


def test_two_candidates_are_two_encodes_a_picture_and_no_worse_delay():
    one, two = (ClosedLoop(Codec.AV1, 100_000, 30, SyntheticContent(), candidates=n).run(600) for n in (1, 2))
    assert mean(picture.encodes for picture in two) >= 1.9
    assert delays_ms(two, 95) <= delays_ms(one, 95) + 3


def test_frames_that_leave_the_bucket_empty_cost_a_few_encodes_in_a_hundred_and_no_more():
    controller = CbrController(Codec.AV1, 100_000, INTERVAL_US)
    pictures, again = 600, 0
    for index in range(pictures):
        plan = controller.plan(index * INTERVAL_US, is_key=False, size=P360, change=PLAIN)
        following = controller.review(plan, 200)
        if plan.frame_class is not FrameClass.KEY and following is not None:
            assert following.quantizer < plan.quantizer
            assert controller.review(following, 200) is None
            again += 1
        controller.commit(plan, 200)
    assert again * 100 <= 100 * MOST_SPARE + pictures * SPARE_PERCENT
