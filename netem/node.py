"""What every part of a path has in common.

A path is a stream of arrivals in time order, so a node may act as soon as an arrival is handed to it, whatever the
time outside: a link hands a packet on when its transmission *begins*, stamped with the time it will *end*. That is why
only the bottleneck, which must wait for what has not arrived yet, has events, and why the outcome does not depend on
how often a path is polled.
"""

from collections.abc import Callable
from typing import Protocol

from netem.packet import DropCause, NetworkPacket


class CrossSource(Protocol):
    """Traffic of others that shares the bottleneck; told of its losses, as a sender would learn of them."""

    def on_dropped(self, at_us: int) -> None:
        """One of this source's packets was dropped at `at_us`."""


class Transit:
    """A packet between two nodes; the nodes move its time along."""

    __slots__ = ("at_us", "cross", "packet", "queue_delay_us", "size_bytes")

    def __init__(self, packet: NetworkPacket, at_us: int, cross: CrossSource | None = None) -> None:
        self.packet = packet
        self.size_bytes = packet.size_bytes
        self.at_us = at_us
        """When it arrives at the node it is handed to."""
        self.queue_delay_us = 0
        self.cross = cross
        """Whose it is, when it is not the path user's: it ends at the bottleneck."""


Forward = Callable[[Transit], None]
"""Takes a packet that leaves a node; times never decrease, except out of a node that may reorder."""
Drop = Callable[[Transit, int, DropCause], None]
"""Takes a packet that a node lost, when, and why."""


class Node(Protocol):
    """One thing that happens to packets on their way."""

    def connect(self, forward: Forward, drop: Drop) -> None:
        """Say where packets go from here; called once, before the first packet."""

    def accept(self, transit: Transit) -> None:
        """Take a packet that arrives at `transit.at_us`, no earlier than the one before."""
