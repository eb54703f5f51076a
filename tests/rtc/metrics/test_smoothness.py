import pytest

from rtc.metrics.smoothness import Smoothness, smoothness

TICK_US = 40_000


def watched(display_times_us: list[int], end_us: int, camera_interval_us: int = TICK_US) -> Smoothness:
    return smoothness(display_times_us, end_us, camera_interval_us)


def steady(count: int, start_us: int = 0) -> list[int]:
    return [start_us + index * TICK_US for index in range(count)]


def test_an_even_screen_has_no_freeze_and_its_own_frame_rate() -> None:
    figures = watched(steady(50, start_us=120_000), 120_000 + 50 * TICK_US)
    assert figures.model_dump() == {
        "freeze_count": 0,
        "total_freezes_duration_s": 0.0,
        "freeze_ratio": 0.0,
        "longest_freeze_ms": 0.0,
        "freeze_200ms_count": 0,
        "total_freezes_200ms_duration_s": 0.0,
        "harmonic_fps": 25.0,
        "first_frame_ms": 120.0,
    }


def test_a_freeze_lasts_the_whole_gap() -> None:
    times = steady(20) + steady(20, start_us=19 * TICK_US + 500_000)
    figures = watched(times, times[-1] + TICK_US)
    assert (figures.freeze_count, figures.total_freezes_duration_s, figures.longest_freeze_ms) == (1, 0.5, 500.0)
    assert figures.freeze_ratio == pytest.approx(500_000 / (times[-1] + TICK_US), abs=1e-6)


def test_a_constant_stutter_hides_from_the_moving_average_and_not_from_the_fixed_rule() -> None:
    times = [index * 250_000 for index in range(40)]
    figures = watched(times, times[-1] + 250_000)
    assert figures.freeze_count == 0
    assert figures.freeze_200ms_count == 40
    assert (figures.freeze_ratio, figures.longest_freeze_ms) == (1.0, 250.0)
    assert figures.harmonic_fps == 4.0


def test_two_pictures_in_four_seconds_are_frozen_though_webrtc_stats_has_nothing_to_compare_with() -> None:
    figures = watched([100_000, 140_000], 4_000_000)
    assert (figures.freeze_count, figures.total_freezes_duration_s) == (0, 0.0)
    assert (figures.freeze_200ms_count, figures.total_freezes_200ms_duration_s) == (1, 3.86)
    assert figures.freeze_ratio == pytest.approx(3.86 / 3.9, abs=1e-6)
    assert figures.longest_freeze_ms == 3_860.0


def test_the_gaps_that_the_camera_makes_are_no_frozen_time() -> None:
    times = [index * 333_333 for index in range(12)]
    figures = watched(times, 4_000_000, camera_interval_us=333_333)
    assert (figures.freeze_ratio, figures.longest_freeze_ms) == (0.0, 0.0)
    assert watched([*times[:5], *times[8:]], 4_000_000, camera_interval_us=333_333).longest_freeze_ms == 1_333.332


def test_a_freeze_by_both_rules_is_frozen_time_once() -> None:
    figures = watched(steady(20), 20 * TICK_US + 1_000_000)
    assert (figures.freeze_count, figures.freeze_200ms_count) == (1, 1)
    assert figures.freeze_ratio == pytest.approx(1.04 / 1.8, abs=1e-6)


def test_a_gap_of_exactly_200_ms_is_no_freeze_by_the_fixed_rule() -> None:
    assert watched([0, 200_000, 400_001], 400_001).freeze_200ms_count == 1


def test_long_gaps_weigh_more_in_the_harmonic_rate() -> None:
    # 0.1 s and 0.9 s: one second in all, over 0.01 + 0.81 square seconds.
    assert watched([0, 100_000, 1_000_000], 1_000_000).harmonic_fps == 1.22


def test_a_call_that_ends_frozen_counts_the_time_to_its_end() -> None:
    figures = watched(steady(20), 19 * TICK_US + 3_000_000)
    assert (figures.freeze_count, figures.longest_freeze_ms) == (1, 3_000.0)


def test_nothing_displayed_gives_nulls() -> None:
    assert watched([], 5_000_000) == Smoothness()
    assert set(watched([], 5_000_000).model_dump().values()) == {None}


def test_one_frame_shown_at_the_very_end_gives_no_rate() -> None:
    figures = watched([5_000_000], 5_000_000)
    assert (figures.harmonic_fps, figures.freeze_ratio, figures.freeze_count) == (None, None, 0)
