"""Our link against the kernel's `tc tbf`, in two network namespaces joined by a pair of virtual interfaces.

This runs in real time (about three seconds) and needs the right to create namespaces; elsewhere it is skipped.
"""

import json
import os
import shutil
import subprocess
import sys

import pytest

from netem.path_profile import QueueProfile, build_path
from netem.simulator import run_packets
from rtc.values.randomness import RandomStream
from tests.support.netem_nodes import packets, plain_path

RATE_BPS = 2_000_000
PAYLOAD_BYTES = 1_000
ETHERNET_BYTES = PAYLOAD_BYTES + 8 + 20 + 14
"""tbf counts what the interface sends: UDP, IP and Ethernet headers."""
GAP_US = 3_000
"""Offered: 2.8 Mbps, well above the rate."""
COUNT = 800

RECEIVE = """
import json, socket, time
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.bind(("10.77.0.2", 5000)); s.settimeout(5)
print("ready", flush=True)
times = []
try:
    while True:
        s.recv(2000); times.append(time.monotonic_ns()); s.settimeout(0.5)
except TimeoutError:
    print(json.dumps(times))
"""
SEND = f"""
import socket, time
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
start = time.monotonic_ns()
for index in range({COUNT}):
    while (wait := start + index * {GAP_US} * 1000 - time.monotonic_ns()) > 0:
        time.sleep(wait / 1e9)
    s.sendto(bytes({PAYLOAD_BYTES}), ("10.77.0.2", 5000))
"""


def ip(*words):
    return subprocess.run(["ip", *words], check=True, capture_output=True, text=True, timeout=10)


@pytest.fixture
def shaped_pair():
    """Two namespaces, the first one's interface shaped by tbf; gone afterwards."""
    if shutil.which("ip") is None or shutil.which("tc") is None:
        pytest.skip("no `ip` and `tc` (iproute2) on this machine")
    names = [f"rtc-{side}-{os.getpid()}" for side in "ab"]
    try:
        try:
            for name in names:
                ip("netns", "add", name)
            ip("link", "add", "va", "netns", names[0], "type", "veth", "peer", "name", "vb", "netns", names[1])
            for name, device, address in zip(names, ("va", "vb"), ("10.77.0.1/24", "10.77.0.2/24"), strict=True):
                ip("-n", name, "addr", "add", address, "dev", device)
                ip("-n", name, "link", "set", device, "up")
            shape = ["tbf", "rate", f"{RATE_BPS}bit", "burst", "3000", "limit", "20000"]
            ip("netns", "exec", names[0], "tc", "qdisc", "add", "dev", "va", "root", *shape)
        except subprocess.CalledProcessError as error:
            pytest.skip(f"may not create namespaces, interfaces or tbf here: {error.stderr.strip()}")
        yield names
    finally:
        for name in names:
            subprocess.run(["ip", "netns", "del", name], check=False, capture_output=True, timeout=10)


def kernel_rate_bps(sender, receiver):
    inside = ["ip", "netns", "exec"]
    with subprocess.Popen(
        [*inside, receiver, sys.executable, "-c", RECEIVE], stdout=subprocess.PIPE, text=True
    ) as hears:
        try:
            assert hears.stdout.readline() == "ready\n"
            subprocess.run([*inside, sender, sys.executable, "-c", SEND], check=True, timeout=20)
            times_us = [at_ns // 1000 for at_ns in json.loads(hears.communicate(timeout=20)[0])]
        finally:
            hears.kill()
    return steady_rate_bps(times_us)


def steady_rate_bps(times_us):
    """Between the arrivals a quarter and all of the way: the burst and the queue's filling are over by then."""
    steady = times_us[len(times_us) // 4 :]
    assert len(steady) > 200
    return (len(steady) - 1) * ETHERNET_BYTES * 8 * 1_000_000 / (steady[-1] - steady[0])


def our_rate_bps():
    profile = plain_path(capacity=RATE_BPS, queue=QueueProfile(limit_bytes=20_000))
    path = build_path(profile, RandomStream.of_seed(1))
    run = run_packets(path, packets(COUNT, gap_us=GAP_US, size_bytes=ETHERNET_BYTES))
    return steady_rate_bps([result.at_us for result in run.delivered])


def test_the_rate_of_a_link_is_within_one_percent_of_the_kernels_tbf(shaped_pair):
    assert our_rate_bps() == pytest.approx(kernel_rate_bps(*shaped_pair), rel=0.01)


def test_our_own_rate_is_the_one_asked_for():
    assert our_rate_bps() == pytest.approx(RATE_BPS, rel=1e-5)
