"""From what a user names to a network: a preset or a file, then the options that win over it."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final, TypeVar

from netem.capacity_trace import MAX_RATE_BPS, CapacityTrace
from netem.delay import MAX_DELAY_US, DelayTrace
from netem.delay_parsing import DelayMeaning, parse_delay_trace
from netem.loss import LossModel
from netem.loss_parsing import parse_loss, parse_recorded_loss
from netem.path_profile import NetworkProfile, PathProfile, QueueProfile
from netem.presets import preset, preset_names
from netem.trace_parsing import TraceDirection, parse_capacity
from rtc.sim.text_files import read_text
from rtc.values.errors import LocalMisuse
from rtc.values.units import BITS_PER_BYTE, US_PER_MS

MAX_FILE_BYTES: Final = 64 * 1024 * 1024
"""Many times the largest trace in circulation; more is some other file."""
_FILE_ONE_WAY_US: Final = 25 * US_PER_MS
"""A capacity file says nothing of delay: half of a usual cellular round trip."""
_LEAST_QUEUE_BYTES: Final = 16_000
"""About ten full packets: less would drop the packets of a single frame."""

_Parsed = TypeVar("_Parsed")


def load_network(
    name_or_path: str,
    *,
    loss: str | None = None,
    delay_trace: str | None = None,
    rtt_ms: float | None = None,
    capacity_kbps: float | None = None,
    direction: TraceDirection = TraceDirection.DOWN,
) -> NetworkProfile:
    """The network a user asks for, or LocalMisuse with one line; every option applies to both directions.

    `name_or_path`: a preset's name, or a capacity file, which then holds in both directions with 25 ms each way and a
    drop-tail queue of a second at its mean rate; `direction` chooses the column where a CSV has both. `loss`: see
    `load_loss`. `delay_trace`: a file; its losses hold in both directions, as an outage does. `capacity_kbps` keeps the
    queue's length in time.
    """
    network = _preset_or_file(name_or_path, direction=direction)
    if capacity_kbps is not None:
        capacity_bps = _capacity_bps(capacity_kbps)
        network = _both(network, lambda path: _with_capacity(path, capacity_bps))
    if loss is not None:
        model = load_loss(loss)
        network = _both(network, lambda path: replace(path, loss=model))
    if rtt_ms is not None:
        one_way_us = _one_way_us(rtt_ms)
        network = _both(network, lambda path: replace(path, one_way_delay_us=one_way_us, delay_trace=None))
    if delay_trace is not None:
        delays = load_delay_trace(delay_trace)
        network = _both(network, lambda path: replace(path, delay_trace=delays))
    return network


def load_loss(text_or_path: str) -> LossModel:
    """A loss option: `0.05`, `5%`, `bursty:FRACTION:MEAN_BURST`, or the path of a file of 0/1 a packet."""
    path = Path(text_or_path)
    return _parse_file(path, parse_recorded_loss) if _is_file(path) else parse_loss(text_or_path)


def load_delay_trace(path: str, *, meaning: DelayMeaning = DelayMeaning.ROUND_TRIP) -> DelayTrace:
    """A file of round-trip or one-way delay over time; `meaning` counts only where the file has no header."""
    return _parse_file(Path(path), lambda text: parse_delay_trace(text, meaning=meaning))


def load_capacity(path: str, *, direction: TraceDirection = TraceDirection.DOWN) -> CapacityTrace:
    """A file of capacity over time, in any format that `parse_capacity` recognises."""
    return _parse_file(Path(path), lambda text: parse_capacity(text, direction=direction))


def _preset_or_file(name_or_path: str, *, direction: TraceDirection) -> NetworkProfile:
    if name_or_path in preset_names():
        return preset(name_or_path)
    path = Path(name_or_path)
    if not name_or_path or not _exists(path):
        if "/" in name_or_path or path.suffix:
            raise LocalMisuse(
                f"{name_or_path}: no such capacity file, nor a network of that name; "
                f"known networks: {', '.join(preset_names())}"
            )
        return preset(name_or_path)
    capacity = load_capacity(name_or_path, direction=direction)
    both = PathProfile(
        capacity=capacity,
        queue=QueueProfile(limit_bytes=max(4 * _LEAST_QUEUE_BYTES, capacity.mean_bps // BITS_PER_BYTE)),
        one_way_delay_us=_FILE_ONE_WAY_US,
    )
    return NetworkProfile(name=path.name, description=f"capacity of {path.name}", a_to_b=both, b_to_a=both)


def _both(network: NetworkProfile, change: Callable[[PathProfile], PathProfile]) -> NetworkProfile:
    return replace(network, a_to_b=change(network.a_to_b), b_to_a=change(network.b_to_a))


def _with_capacity(path: PathProfile, capacity_bps: int) -> PathProfile:
    before_bps = path.capacity if isinstance(path.capacity, int) else path.capacity.mean_bps
    limit_bytes = max(_LEAST_QUEUE_BYTES, path.queue.limit_bytes * capacity_bps // max(1, before_bps))
    return replace(path, capacity=capacity_bps, queue=replace(path.queue, limit_bytes=limit_bytes))


def _capacity_bps(capacity_kbps: float) -> int:
    if not 0 < capacity_kbps * 1_000 <= MAX_RATE_BPS or round(capacity_kbps * 1_000) == 0:
        raise LocalMisuse(f"capacity of {capacity_kbps} kbps: must be above 0 and at most {MAX_RATE_BPS // 1_000} kbps")
    return round(capacity_kbps * 1_000)


def _one_way_us(rtt_ms: float) -> int:
    most_ms = 2 * MAX_DELAY_US // US_PER_MS
    if not 0 <= rtt_ms <= most_ms:
        raise LocalMisuse(f"round trip of {rtt_ms} ms: must be from 0 to {most_ms}")
    return round(rtt_ms * US_PER_MS / 2)


def _parse_file(path: Path, parse: Callable[[str], _Parsed]) -> _Parsed:
    """What a file holds, its name put in front of every complaint."""
    text = read_text(path, most_bytes=MAX_FILE_BYTES, what="a trace")
    try:
        return parse(text)
    except LocalMisuse as error:
        raise LocalMisuse(f"{path}: {error}") from None


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # a name too long for the file system, or with a NUL: no file
        return False


def _is_file(path: Path) -> bool:
    return _exists(path) and not path.is_dir()
