"""Each preset carries a call, stays what it is, and knows its name."""

import hashlib

import pytest

from netem.capacity_trace import RateSteps
from netem.path_profile import build_path
from netem.presets import preset, preset_names
from netem.simulator import run_packets
from rtc.values.errors import LocalMisuse
from rtc.values.randomness import RandomStream
from tests.support.netem_nodes import packets


def test_the_networks_that_the_commands_promise_are_there():
    assert {
        "perfect",
        "wifi",
        "wifi-bad",
        "lte-walking",
        "lte-driving",
        "3g",
        "congested",
        "lossy",
        "satellite",
        "edge",
    } == set(preset_names())


@pytest.mark.parametrize("name", preset_names())
def test_a_preset_carries_30_kbps_with_little_loss_both_ways(name):
    network = preset(name)
    assert network.name == name
    for profile in (network.a_to_b, network.b_to_a):
        run = run_packets(build_path(profile, RandomStream.of_seed(1)), packets(600, gap_us=100_000, size_bytes=375))
        assert len(run.delivered) > 550
        median = sorted(result.at_us - result.packet.sent_at_us for result in run.delivered)[len(run.delivered) // 2]
        assert profile.one_way_delay_us <= median < profile.one_way_delay_us + profile.jitter_us + 60_000


@pytest.mark.parametrize("name", preset_names())
def test_a_preset_is_the_same_value_every_time(name):
    assert preset(name) == preset(name)
    assert hash(preset(name)) == hash(preset(name))


def test_the_made_up_traces_are_the_same_on_every_machine():
    digests = {}
    for name in ("lte-walking", "lte-driving", "3g"):
        for side in ("a_to_b", "b_to_a"):
            capacity = getattr(preset(name), side).capacity
            assert isinstance(capacity, RateSteps)
            digests[f"{name} {side}"] = hashlib.sha256(repr(capacity.rates_bps).encode()).hexdigest()[:12]
    assert digests == DIGESTS


def test_driving_has_outages_and_falls_by_tenfold_within_seconds():
    rates = preset("lte-driving").a_to_b.capacity.rates_bps
    assert 0 in rates
    windows = [[rate for rate in rates[index : index + 15] if rate] for index in range(0, len(rates) - 15, 15)]
    assert any(max(window) >= 10 * min(window) for window in windows if window)


def test_an_unknown_name_gets_the_nearest_and_the_list():
    with pytest.raises(LocalMisuse, match=r"perhaps 'lte-driving' was meant; known networks: perfect, wifi"):
        preset("LTE-drivng")


DIGESTS = {
    "lte-walking a_to_b": "5a2cae0ca89f",
    "lte-walking b_to_a": "29ade07d62e8",
    "lte-driving a_to_b": "f5cdd6f100da",
    "lte-driving b_to_a": "5bedc26dca06",
    "3g a_to_b": "8b2281f5ded4",
    "3g b_to_a": "cd28ae06562c",
}
