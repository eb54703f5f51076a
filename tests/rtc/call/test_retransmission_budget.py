from hypothesis import given
from hypothesis import strategies as st

from rtc.call.retransmission_budget import MIN_BURST_BYTES, TARGET_SHARE_PERCENT, RetransmissionBudget


def spent_in(budget, *, target_bps, start_us, end_us, step_us=10_000):
    spent = 0
    for now_us in range(start_us, end_us, step_us):
        while budget.has_credit(target_bps, now_us):
            budget.spend(1_000)
            spent += 1_000
    return spent


def test_a_lost_key_frame_is_within_the_budget_at_the_lowest_target():
    budget = RetransmissionBudget()
    assert spent_in(budget, target_bps=10_000, start_us=0, end_us=1) >= MIN_BURST_BYTES


def test_over_a_long_time_half_the_target_is_sent_again_at_most():
    budget = RetransmissionBudget()
    spent_in(budget, target_bps=1_000_000, start_us=0, end_us=1)
    spent = spent_in(budget, target_bps=1_000_000, start_us=1, end_us=10_000_000)
    assert abs(spent * 8 - TARGET_SHARE_PERCENT * 10_000_000 // 100) <= 16_000


@given(st.lists(st.tuples(st.integers(0, 3_000_000), st.integers(1, 1_200)), max_size=60), st.integers(10_000, 10**6))
def test_never_more_than_a_burst_and_the_rate_is_spent(steps, target_bps):
    budget = RetransmissionBudget()
    now_us = spent = 0
    for gap_us, size in steps:
        now_us += gap_us
        if budget.has_credit(target_bps, now_us):
            budget.spend(size)
            spent += size
    rate_bps = target_bps * TARGET_SHARE_PERCENT // 100
    assert spent * 8 <= max(rate_bps, MIN_BURST_BYTES * 8) + rate_bps * now_us // 1_000_000 + 1_200 * 8
