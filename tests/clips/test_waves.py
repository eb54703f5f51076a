import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clips.waves import Wave, random_wave, sine
from rtc.values.randomness import RandomStream


@given(st.floats(min_value=-5, max_value=1000))
def test_the_sine_is_near_a_sine(turns):
    assert sine(turns) == pytest.approx(math.sin(2 * math.pi * turns), abs=0.0017)


@given(st.integers(min_value=0, max_value=10**12))
def test_a_wave_never_exceeds_the_sum_of_its_amplitudes_and_never_jumps(at_us):
    wave = random_wave(RandomStream.of_seed(1), (0.7, 5_000_000), (0.3, 900_000))

    assert abs(wave.at(at_us)) <= 1.0
    assert abs(wave.at(at_us + 1000) - wave.at(at_us)) < 0.006


def test_a_wave_repeats_after_its_period():
    wave = Wave(parts=((2.0, 1_000_000, 0.25),))

    assert wave.at(0) == 2.0
    assert wave.at(500_000) == -2.0
    assert wave.at(3_000_000) == 2.0
