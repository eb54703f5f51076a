"""Every real trace loads, and its mean rate is the one its README states."""

import re

import pytest

from netem.capacity_trace import DeliveryOpportunities, RateSteps
from netem.delay_parsing import parse_delay_trace
from netem.loss_parsing import parse_recorded_loss
from netem.path_profile import QueueProfile, build_path
from netem.simulator import run_packets
from netem.trace_parsing import parse_capacity
from rtc.values.randomness import RandomStream
from tests.support.data import real_data
from tests.support.netem_nodes import packets, plain_path

_ROW = re.compile(r"\| `(?P<file>[^`]+)` \|(?P<rest>.*)")
_RATE = re.compile(r"dur (?P<seconds>\d+) s, mean (?P<kbps>\d+), p5")
_LOSS = re.compile(r"(?P<packets>\d+) packets of 20 ms .*?, loss (?P<percent>[\d.]+)%")
_PINGS = re.compile(r"(?P<count>\d+) (?:probes, loss (?P<percent>[\d.]+)%|replies)")
_EACH_LINE_THE_SAME = ("zhuge_200ms", "wifi_beijing")
"""Their README weighs each line the same; the time stamps in the files are not that even."""


def described():
    """(path, rest of the row) of every trace the README describes."""
    root = real_data()
    folder, rows = None, []
    for line in (root / "README.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            folder = line.split()[1].rstrip("/") if line.startswith("### traces/") else None
        elif folder and (row := _ROW.match(line)):
            rows.append((root / folder / row["file"], row["rest"]))
    return rows


def readme_mean_kbps(path, trace, seconds):
    if isinstance(trace, DeliveryOpportunities):
        # The README's last second is whole where the trace's is not.
        return len(trace.times_ms) * 1500 * 8 / 1000 / seconds
    if path.parent.name in _EACH_LINE_THE_SAME:
        rates = [float(line.split()[1]) for line in path.read_text().splitlines()]
        return sum(rates) / len(rates) * 1000
    return trace.mean_bps / 1000


def test_the_mean_rate_of_every_capacity_trace_is_the_stated_one():
    checked = 0
    for path, rest in described():
        if stated := _RATE.search(rest):
            trace = parse_capacity(path.read_text(encoding="utf-8"))
            kbps = readme_mean_kbps(path, trace, int(stated["seconds"]))
            # Rounded down in the README, its seconds to whole ones.
            assert kbps == pytest.approx(int(stated["kbps"]), abs=1.5, rel=0.005), path.name
            checked += 1
    assert checked >= 45


def test_time_weighted_means_of_uneven_files_are_near_their_lines_means():
    uneven = [(path, rest) for path, rest in described() if path.parent.name == "wifi_beijing"]
    assert uneven
    for path, rest in uneven:
        stated = _RATE.search(rest)
        trace = parse_capacity(path.read_text(encoding="utf-8"))
        assert trace.mean_bps / 1000 == pytest.approx(int(stated["kbps"]), rel=0.005)


def test_every_loss_recording_has_the_stated_loss():
    stated_losses = [(path, found) for path, rest in described() if (found := _LOSS.search(rest))]
    assert len(stated_losses) >= 3
    for path, stated in stated_losses:
        model = parse_recorded_loss(path.read_text(encoding="utf-8"))
        assert len(model.lost) == int(stated["packets"])
        assert model.fraction * 100 == pytest.approx(float(stated["percent"]), abs=0.051)


def test_every_ping_log_has_the_stated_probes_and_loss():
    stated_pings = [(path, found) for path, rest in described() if (found := _PINGS.search(rest))]
    assert len(stated_pings) >= 4
    for path, stated in stated_pings:
        trace = parse_delay_trace(path.read_text(encoding="utf-8"))
        lost = sum(delay is None for delay in trace.delays_us)
        assert len(trace.delays_us) == pytest.approx(int(stated["count"]), rel=0.001)
        # The Starlink log says nothing of losses but for the -1 of a probe that was given up: half a percent.
        assert lost / len(trace.delays_us) * 100 == pytest.approx(float(stated["percent"] or 0.47), abs=0.1)


def test_no_file_in_the_folder_is_left_out():
    known = {path for path, _ in described()}
    assert {path for path in (real_data() / "traces").rglob("*") if path.is_file()} == known


def test_every_mahimahi_file_is_delivered_to_the_byte():
    files = sorted((real_data() / "traces" / "mahimahi").iterdir())
    assert files
    for path in files:
        trace = parse_capacity(path.read_text(encoding="utf-8"))
        assert isinstance(trace, DeliveryOpportunities)
        ten_seconds_us = 10_000_000
        lines = sum(0 < time_ms <= 10_000 for time_ms in trace.times_ms)
        backlog = packets(2 * lines + 2, gap_us=0, size_bytes=1_000)
        network = build_path(plain_path(capacity=trace, queue=QueueProfile(limit_bytes=10**9)), RandomStream.of_seed(1))
        carried = [result for result in run_packets(network, backlog).delivered if result.at_us <= ten_seconds_us]
        assert len(carried) == lines * 1500 // 1000, path.name


def test_a_saturated_link_carries_the_mean_of_a_real_rate_trace():
    path = real_data() / "traces" / "hsdpa_norway_3g" / "ferry_2011-02-01_1000CET.json"
    trace = parse_capacity(path.read_text(encoding="utf-8"))
    assert isinstance(trace, RateSteps)
    network = build_path(plain_path(capacity=trace, queue=QueueProfile(limit_bytes=10**9)), RandomStream.of_seed(1))
    run = run_packets(network, packets(1_500, gap_us=0, size_bytes=1_000))
    carried = sum(result.at_us <= trace.duration_us for result in run.delivered) * 8_000
    assert 0 <= trace.mean_bps * trace.duration_us // 1_000_000 - carried < 8_001
