import pytest
from hypothesis import given
from hypothesis import strategies as st

from resilience.receive.playout_clock import PlayoutClock, PlayoutConfig, capture_time_us
from rtc.values.errors import LocalMisuse
from tests.resilience.made_up_stream import TICKS_PER_FRAME

PATH_US = 40_000


def run(clock, transits, *, first=0):
    """Feed frames 1/30 s apart with these transit times; the waiting time before display of each."""
    waits = []
    for index, transit_us in enumerate(transits, start=first):
        timestamp = index * TICKS_PER_FRAME
        ready_at_us = capture_time_us(timestamp) + transit_us
        clock.on_frame_ready(timestamp, ready_at_us)
        waits.append(clock.playout_time_us(timestamp, ready_at_us) - ready_at_us)
    return waits


def test_the_90_khz_clock_is_converted_to_whole_microseconds():
    assert [capture_time_us(timestamp) for timestamp in (0, 1, 9, 90_000)] == [0, 11, 100, 1_000_000]


def test_a_path_without_jitter_adds_no_delay():
    assert run(PlayoutClock(), [PATH_US] * 100) == [0] * 100


def test_before_any_frame_is_known_a_frame_is_shown_when_ready():
    assert PlayoutClock().playout_time_us(900, 123) == 123


def test_one_late_frame_in_ten_seconds_delays_no_other():
    clock = PlayoutClock()
    run(clock, [PATH_US] * 100 + [PATH_US + 80_000])
    assert run(clock, [PATH_US] * 50, first=101) == [0] * 50


def test_a_slow_first_key_frame_delays_only_itself():
    assert max(run(PlayoutClock(), [PATH_US + 150_000] + [PATH_US] * 30)) == 0


def test_steady_jitter_is_covered_within_half_a_second():
    clock = PlayoutClock()
    run(clock, [PATH_US] * 60)
    run(clock, [PATH_US, PATH_US + 30_000] * 10, first=60)
    assert clock.target_delay_us == 30_000
    assert run(clock, [PATH_US, PATH_US + 30_000], first=80) == [30_000, 0]


def test_the_delay_comes_down_slowly_once_the_jitter_has_left_the_window():
    clock = PlayoutClock(PlayoutConfig(window_us=1_000_000))
    run(clock, [PATH_US, PATH_US + 60_000] * 30)
    assert clock.target_delay_us == 60_000
    run(clock, [PATH_US] * 60, first=60)
    assert 0 < clock.target_delay_us < 30_000
    run(clock, [PATH_US] * 60, first=120)
    assert clock.target_delay_us == 0


def test_a_slower_route_is_followed_and_then_adds_nothing():
    clock = PlayoutClock(PlayoutConfig(window_us=1_000_000))
    run(clock, [PATH_US] * 60)
    assert run(clock, [PATH_US + 100_000] * 60, first=60)[-1] == 0
    assert clock.target_delay_us == 0


def test_frames_too_late_to_save_do_not_add_delay():
    clock = PlayoutClock()
    run(clock, [PATH_US] * 60)
    run(clock, [PATH_US + 900_000 - index * 33_333 for index in range(18)], first=60)
    assert run(clock, [PATH_US], first=78) == [0]


def test_an_absurd_timestamp_cannot_delay_a_frame_beyond_the_bound():
    clock = PlayoutClock()
    run(clock, [PATH_US] * 60)
    assert clock.playout_time_us(10**12, 5_000_000) == 5_300_000


@pytest.mark.parametrize("wrong", [{"protected_permille": 1001}, {"max_delay_us": -1}])
def test_an_impossible_configuration_is_refused(wrong):
    with pytest.raises(LocalMisuse):
        PlayoutConfig(**wrong)


@given(st.lists(st.integers(0, 400_000), min_size=1, max_size=120))
def test_no_frame_is_planned_before_it_is_ready_nor_waits_longer_than_the_bound(transits):
    clock = PlayoutClock(PlayoutConfig(window_us=1_000_000))
    waits = run(clock, transits)
    assert min(waits) >= 0
    assert max(waits) <= 300_000
    assert 0 <= clock.target_delay_us <= 400_000
