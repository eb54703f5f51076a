import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratecontrol.target import MIN_CEILING_BPS, MIN_TARGET_BPS, OverheadModel, TargetPlanner, ceiling_bps
from rtc.values.formats import FrameSize
from rtc.values.targets import NetworkEstimate

OVERHEAD = OverheadModel(header_bytes_per_packet=60, payload_bytes_per_packet=1_166, frames_per_second=30)
CEILING = ceiling_bps(FrameSize(640, 360), 30)
capacities = st.integers(0, 50_000_000)
fractions = st.floats(0, 1)


def target_bps(capacity_bps, loss_fraction=0.0, planner=None):
    planner = planner or TargetPlanner(OVERHEAD, CEILING)
    estimate = NetworkEstimate(at_us=5, capacity_bps=capacity_bps, round_trip_us=0, loss_fraction=loss_fraction)
    target = planner.target(estimate)
    assert target.at_us == 5
    return target.bps


def test_headroom_headers_and_repair_are_taken_off():
    # 90 % of 300 kbps is 270; 30 packets a second of 60 bytes of headers are 14.4.
    assert target_bps(300_000) == 255_600
    # A tenth of 270 kbps goes to repair.
    assert target_bps(300_000, 0.1) == 228_600


def test_where_packets_are_full_the_headers_are_a_share():
    assert target_bps(900_000) == 810_000 * 1_166 // 1_226


@pytest.mark.parametrize("capacity_bps", [0, 1, 20_000, 26_000])
def test_the_floor_is_that_of_real_calls(capacity_bps):
    assert target_bps(capacity_bps) == MIN_TARGET_BPS


def test_the_ceiling_is_that_of_the_size():
    assert target_bps(50_000_000) == CEILING == 640 * 360 * 30 * 12 // 100
    assert ceiling_bps(FrameSize(160, 90), 10) == MIN_CEILING_BPS


@given(capacities, st.integers(0, 10_000_000), fractions)
def test_more_capacity_never_makes_a_lower_target(capacity_bps, more_bps, loss_fraction):
    assert target_bps(capacity_bps + more_bps, loss_fraction) >= target_bps(capacity_bps, loss_fraction)


@given(capacities, fractions, fractions)
def test_more_loss_never_makes_a_higher_target(capacity_bps, one, other):
    assert target_bps(capacity_bps, max(one, other)) <= target_bps(capacity_bps, min(one, other))


@given(st.lists(capacities, min_size=1, max_size=20), fractions)
def test_a_fall_passes_at_once_for_the_past_counts_for_nothing(history, loss_fraction):
    planner = TargetPlanner(OVERHEAD, CEILING)
    targets = [target_bps(capacity_bps, loss_fraction, planner) for capacity_bps in history]
    assert targets[-1] == target_bps(history[-1], loss_fraction)


@given(capacities, fractions)
def test_target_and_headers_fit_the_capacity_unless_the_floor_holds(capacity_bps, loss_fraction):
    bps = target_bps(capacity_bps, loss_fraction)
    assert MIN_TARGET_BPS <= bps <= CEILING
    if bps > MIN_TARGET_BPS:
        packets = max(30, bps / 8 / 1_166)
        assert bps + packets * 60 * 8 <= capacity_bps * 0.9 + 1
