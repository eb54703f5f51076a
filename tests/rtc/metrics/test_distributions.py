import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtc.metrics.distributions import DelayDistribution, MeanAndTail, MedianAndTail, mean_of_floats, nearest_rank, ratio


@pytest.mark.parametrize(
    ("percent", "expected"),
    [(0, 15), (5, 15), (20, 15), (21, 20), (30, 20), (40, 20), (50, 35), (95, 50), (100, 50)],
)
def test_a_percentile_is_the_value_of_the_nearest_rank(percent: int, expected: int) -> None:
    assert nearest_rank([15, 20, 35, 40, 50], percent) == expected


@given(st.lists(st.integers(0, 10**9), min_size=1, max_size=200), st.integers(1, 100))
def test_at_least_that_share_of_values_is_not_above_a_percentile_and_less_is_below_it(
    values: list[int], percent: int
) -> None:
    found = nearest_rank(sorted(values), percent)
    assert sum(value <= found for value in values) * 100 >= percent * len(values)
    assert sum(value < found for value in values) * 100 < percent * len(values)


def test_nothing_to_measure_gives_nulls_not_nan() -> None:
    nothing = {"p50": None, "p95": None}
    assert MedianAndTail.of_us([]).model_dump() == nothing
    assert DelayDistribution.of_us([]).model_dump() == nothing | {"p99": None, "max": None}
    assert MeanAndTail.of_us([]).model_dump() == {"mean": None, "p95": None}
    assert ratio(1, 0) is None
    assert mean_of_floats([], 3) is None
    assert mean_of_floats([None, None], 3) is None


def test_microseconds_in_any_order_come_out_as_milliseconds() -> None:
    values_us = [3_000, 1_500, 2_250]
    assert DelayDistribution.of_us(values_us).model_dump() == {"p50": 2.25, "p95": 3.0, "p99": 3.0, "max": 3.0}
    assert MeanAndTail.of_us(values_us).model_dump() == {"mean": 2.25, "p95": 3.0}


@given(
    st.lists(st.floats(0, 100), min_size=1, max_size=50).flatmap(lambda v: st.tuples(st.just(v), st.permutations(v)))
)
def test_a_mean_does_not_depend_on_the_order_of_its_values(pair: tuple[list[float], list[float]]) -> None:
    values, shuffled = pair
    assert mean_of_floats(values, 6) == mean_of_floats(shuffled, 6) == round(math.fsum(values) / len(values), 6)
