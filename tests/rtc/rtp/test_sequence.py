import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtc.rtp.sequence import SequenceUnwrapper


def test_the_first_value_maps_to_itself():
    assert SequenceUnwrapper().unwrap(65530) == 65530


def test_before_the_first_value_there_is_no_highest():
    assert SequenceUnwrapper().highest is None


@pytest.mark.parametrize(
    ("wire", "unwrapped"),
    [
        ([65534, 65535, 0, 1], [65534, 65535, 65536, 65537]),
        ([1, 65535, 2], [1, -1, 2]),
        ([65535, 0, 65534, 1], [65535, 65536, 65534, 65537]),
        ([10, 10], [10, 10]),
        ([0, 32767, 65534, 32765], [0, 32767, 65534, 98301]),
    ],
)
def test_counters_go_on_past_their_wrap_around(wire, unwrapped):
    unwrapper = SequenceUnwrapper()
    assert [unwrapper.unwrap(value) for value in wire] == unwrapped


def test_a_late_value_does_not_lower_the_highest():
    unwrapper = SequenceUnwrapper()
    for value in (65535, 3, 65533):
        unwrapper.unwrap(value)
    assert unwrapper.highest == 65539


@given(
    st.sampled_from([16, 32]),
    st.integers(0, (1 << 32) - 1),
    st.lists(st.floats(-0.5, 0.499), max_size=30),
)
def test_any_walk_of_steps_under_half_the_range_is_followed(bits, start, steps):
    mask = (1 << bits) - 1
    true_value = highest = start & mask
    unwrapper = SequenceUnwrapper(bits)
    unwrapper.unwrap(true_value)
    for step in steps:
        true_value = highest + int(step * (mask + 1))
        highest = max(highest, true_value)
        assert unwrapper.unwrap(true_value & mask) == true_value
    assert unwrapper.highest == highest
