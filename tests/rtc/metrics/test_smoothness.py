import pytest

from rtc.metrics.smoothness import Smoothness, smoothness

TICK_US = 40_000


def steady(count: int, start_us: int = 0) -> list[int]:
    return [start_us + index * TICK_US for index in range(count)]


def test_an_even_screen_has_no_freeze_and_its_own_frame_rate() -> None:
    figures = smoothness(steady(50, start_us=120_000), 120_000 + 50 * TICK_US)
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
    figures = smoothness(times, times[-1] + TICK_US)
    assert (figures.freeze_count, figures.total_freezes_duration_s, figures.longest_freeze_ms) == (1, 0.5, 500.0)
    assert figures.freeze_ratio == pytest.approx(500_000 / (times[-1] + TICK_US), abs=1e-6)


def test_a_constant_stutter_hides_from_the_moving_average_and_not_from_the_fixed_rule() -> None:
    times = [index * 250_000 for index in range(40)]
    figures = smoothness(times, times[-1] + 250_000)
    assert figures.freeze_count == 0
    assert figures.freeze_200ms_count == 40
    assert figures.harmonic_fps == 4.0


def test_a_gap_of_exactly_200_ms_is_no_freeze_by_the_fixed_rule() -> None:
    assert smoothness([0, 200_000, 400_001], 400_001).freeze_200ms_count == 1


def test_long_gaps_weigh_more_in_the_harmonic_rate() -> None:
    # 0.1 s and 0.9 s: one second in all, over 0.01 + 0.81 square seconds.
    assert smoothness([0, 100_000, 1_000_000], 1_000_000).harmonic_fps == 1.22


def test_a_call_that_ends_frozen_counts_the_time_to_its_end() -> None:
    figures = smoothness(steady(20), 19 * TICK_US + 3_000_000)
    assert (figures.freeze_count, figures.longest_freeze_ms) == (1, 3_000.0)


def test_nothing_displayed_gives_nulls() -> None:
    assert smoothness([], 5_000_000) == Smoothness()
    assert set(smoothness([], 5_000_000).model_dump().values()) == {None}


def test_one_frame_shown_at_the_very_end_gives_no_rate() -> None:
    figures = smoothness([5_000_000], 5_000_000)
    assert (figures.harmonic_fps, figures.freeze_ratio, figures.freeze_count) == (None, None, 0)
