from hypothesis import given
from hypothesis import strategies as st

from ratecontrol.resting_refinement import GROWTH_PERCENT, RESTS_PERMILLE, RestingRefinement

SHARE = 6_600
quantizers = st.integers(12, 51)
sizes_bits = st.integers(0, 1_000_000)
frames = st.lists(st.tuples(quantizers, sizes_bits, st.integers(0, 1_000)), max_size=30)


def taught(sent):
    refinement = RestingRefinement()
    for quantizer, bits, resting_permille in sent:
        refinement.on_sent(quantizer, bits, resting_permille)
    return refinement


def floor(refinement, *, resting_permille=1_000, bucket_bits=0, most_bits=30_000):
    return refinement.floor(resting_permille, share_bits=SHARE, bucket_bits=bucket_bits, most_bits=most_bits)


@given(frames, st.integers(0, RESTS_PERMILLE - 1))
def test_a_picture_that_moves_may_be_of_any_quantizer(sent, resting_permille):
    assert floor(taught(sent), resting_permille=resting_permille) == 0


def test_before_the_first_frame_any_quantizer_will_do():
    assert floor(RestingRefinement()) == 0


@given(frames, quantizers, st.lists(st.tuples(quantizers, sizes_bits), max_size=10), sizes_bits)
def test_a_resting_picture_gets_at_most_a_step_finer_than_ever_since_it_came_to_rest(before, first, since, bucket_bits):
    refinement = taught([*before, (first, 1_000, 0), *((quantizer, bits, 1_000) for quantizer, bits in since)])
    finest = min([first, *(quantizer for quantizer, _bits in since)])
    assert floor(refinement, bucket_bits=bucket_bits) in {finest - 1, finest}


def test_it_gets_finer_only_once_the_bucket_is_nearly_empty():
    refinement = taught([(40, 1_000, 0)])
    assert floor(refinement, bucket_bits=SHARE // 2) == 39
    assert floor(refinement, bucket_bits=SHARE // 2 + 1) == 40


def test_it_stays_as_it_is_where_the_last_burst_and_a_bit_more_would_break_the_bound():
    refinement = taught([(40, 1_000, 0), (39, 20_000, 1_000), (39, 100, 1_000)])
    most_bits = 20_000 * GROWTH_PERCENT // 100
    assert floor(refinement, most_bits=most_bits) == 38
    assert floor(refinement, most_bits=most_bits - 1) == 39


def test_other_content_starts_anew_from_its_own_quantizer():
    refinement = taught([(30, 1_000, 0), (29, 500_000, 1_000), (45, 5_000, 600)])
    assert floor(refinement) == 44
