"""A path and a network described as frozen values, and the path built from its description."""

import enum
from dataclasses import dataclass, field

from netem.bottleneck_link import BottleneckLink
from netem.capacity_trace import MAX_RATE_BPS, CapacityTrace
from netem.cross_traffic import CrossTraffic, CrossTrafficNode
from netem.delay import MAX_DELAY_US, DelayNode, DelayTrace, DelayTraceNode
from netem.duplication import DuplicationNode
from netem.loss import LossModel, RandomLoss, loss_node
from netem.node import Node
from netem.path import Path
from netem.queues import CoDelQueue, DropTailQueue, HeadDropQueue, PacketQueue
from netem.reordering import Reordering, ReorderingNode
from netem.transmitters import transmitter_of
from rtc.values.errors import LocalMisuse
from rtc.values.randomness import RandomStream
from rtc.values.units import US_PER_MS


class QueueKind(enum.Enum):
    """Whom a full or slow queue drops."""

    DROP_TAIL = "drop_tail"
    HEAD_DROP = "head_drop"
    CODEL = "codel"


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueProfile:
    """The bottleneck's queue: its discipline and its bounds, both of which hold."""

    kind: QueueKind = QueueKind.DROP_TAIL
    limit_bytes: int
    limit_packets: int = 1_000_000
    """By default no bound beside the bytes."""
    codel_target_us: int = 5 * US_PER_MS
    """RFC 8289 section 4.4."""
    codel_interval_us: int = 100 * US_PER_MS
    """RFC 8289 section 4.3."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PathProfile:
    """One direction of a network. Packets meet its parts in the order of the fields."""

    cross_traffic: tuple[CrossTraffic, ...] = ()
    queue: QueueProfile
    capacity: int | CapacityTrace
    """Bits a second, or a trace."""
    loss: LossModel = field(default_factory=lambda: RandomLoss(fraction=0.0))
    """After the link: what a radio loses has taken its time."""
    duplicate_fraction: float = 0.0
    one_way_delay_us: int
    jitter_us: int = 0
    """The most that jitter adds; see `DelayNode` for its distribution. Order is kept."""
    delay_trace: DelayTrace | None = None
    """In place of delay and jitter, when given."""
    reordering: Reordering | None = None

    def __post_init__(self) -> None:
        if isinstance(self.capacity, int) and not 0 < self.capacity <= MAX_RATE_BPS:
            raise LocalMisuse(f"capacity of {self.capacity} bits a second: must be above 0 and at most {MAX_RATE_BPS}")
        if not 0 <= self.one_way_delay_us <= MAX_DELAY_US or not 0 <= self.jitter_us <= MAX_DELAY_US:
            raise LocalMisuse(
                f"one-way delay of {self.one_way_delay_us} us, jitter of {self.jitter_us} us: "
                f"must be from 0 to {MAX_DELAY_US}"
            )
        if not 0 <= self.duplicate_fraction <= 1:
            raise LocalMisuse(f"duplication of {self.duplicate_fraction}: must be from 0 to 1")


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkProfile:
    """Both directions between two endpoints."""

    name: str
    description: str
    """One line: what it stands for."""
    a_to_b: PathProfile
    b_to_a: PathProfile


def build_path(profile: PathProfile, random_stream: RandomStream) -> Path:
    """The path that a profile describes; every part draws from a substream of its own."""
    nodes: list[Node] = [
        CrossTrafficNode(source, random_stream.substream(f"cross-{index}"))
        for index, source in enumerate(profile.cross_traffic)
    ]
    nodes.append(BottleneckLink(_queue_of(profile.queue), transmitter_of(profile.capacity)))
    if not (isinstance(profile.loss, RandomLoss) and profile.loss.fraction == 0):
        nodes.append(loss_node(profile.loss, random_stream.substream("loss")))
    if profile.duplicate_fraction:
        nodes.append(DuplicationNode(profile.duplicate_fraction, random_stream.substream("duplication")))
    nodes.append(_delay_of(profile, random_stream))
    if profile.reordering is not None:
        nodes.append(ReorderingNode(profile.reordering, random_stream.substream("reordering")))
    return Path(nodes)


def _delay_of(profile: PathProfile, random_stream: RandomStream) -> Node:
    if profile.delay_trace is not None:
        return DelayTraceNode(profile.delay_trace)
    return DelayNode(
        delay_us=profile.one_way_delay_us,
        jitter_us=profile.jitter_us,
        random_stream=random_stream.substream("jitter"),
    )


def _queue_of(profile: QueueProfile) -> PacketQueue:
    limits = {"limit_bytes": profile.limit_bytes, "limit_packets": profile.limit_packets}
    if profile.kind is QueueKind.CODEL:
        return CoDelQueue(**limits, target_us=profile.codel_target_us, interval_us=profile.codel_interval_us)
    if profile.kind is QueueKind.HEAD_DROP:
        return HeadDropQueue(**limits)
    return DropTailQueue(**limits)
