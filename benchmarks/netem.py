"""The emulator alone: how many packets a second it passes on one core, and how true its rates are.

Speed: packets made beforehand go through a path in virtual time by `netem.simulator.run_packets`, which polls the path
at each of its events as a driver does. Timed in CPU time of this process, so that other work on the machine counts as
little as it can; garbage is collected before each run. Each row is the median of several runs with its spread,
(largest - smallest) / median.

Truth: bytes that a saturated link let through against those its rate or trace allows, in virtual time. That against
the kernel's `tc tbf` is a test (`tests/netem/test_kernel.py`), because it takes real time and rights.
"""

import gc
import statistics
import time
from collections.abc import Mapping
from typing import Final

from benchmarks.report import BenchReport, Verdict
from netem.capacity_trace import CapacityTrace, DeliveryOpportunities
from netem.loss import BurstyLoss, RandomLoss
from netem.packet import NetworkPacket
from netem.path_profile import PathProfile, QueueKind, QueueProfile, build_path
from netem.simulator import run_packets
from rtc.report.tables import Cell
from rtc.values.randomness import RandomStream
from rtc.values.units import BITS_PER_BYTE, US_PER_S

GOAL_PACKETS_PER_S: Final = 200_000
GOAL_ROW: Final = "link_loss_delay"
"""The row the goal is stated for: a link with loss and delay."""
_SIZE_BYTES: Final = 1_200
_GAP_US: Final = 1_000
"""Offered 9.6 Mbps."""
_QUEUE: Final = QueueProfile(limit_bytes=100_000)

PATHS: Final[dict[str, PathProfile]] = {
    # Just keeps up: hardly a queue.
    GOAL_ROW: PathProfile(capacity=10_000_000, queue=_QUEUE, loss=RandomLoss(fraction=0.02), one_way_delay_us=20_000),
    # Overloaded: the queue is always full, so that every packet waits for an event of its own.
    "link_loss_delay_overloaded": PathProfile(
        capacity=9_000_000, queue=_QUEUE, loss=RandomLoss(fraction=0.02), one_way_delay_us=20_000
    ),
    "codel_bursty_loss_jitter": PathProfile(
        capacity=9_000_000,
        queue=QueueProfile(kind=QueueKind.CODEL, limit_bytes=100_000),
        loss=BurstyLoss(fraction=0.02, mean_burst=4),
        one_way_delay_us=20_000,
        jitter_us=10_000,
    ),
    # 9.6 Mbps: four packets in five ms.
    "mahimahi": PathProfile(
        capacity=DeliveryOpportunities(times_ms=(1, 2, 3, 5)),
        queue=_QUEUE,
        loss=RandomLoss(fraction=0.02),
        one_way_delay_us=20_000,
    ),
}
"""What is measured, by the name of its row."""


def run(*, quick: bool) -> BenchReport:
    """The table and the verdicts of `measure` and of two saturated links."""
    figures = measure(quick=quick)
    seconds = 60 if quick else 600
    constant_off = bytes_off(999_983, allowed_bytes=999_983 * seconds // BITS_PER_BYTE, seconds=seconds)
    trace = DeliveryOpportunities(times_ms=(2, 3, 3, 9, 17, 40))
    trace_off = bytes_off(trace, allowed_bytes=seconds * 25 * len(trace.times_ms) * 1500, seconds=seconds)
    return BenchReport(
        name="netem",
        goal=f"at least {GOAL_PACKETS_PER_S:,} packets a second per core through a link with loss and delay",
        rows=tuple(_row(name, figures) for name in PATHS),
        verdicts=(
            Verdict(
                goal=f"{GOAL_ROW}: at least {GOAL_PACKETS_PER_S:,} packets a second",
                measured=f"{figures[f'{GOAL_ROW}_packets_per_s']:,.0f}",
                met=figures["goal_met"] == 1.0,
            ),
            Verdict(
                goal=f"bytes through a constant link exact to one packet of {_SIZE_BYTES} after {seconds} s",
                measured=f"{constant_off} bytes short",
                met=0 <= constant_off < _SIZE_BYTES,
            ),
            Verdict(
                goal=f"a Mahimahi trace to the byte (what is left of a packet aside) after {seconds} s",
                measured=f"{trace_off} bytes short",
                met=0 <= trace_off < _SIZE_BYTES,
            ),
        ),
        notes=("Median of several runs in CPU time; spread is (largest - smallest) / median.",),
    )


def _row(name: str, figures: Mapping[str, float]) -> Mapping[str, Cell]:
    return {
        "path": name,
        "packets/s": round(figures[f"{name}_packets_per_s"]),
        "spread %": round(100 * figures[f"{name}_spread"], 1),
    }


def bytes_off(capacity: int | CapacityTrace, *, allowed_bytes: int, seconds: int) -> int:
    """Bytes that a saturated link stayed under what it may carry in `seconds`; the packet under way is not counted."""
    count = allowed_bytes // _SIZE_BYTES + 10
    profile = PathProfile(capacity=capacity, queue=QueueProfile(limit_bytes=count * _SIZE_BYTES), one_way_delay_us=0)
    backlog = [NetworkPacket(size_bytes=_SIZE_BYTES, payload=None, sent_at_us=0) for _ in range(count)]
    delivered = run_packets(build_path(profile, RandomStream.of_seed(1)), backlog).delivered
    return allowed_bytes - sum(one.packet.size_bytes for one in delivered if one.at_us <= seconds * US_PER_S)


def measure(*, quick: bool) -> dict[str, float]:
    """Packets a CPU second for each row, median and spread, the goal, and whether it is met (1.0 or 0.0)."""
    count, runs = (50_000, 5) if quick else (200_000, 9)
    figures: dict[str, float] = {}
    for name, profile in PATHS.items():
        rates = [packets_per_s(profile, count=count) for _ in range(runs)]
        figures[f"{name}_packets_per_s"] = statistics.median(rates)
        figures[f"{name}_spread"] = (max(rates) - min(rates)) / statistics.median(rates)
    figures["goal_packets_per_s"] = GOAL_PACKETS_PER_S
    figures["goal_met"] = float(figures[f"{GOAL_ROW}_packets_per_s"] >= GOAL_PACKETS_PER_S)
    return figures


def packets_per_s(profile: PathProfile, *, count: int) -> float:
    """Packets a CPU second of one run of `count` packets."""
    packets = [
        NetworkPacket(size_bytes=_SIZE_BYTES, payload=None, sent_at_us=index * _GAP_US) for index in range(count)
    ]
    path = build_path(profile, RandomStream.of_seed(1))
    gc.collect()
    began_s = time.process_time()
    outcome = run_packets(path, packets)
    took_s = time.process_time() - began_s
    assert len(outcome.delivered) + len(outcome.dropped) == count
    return count / took_s
