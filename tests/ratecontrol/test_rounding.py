"""Rounding to six places."""

import math

from hypothesis import given
from hypothesis import strategies as st

from ratecontrol.rounding import to_six_places


def test_logarithms_of_frame_sizes_round_to_what_python_rounds_them_to() -> None:
    logs = [math.log(bits) for bits in range(64, 50_000)]
    assert [to_six_places(log) for log in logs] == [round(log, 6) for log in logs]


@given(st.integers(-50_000_000, 50_000_000))
def test_what_differs_in_its_last_digit_alone_rounds_alike(millionths: int) -> None:
    value = millionths / 1e6
    near = (math.nextafter(value, -math.inf), math.nextafter(value, math.inf))
    assert {to_six_places(one) for one in near} == {value}
