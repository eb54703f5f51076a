import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratecontrol.candidates import (
    FINER_AT_MOST,
    Allowance,
    EncodeAgain,
    nearest_to_budget,
)
from ratecontrol.frame_class import FrameClass
from ratecontrol.frame_plan import FrameBudget, FramePlan
from ratecontrol.rate_model import FrameFacts

sizes_bits = st.integers(0, 80_000_000)
limits = st.integers(1, 15_000_000)


def planned(quantizer=40, target_bits=3_000, limit_bits=6_000, attempt=0):
    return FramePlan(
        frame_class=FrameClass.DELTA,
        quantizer=quantizer,
        budget=FrameBudget(target_bits=target_bits, limit_bits=limit_bits),
        attempt=attempt,
        facts=FrameFacts(difference=512),
        pixels=640 * 360,
    )


def made_again(again, first, second, slope):
    """One picture encoded at two quantizers by a codec of this slope."""
    for attempt, quantizer in enumerate((first, second)):
        again.on_encoded(planned(quantizer, attempt=attempt), round(20_000 * math.exp(slope * (40 - quantizer))))


@given(limits, st.integers(1, 80_000_000))
def test_a_frame_over_its_limit_is_made_coarser_the_more_the_larger_it_is(limit_bits, excess_bits):
    again, plan = EncodeAgain(), planned(limit_bits=limit_bits)
    quantizer = again.coarser(plan, limit_bits + excess_bits)
    assert quantizer > plan.quantizer
    assert again.coarser(plan, limit_bits + 2 * excess_bits) >= quantizer


@given(limits, sizes_bits)
def test_a_frame_far_under_its_budget_is_made_finer_by_a_few_steps_at_most(target_bits, bits):
    plan = planned(target_bits=target_bits)
    assert plan.quantizer - FINER_AT_MOST <= EncodeAgain().finer(plan, bits) < plan.quantizer


@given(limits, sizes_bits)
def test_a_second_candidate_lies_beside_the_first_towards_the_budget(target_bits, bits):
    plan = planned(target_bits=target_bits)
    step = EncodeAgain().beside(plan, bits) - plan.quantizer
    assert 1 <= abs(step) <= 3
    if bits > max(64, target_bits):
        assert step > 0
    if 64 <= bits < target_bits:
        assert step < 0


def test_two_encodes_of_one_picture_teach_how_far_to_step():
    steep, flat = EncodeAgain(), EncodeAgain()
    for _ in range(20):
        made_again(steep, 40, 44, slope=0.3)
        made_again(flat, 40, 44, slope=0.08)
    steps = [again.coarser(planned(), 10_000) - 40 for again in (steep, flat)]
    assert steps[0] == pytest.approx(math.log(10_000 / 6_000) / 0.3, abs=1.5)
    assert steps[1] == pytest.approx(math.log(10_000 / 6_000) / 0.08, abs=2.5)


def test_a_frame_far_over_its_limit_is_stepped_as_if_steps_did_little():
    steep = EncodeAgain()
    for _ in range(20):
        made_again(steep, 40, 44, slope=0.3)
    near, far = (steep.coarser(planned(), bits) - 40 for bits in (10_000, 60_000))
    assert far > 3 * near


def test_the_first_encodes_of_two_pictures_teach_nothing():
    again = EncodeAgain()
    before = again.coarser(planned(), 50_000)
    again.on_encoded(planned(40), 1_000_000)
    again.on_encoded(planned(44), 100)
    assert again.coarser(planned(), 50_000) == before


@given(st.lists(st.tuples(st.integers(4, 63), sizes_bits, st.integers(0, 2)), max_size=40))
def test_nothing_that_encodes_do_makes_the_step_absurd(encodes):
    again = EncodeAgain()
    for quantizer, bits, attempt in encodes:
        again.on_encoded(planned(quantizer, attempt=attempt), bits)
    assert 2 <= again.coarser(planned(), 10 * 6_000) - 40 <= 60


@given(st.lists(st.booleans(), max_size=2_000), st.integers(1, 20), st.integers(1, 9), st.integers(0, 9))
def test_what_is_allowed_stays_a_few_in_a_hundred(wanted, percent, most, at_first):
    allowance, taken = Allowance(percent=percent, most=most, at_first=min(at_first, most)), 0
    for wants in wanted:
        allowance.on_picture()
        taken += wants and allowance.take()
    assert taken * 100 <= 100 * most + len(wanted) * percent


def test_after_a_rest_some_may_be_taken_at_once_but_no_more():
    for most in (1, 6):
        allowance = Allowance(percent=2, most=most)
        for _ in range(10_000):
            allowance.on_picture()
        assert sum(allowance.take() for _ in range(10_000)) == most


attempts = st.lists(
    st.tuples(st.builds(planned, target_bits=limits, limit_bits=limits), sizes_bits), min_size=1, max_size=4
)


@given(attempts)
def test_of_several_encodes_the_nearest_to_its_budget_within_the_limit_is_sent_else_the_smallest(made):
    plan, bits = made[nearest_to_budget(made)]
    fitting = [(one, size) for one, size in made if size <= one.budget.limit_bits]
    if fitting:
        assert bits <= plan.budget.limit_bits
        off = abs(bits - plan.budget.target_bits)
        assert all(off <= abs(size - one.budget.target_bits) for one, size in fitting)
    else:
        assert bits == min(size for _one, size in made)


@given(st.builds(planned), sizes_bits)
def test_the_earlier_of_two_alike_is_sent(plan, bits):
    assert nearest_to_budget([(plan, bits), (plan._replace(attempt=1), bits)]) == 0


@given(st.integers(4, 50), st.integers(2, 13), st.integers(1, 10), st.integers(64, 6_000))
def test_after_one_encode_over_the_limit_and_one_within_it_the_next_lies_between_them(over, gap, times, bits):
    again = EncodeAgain()
    again.on_encoded(planned(over), 6_000 * times + 1)
    fitting = planned(over + gap, attempt=1)
    again.on_encoded(fitting, bits)
    assert over < again.between(fitting) < over + gap


def test_between_two_encodes_the_quantizer_is_the_one_that_a_straight_line_gives():
    again = EncodeAgain()
    again.on_encoded(planned(40, target_bits=3_000), 12_000)
    fitting = planned(50, target_bits=3_000, attempt=1)
    again.on_encoded(fitting, 750)
    assert again.between(fitting) == 45


@given(st.integers(4, 60), sizes_bits, st.integers(-3, 1), sizes_bits)
def test_where_no_quantizer_is_left_between_two_encodes_there_is_none_to_try(first, bits, step, others):
    again = EncodeAgain()
    again.on_encoded(planned(first), bits)
    plan = planned(first + step, attempt=1)
    again.on_encoded(plan, others)
    if step >= 0 or bits > 6_000 or others <= 6_000:
        assert again.between(plan) is None


@given(sizes_bits, limits, sizes_bits, limits)
def test_a_limit_that_changes_between_encodes_does_no_harm(one, limit, other, later_limit):
    again = EncodeAgain()
    again.on_encoded(planned(40, limit_bits=limit, target_bits=1), one)
    plan = planned(48, limit_bits=later_limit, target_bits=later_limit, attempt=1)
    again.on_encoded(plan, other)
    between = again.between(plan)
    assert between is None or 40 < between < 48


def test_the_first_encode_of_a_picture_does_not_pair_with_the_one_before_it():
    again = EncodeAgain()
    again.on_encoded(planned(40), 12_000)
    assert again.pair is None
    again.on_encoded(planned(44, attempt=1), 5_000)
    assert again.pair == ((40, 12_000), (44, 5_000))
    again.on_encoded(planned(42), 5_000)
    assert again.pair is None


def test_a_few_frames_in_a_hundred_may_be_a_little_over_their_limit():
    again, made_again = EncodeAgain(), 0
    for _ in range(1_000):
        again.on_picture()
        plan = planned(limit_bits=6_000)
        again.on_encoded(plan, 6_300)
        quantizer = again.next_quantizer(plan, 6_300, share_bits=3_333, bucket_bits=0, keeps_up=True)
        made_again += quantizer is not None
    assert 975 <= made_again <= 985


def test_far_over_its_limit_no_frame_is_tolerated():
    again = EncodeAgain()
    for _ in range(1_000):
        again.on_picture()
        plan = planned(limit_bits=6_000)
        again.on_encoded(plan, 6_700)
        assert again.next_quantizer(plan, 6_700, share_bits=3_333, bucket_bits=0, keeps_up=True) > plan.quantizer


def test_a_frame_at_another_size_that_is_over_its_limit_is_stepped_safely_because_no_third_encode_can_be():
    again = EncodeAgain()
    resized = planned()._replace(facts=FrameFacts(difference=512, is_resized=True))
    assert again.coarser(resized, 12_000) > again.coarser(planned(), 12_000)
