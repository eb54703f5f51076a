"""Named networks with their numbers explained.

Endpoint A is on the network that is named and B on a good one, so `a_to_b` is A's uplink and `b_to_a` its downlink.
Delays are one way and include the way across the country. Queues are in bytes; what that means in time stands beside
it. The cellular traces are made in code from a fixed seed: they are part of the preset, not of a call's seed.
"""

from collections.abc import Callable
from dataclasses import replace
from difflib import get_close_matches
from functools import cache
from typing import Final

from netem.cross_traffic import AimdCrossTraffic, BurstyCrossTraffic, ConstantCrossTraffic
from netem.loss import BurstyLoss, RandomLoss
from netem.path_profile import NetworkProfile, PathProfile, QueueKind, QueueProfile, build_path
from netem.synthetic_capacity import CellularWalk, cellular_trace
from rtc.values.errors import LocalMisuse
from rtc.values.randomness import RandomStream
from rtc.values.units import US_PER_MS

__all__ = ["NetworkProfile", "PathProfile", "build_path", "preset", "preset_names"]

_KBPS: Final = 1_000
_MBPS: Final = 1_000_000
_TRACE_STEPS: Final = 600
"""Two minutes of 200 ms: longer than most runs, so that few of them see the loop."""


@cache
def preset(name: str) -> NetworkProfile:
    """The network of that name, or LocalMisuse that lists the known ones."""
    make = _PRESETS.get(name)
    if make is None:
        near = get_close_matches(name.lower(), _PRESETS, n=1)
        guess = f", perhaps {near[0]!r} was meant" if near else ""
        raise LocalMisuse(f"unknown network {name!r}{guess}; known networks: {', '.join(_PRESETS)}")
    return make()


def preset_names() -> tuple[str, ...]:
    """Every name that `preset` knows, from the best network to the worst."""
    return tuple(_PRESETS)


def _perfect() -> NetworkProfile:
    # 1 Gbps, so that a key frame's burst takes microseconds; 5 ms one way is a city; no burst fills the queue (64 ms).
    path = PathProfile(capacity=1_000 * _MBPS, queue=QueueProfile(limit_bytes=8_000_000), one_way_delay_us=_ms(5))
    return _network("perfect", "a wire that is never full: 1 Gbps, 5 ms, no loss", path, path)


def _wifi() -> NetworkProfile:
    # The 40/10 Mbps line behind the access point is the bottleneck. CoDel, as current access points run it (FQ-CoDel,
    # RFC 8290). Jitter up to 12 ms, 3 on average: contention for the channel and aggregation of frames. Loss is rare,
    # because WiFi repeats lost frames itself.
    up = PathProfile(
        capacity=10 * _MBPS,
        queue=QueueProfile(kind=QueueKind.CODEL, limit_bytes=500_000),
        loss=RandomLoss(fraction=0.001),
        one_way_delay_us=_ms(12),
        jitter_us=_ms(12),
    )
    return _network(
        "wifi", "home WiFi near the access point on a 40/10 Mbps line", up, replace(up, capacity=40 * _MBPS)
    )


def _wifi_bad() -> NetworkProfile:
    # Two walls away: 4 Mbps, half a second of airtime now and then taken by a neighbour's traffic, what WiFi's own
    # repeats cannot save is lost in bursts (a fade outlasts several packets), jitter up to 60 ms as rates step down.
    # A cheap router's drop-tail queue: 128 kB is 256 ms at 4 Mbps.
    path = PathProfile(
        cross_traffic=(BurstyCrossTraffic(rate_bps=3 * _MBPS, mean_on_us=_ms(500), mean_off_us=_ms(1_500)),),
        capacity=4 * _MBPS,
        queue=QueueProfile(limit_bytes=128_000),
        loss=BurstyLoss(fraction=0.02, mean_burst=3),
        one_way_delay_us=_ms(15),
        jitter_us=_ms(60),
    )
    return _network("wifi-bad", "WiFi two walls away with a busy neighbour: 4 Mbps, bursts, jitter", path, path)


def _lte_walking() -> NetworkProfile:
    # Medians of about 3 Mbps up and 10 down, changing slowly, hardly an outage: walking figures of the public US and
    # Belgian LTE measurements. 25 ms one way: half of a usual LTE round trip. Jitter is the 8 ms HARQ round trip and
    # the uplink's wait for a grant. Base stations hold all they can: 384 kB is 1 s at 3 Mbps.
    walk = CellularWalk(middle_bps=3 * _MBPS, ladder=6, reach=1, outage_every=300, outage_steps=(1, 2))
    up = _cellular("lte-walking-up", walk, delay_ms=25, jitter_ms=10, queue_bytes=384_000)
    walk = replace(walk, middle_bps=10 * _MBPS)
    down = _cellular("lte-walking-down", walk, delay_ms=25, jitter_ms=10, queue_bytes=1_000_000)
    return _network("lte-walking", "LTE on foot: about 3 Mbps up, 10 down, slow changes", up, down)


def _lte_driving() -> NetworkProfile:
    # From a car the same link falls by a factor of ten within seconds, and handovers and shadows stop it for 0.4 to
    # 2.4 s, here about twice a minute: what the driving traces of mahimahi's authors show. Medians of about 1 Mbps up
    # and 3 down. The deep queue (256 kB is 2 s at 1 Mbps) turns each fall into delay, not loss.
    walk = CellularWalk(middle_bps=1 * _MBPS, ladder=10, reach=3, outage_every=150, outage_steps=(2, 12))
    up = _cellular("lte-driving-up", walk, delay_ms=35, jitter_ms=20, queue_bytes=256_000)
    walk = replace(walk, middle_bps=3 * _MBPS)
    down = _cellular("lte-driving-down", walk, delay_ms=35, jitter_ms=20, queue_bytes=768_000)
    loss = BurstyLoss(fraction=0.003, mean_burst=3)
    return _network(
        "lte-driving",
        "LTE from a car: about 1 Mbps up, 3 down, falls by tenfold, outages of up to 2.4 s",
        replace(up, loss=loss),
        replace(down, loss=loss),
    )


def _congested() -> NetworkProfile:
    # A 2 Mbps uplink shared with an upload that probes like TCP, from 10 to at most 80 % of the link, and a steady
    # 200 kbps of everything else. 64 kB of drop-tail queue is 256 ms: the upload fills it, backs off and lets it drain,
    # every few seconds. Its round trip is the 40 ms of the path and most of that queue.
    up = PathProfile(
        cross_traffic=(
            AimdCrossTraffic(round_trip_us=_ms(250), start_bps=200 * _KBPS, max_bps=1_600 * _KBPS),
            ConstantCrossTraffic(rate_bps=200 * _KBPS),
        ),
        capacity=2 * _MBPS,
        queue=QueueProfile(limit_bytes=64_000),
        one_way_delay_us=_ms(20),
        jitter_us=_ms(5),
    )
    down = replace(
        up,
        cross_traffic=(AimdCrossTraffic(round_trip_us=_ms(250), start_bps=400 * _KBPS, max_bps=3_200 * _KBPS),),
        capacity=4 * _MBPS,
        queue=QueueProfile(limit_bytes=128_000),
    )
    return _network("congested", "a 4/2 Mbps line shared with an upload, a download and other traffic", up, down)


def _lossy() -> NetworkProfile:
    # Enough rate for any call; 5 % of packets lost one by one, ten times what a call should meet: repair is the test.
    path = PathProfile(
        capacity=5 * _MBPS,
        queue=QueueProfile(limit_bytes=160_000),  # 256 ms
        loss=RandomLoss(fraction=0.05),
        one_way_delay_us=_ms(40),
        jitter_us=_ms(10),
    )
    return _network("lossy", "5 Mbps, 5 % random loss, 80 ms round trip", path, path)


def _satellite() -> NetworkProfile:
    # Geostationary: 35,786 km up and down is 240 ms at the speed of light, with slots and the ground 300 ms one way.
    # Rain takes packets in bursts.
    up = PathProfile(
        capacity=2 * _MBPS,
        queue=QueueProfile(limit_bytes=150_000),  # 600 ms, one bandwidth-delay product
        loss=BurstyLoss(fraction=0.005, mean_burst=4),
        one_way_delay_us=_ms(300),
        jitter_us=_ms(20),
    )
    down = replace(up, capacity=10 * _MBPS, queue=QueueProfile(limit_bytes=750_000))
    return _network("satellite", "geostationary satellite: 10/2 Mbps, 600 ms round trip", up, down)


def _3g() -> NetworkProfile:
    # The 330/780 kbps and 100 ms one way that mobile developers' tools call 3G, made to move: HSPA shares a cell's
    # power among users, so the rate steps up and down. 64 kB is 1.5 s at 330 kbps: 3G's buffers are its worst fault.
    walk = CellularWalk(middle_bps=330 * _KBPS, ladder=4, reach=2, outage_every=300, outage_steps=(2, 8))
    up = _cellular("3g-up", walk, delay_ms=100, jitter_ms=40, queue_bytes=64_000)
    walk = replace(walk, middle_bps=780 * _KBPS)
    down = _cellular("3g-down", walk, delay_ms=100, jitter_ms=40, queue_bytes=128_000)
    loss = RandomLoss(fraction=0.003)
    return _network("3g", "HSPA: 330 kbps up, 780 down, 200 ms", replace(up, loss=loss), replace(down, loss=loss))


def _edge() -> NetworkProfile:
    # EDGE with a few time slots of a cell: 60 kbps up and 120 down are what is left of its 200/240 kbps at a cell's
    # edge. 150 ms one way and more while the link layer repeats blocks. 12 kB is 1.6 s at 60 kbps. It is here because
    # an AV1 call at 30 kbps must still work on it.
    up = PathProfile(
        capacity=60 * _KBPS,
        queue=QueueProfile(limit_bytes=12_000),
        loss=BurstyLoss(fraction=0.01, mean_burst=2),
        one_way_delay_us=_ms(150),
        jitter_us=_ms(100),
    )
    down = replace(up, capacity=120 * _KBPS, queue=QueueProfile(limit_bytes=24_000))
    return _network("edge", "EDGE (2G) at a cell's edge: 60 kbps up, 120 down, 300 ms", up, down)


def _ms(milliseconds: int) -> int:
    return milliseconds * US_PER_MS


def _cellular(name: str, walk: CellularWalk, *, delay_ms: int, jitter_ms: int, queue_bytes: int) -> PathProfile:
    return PathProfile(
        capacity=cellular_trace(walk, steps=_TRACE_STEPS, random_stream=RandomStream.of_seed(1, f"preset/{name}")),
        queue=QueueProfile(limit_bytes=queue_bytes),
        one_way_delay_us=_ms(delay_ms),
        jitter_us=_ms(jitter_ms),
    )


def _network(name: str, description: str, a_to_b: PathProfile, b_to_a: PathProfile) -> NetworkProfile:
    return NetworkProfile(name=name, description=description, a_to_b=a_to_b, b_to_a=b_to_a)


_PRESETS: Final[dict[str, Callable[[], NetworkProfile]]] = {
    "perfect": _perfect,
    "wifi": _wifi,
    "lte-walking": _lte_walking,
    "lossy": _lossy,
    "wifi-bad": _wifi_bad,
    "congested": _congested,
    "satellite": _satellite,
    "lte-driving": _lte_driving,
    "3g": _3g,
    "edge": _edge,
}
