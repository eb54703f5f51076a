from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from resilience.receive.freeze_detector import Freeze, FreezeDetector, freezes, long_gaps
from rtc.values.errors import LocalMisuse

EVEN = [33_333] * 29


def times(intervals):
    return list(accumulate(intervals, initial=0))


@pytest.mark.parametrize(
    ("before", "interval_us", "is_freeze"),
    [
        (EVEN, 188_000, False),
        (EVEN, 190_000, True),  # avg + 150 ms: the average of 29 even intervals and this one is 38.6 ms
        ([100_000] * 29, 300_000, False),
        ([100_000] * 29, 322_222, False),
        ([100_000] * 29, 322_223, True),  # 3 x avg: 29 x 100 ms and this one over 30, times 3
        ([33_333] * 3, 5_000_000, False),  # four samples are too few
        ([33_333] * 4, 5_000_000, True),
        ([33_333] * 4, 220_832, False),
        ([33_333] * 4, 220_833, True),  # with five samples the judged interval weighs a fifth
        ([1_000_000] * 50 + EVEN, 190_000, True),  # older than 30 intervals is forgotten
    ],
)
def test_an_interval_is_a_freeze_by_the_rule(before, interval_us, is_freeze):
    shown = times([*before, interval_us])
    expected = (Freeze(start_us=shown[-2], end_us=shown[-1]),) if is_freeze else ()
    assert [freeze for freeze in freezes(shown) if freeze.end_us == shown[-1]] == list(expected)


def test_a_call_without_frames_or_with_one_has_no_freezes():
    assert freezes([], 10_000_000) == ()
    assert freezes([5], 10_000_000) == ()


def test_waiting_for_the_first_frame_is_no_freeze():
    assert freezes([time_us + 9_000_000 for time_us in times(EVEN)]) == ()


def test_a_freeze_the_call_ends_in_counts_to_the_end():
    shown = times(EVEN)
    assert freezes(shown, shown[-1] + 150_000) == ()
    (freeze,) = freezes(shown, shown[-1] + 2_000_000)
    assert freeze == Freeze(start_us=shown[-1], end_us=shown[-1] + 2_000_000, is_open=True)
    assert freeze.duration_us == 2_000_000


def test_frames_shown_after_the_end_leave_no_freeze_at_the_end():
    assert freezes(times(EVEN), 1) == ()


def test_freezes_are_counted_as_frames_are_displayed():
    detector = FreezeDetector()
    for time_us in times([*EVEN, 400_000, *EVEN, 250_000, 210_000]):
        detector.on_frame_displayed(time_us)
    assert (detector.freeze_count, detector.total_freezes_duration_us, detector.longest_freeze_us) == (
        3,
        860_000,
        400_000,
    )
    assert (detector.long_gap_count, detector.total_long_gaps_duration_us) == (3, 860_000)


def test_gaps_the_average_hides_are_found_by_the_fixed_limit():
    shown = times([250_000] * 20)
    assert freezes(shown) == ()
    assert len(long_gaps(shown)) == 20
    assert long_gaps(shown, shown[-1] + 200_001)[-1].is_open
    assert len(long_gaps(shown, shown[-1] + 200_000)) == 20


def test_time_does_not_go_back():
    detector = FreezeDetector()
    detector.on_frame_displayed(10)
    with pytest.raises(LocalMisuse, match="before the last one"):
        detector.on_frame_displayed(9)


@given(st.lists(st.integers(0, 1_000_000), max_size=100), st.integers(0, 1_000_000))
def test_the_whole_call_and_the_running_count_agree_with_the_rule_written_out(intervals, tail_us):
    shown = times(intervals)
    everything = [*intervals, tail_us]
    expected = 0
    for index, interval_us in enumerate(everything):
        window = everything[max(0, index - 29) : index + 1]
        mean = sum(window) / len(window)
        expected += len(window) >= 5 and interval_us >= max(3 * mean, mean + 150_000) - 1e-6
    found = freezes(shown, shown[-1] + tail_us)
    assert len(found) == expected
    gaps = long_gaps(shown, shown[-1] + tail_us)
    assert sum(gap.duration_us for gap in gaps) == sum(interval for interval in everything if interval > 200_000)
