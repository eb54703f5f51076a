from hypothesis import given
from hypothesis import strategies as st

from rtc.call.timers import Timer, TimerTable


def test_an_empty_table_never_falls_due():
    timers = TimerTable()
    assert timers.next_timeout_us() is None
    assert not timers.take_expired(Timer.REPORT, 1 << 62)


def test_a_timer_expires_at_its_time_and_once():
    timers = TimerTable()
    timers.set(Timer.REPORT, 100)
    assert not timers.take_expired(Timer.REPORT, 99)
    assert timers.is_set(Timer.REPORT)
    assert timers.take_expired(Timer.REPORT, 100)
    assert not timers.take_expired(Timer.REPORT, 100)
    assert not timers.is_set(Timer.REPORT)


def test_setting_again_moves_and_none_stops():
    timers = TimerTable()
    timers.set(Timer.REPORT, 100)
    timers.set(Timer.REPORT, 300)
    timers.set(Timer.TRANSPORT_FEEDBACK, 200)
    assert timers.next_timeout_us() == 200
    timers.set(Timer.TRANSPORT_FEEDBACK, None)
    timers.set(Timer.TRANSPORT_FEEDBACK, None)
    assert timers.next_timeout_us() == 300


@given(st.dictionaries(st.sampled_from(Timer), st.integers(0, 1000)))
def test_the_earliest_is_next_and_taking_all_that_expired_leaves_only_later_ones(deadlines):
    timers = TimerTable()
    for timer, at_us in deadlines.items():
        timers.set(timer, at_us)
    while (next_us := timers.next_timeout_us()) is not None:
        taken = {timer for timer in Timer if timers.take_expired(timer, next_us)}
        assert taken == {timer for timer, at_us in deadlines.items() if at_us == next_us}
        assert timers.next_timeout_us() is None or timers.next_timeout_us() > next_us
