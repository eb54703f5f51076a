"""The emulator's benchmark measures what it says; its speed is for a person to judge, not for a test."""

import pytest

from benchmarks import netem
from netem.capacity_trace import DeliveryOpportunities


@pytest.mark.parametrize("name", netem.PATHS)
def test_every_path_of_the_benchmark_runs(name):
    assert netem.packets_per_s(netem.PATHS[name], count=2_000) > 0


def test_the_goal_is_stated_for_a_link_with_loss_and_delay():
    profile = netem.PATHS[netem.GOAL_ROW]
    assert profile.loss.fraction > 0
    assert profile.one_way_delay_us > 0
    assert netem.GOAL_PACKETS_PER_S == 200_000


def test_saturated_links_fall_short_by_less_than_a_packet():
    assert 0 <= netem.bytes_off(1_000_003, allowed_bytes=1_000_003 * 10 // 8, seconds=10) < 1_200
    trace = DeliveryOpportunities(times_ms=(4, 4, 10))
    assert 0 <= netem.bytes_off(trace, allowed_bytes=300 * 10 * 1500, seconds=10) < 1_200
