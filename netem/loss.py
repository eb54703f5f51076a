"""Packets that vanish: models as frozen values, and the nodes that follow them."""

from dataclasses import dataclass, field

from netem.node import Drop, Forward, Node, Transit
from netem.packet import DropCause
from rtc.values.errors import LocalMisuse
from rtc.values.randomness import RandomStream


@dataclass(frozen=True, slots=True, kw_only=True)
class RandomLoss:
    """Each packet is lost with the same probability, whatever happened to the others."""

    fraction: float

    def __post_init__(self) -> None:
        if not 0 <= self.fraction < 1:
            raise LocalMisuse(f"loss {self.fraction}: must be at least 0 and below 1")


@dataclass(frozen=True, slots=True, kw_only=True)
class BurstyLoss:
    """Gilbert's two-state model, the loss-free good state and the lossy bad one, by what can be measured of it."""

    fraction: float
    """Of all packets, in the long run."""
    mean_burst: float
    """Packets lost in a row, on average; 1 or more."""

    def __post_init__(self) -> None:
        if not 0 <= self.fraction < 1:
            raise LocalMisuse(f"bursty loss of {self.fraction}: must be at least 0 and below 1")
        if not 1 <= self.mean_burst < 1_000_000:  # noqa: PLR2004 - longer than any call; inf and NaN fail too
            raise LocalMisuse(f"mean burst {self.mean_burst}: must be from 1 to 1000000 packets")
        # Between two bursts at least one packet arrives: that bounds the fraction.
        most = self.mean_burst / (self.mean_burst + 1)
        if self.fraction > most:
            raise LocalMisuse(
                f"bursty loss of {self.fraction} in bursts of {self.mean_burst} is impossible: "
                f"a packet arrives between bursts, so at most {most:.3f} are lost"
            )

    @property
    def leave_probability(self) -> float:
        """Of the bad state, before each packet: bursts are geometric with the given mean."""
        return 1 / self.mean_burst

    @property
    def enter_probability(self) -> float:
        """Of the bad state, before each packet: makes its stationary share the given fraction."""
        return min(1.0, self.fraction * self.leave_probability / (1 - self.fraction))


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedLoss:
    """The fate of each packet in turn, from a recording; after the last the first again."""

    lost: tuple[bool, ...] = field(repr=False)

    def __post_init__(self) -> None:
        if not self.lost:
            raise LocalMisuse("recorded loss: need at least one packet's fate")
        if all(self.lost):
            raise LocalMisuse("recorded loss: every packet is lost, so nothing would ever arrive")

    @property
    def fraction(self) -> float:
        """Share of packets lost."""
        return sum(self.lost) / len(self.lost)


LossModel = RandomLoss | BurstyLoss | RecordedLoss
"""How a path loses packets beside those its queue drops."""


class RandomLossNode:
    """Follows `RandomLoss`: one draw a packet."""

    __slots__ = ("_draw", "_drop", "_forward", "_fraction")

    def __init__(self, model: RandomLoss, random_stream: RandomStream) -> None:
        self._fraction = model.fraction
        self._draw = random_stream.random

    def connect(self, forward: Forward, drop: Drop) -> None:
        """Say where packets go from here."""
        self._forward = forward
        self._drop = drop

    def accept(self, transit: Transit) -> None:
        """Lose the packet, or hand it on."""
        if self._draw() < self._fraction:
            self._drop(transit, transit.at_us, DropCause.RANDOM_LOSS)
        else:
            self._forward(transit)


class BurstyLossNode:
    """Follows `BurstyLoss`: one draw a packet moves between the states, and the bad state loses it."""

    __slots__ = ("_draw", "_drop", "_enter", "_forward", "_in_burst", "_leave")

    def __init__(self, model: BurstyLoss, random_stream: RandomStream) -> None:
        self._enter = model.enter_probability
        self._leave = model.leave_probability
        self._draw = random_stream.random
        self._in_burst = False

    def connect(self, forward: Forward, drop: Drop) -> None:
        """Say where packets go from here."""
        self._forward = forward
        self._drop = drop

    def accept(self, transit: Transit) -> None:
        """Change state or not, then lose the packet or hand it on."""
        if self._draw() < (self._leave if self._in_burst else self._enter):
            self._in_burst = not self._in_burst
        if self._in_burst:
            self._drop(transit, transit.at_us, DropCause.BURSTY_LOSS)
        else:
            self._forward(transit)


class RecordedLossNode:
    """Follows `RecordedLoss`: packet by packet, whatever the time between them."""

    __slots__ = ("_drop", "_forward", "_lost", "_next")

    def __init__(self, model: RecordedLoss) -> None:
        self._lost = model.lost
        self._next = 0

    def connect(self, forward: Forward, drop: Drop) -> None:
        """Say where packets go from here."""
        self._forward = forward
        self._drop = drop

    def accept(self, transit: Transit) -> None:
        """Lose the packet or hand it on, as recorded."""
        lost = self._lost[self._next]
        self._next = (self._next + 1) % len(self._lost)
        if lost:
            self._drop(transit, transit.at_us, DropCause.RECORDED_LOSS)
        else:
            self._forward(transit)


def loss_node(model: LossModel, random_stream: RandomStream) -> Node:
    """The node that follows a model."""
    if isinstance(model, RandomLoss):
        return RandomLossNode(model, random_stream)
    if isinstance(model, BurstyLoss):
        return BurstyLossNode(model, random_stream)
    return RecordedLossNode(model)
