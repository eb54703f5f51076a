"""One direction of a network: a chain of nodes with a bottleneck in it."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

from netem.arrivals import Arrivals, InOrderArrivals, SortedArrivals
from netem.bottleneck_link import BottleneckLink
from netem.cross_traffic import CrossTrafficNode
from netem.duplication import DuplicationNode
from netem.node import Node, Transit
from netem.packet import NEVER, Delivered, DropCause, Dropped, NetworkPacket
from netem.reordering import ReorderingNode
from rtc.values.errors import LocalMisuse


@dataclass(frozen=True, slots=True, kw_only=True)
class PathCounts:
    """The books: `sent + duplicated == delivered + dropped + in_flight`, always; each is counted on its own."""

    sent: int
    duplicated: int
    delivered: int
    dropped: int
    in_flight: int


class Path:
    """Takes packets at one end, gives them out at the other.

    Driven by `send` and `poll_delivered` with times that never decrease. `next_event_us` says when polling may next
    give something (now and then it gives nothing). Polling more or less often changes no outcome.
    """

    def __init__(self, nodes: Sequence[Node]) -> None:
        """Chain `nodes` in the order given; exactly one of them is a bottleneck, and only the last may reorder."""
        links = [node for node in nodes if isinstance(node, BottleneckLink)]
        if len(links) != 1:
            raise LocalMisuse(f"a path of {len(links)} bottleneck links: need exactly one")
        if any(isinstance(node, CrossTrafficNode) for node in nodes[nodes.index(links[0]) :]):
            raise LocalMisuse("cross traffic behind the bottleneck: it must come before, to share it")
        if any(isinstance(node, ReorderingNode) for node in nodes[:-1]):
            raise LocalMisuse("a reordering node in the middle of a path: it must come last")
        self._link = links[0]
        self._cross = tuple(node for node in nodes if isinstance(node, CrossTrafficNode))
        self._copiers = tuple(node for node in nodes if isinstance(node, DuplicationNode))
        self._arrivals: Arrivals = SortedArrivals() if isinstance(nodes[-1], ReorderingNode) else InOrderArrivals()
        self._drops: list[tuple[int, int, Dropped]] = []
        self._now_us = 0
        self._sent = self._delivered = self._dropped_count = self._drops_taken = 0
        for node, after in itertools.pairwise(nodes):
            node.connect(after.accept, self._dropped)
        nodes[-1].connect(self._arrivals.put, self._dropped)
        self._enter = nodes[0].accept

    def send(self, packet: NetworkPacket, now_us: int) -> None:
        """Put a packet in at `now_us`."""
        if now_us < self._now_us:
            raise LocalMisuse(f"sent at {now_us} us, but the path is at {self._now_us} us: time never goes back")
        self._now_us = now_us
        self._sent += 1
        self._enter(Transit(packet, now_us))

    def next_event_us(self) -> int | None:
        """When to poll next, never before the last call; None when nothing is on its way."""
        earliest_us = self._arrivals.next_us()
        wake_us = self._link.wake_us
        if wake_us < earliest_us:  # noqa: PLR1730 - a call of min() costs several times as much here
            earliest_us = wake_us
        if self._drops and self._drops[0][0] < earliest_us:
            earliest_us = self._drops[0][0]
        if earliest_us <= self._now_us:
            return self._now_us
        return earliest_us if earliest_us != NEVER else None

    def poll_delivered(self, now_us: int) -> list[Delivered]:
        """Every packet that came out by `now_us` and was not yet given, in order of arrival."""
        if now_us < self._now_us:
            raise LocalMisuse(f"polled at {now_us} us, but the path is at {self._now_us} us: time never goes back")
        self._now_us = now_us
        for source in self._cross:
            source.advance(now_us)
        self._link.advance(now_us)
        delivered = self._arrivals.take(now_us)
        self._delivered += len(delivered)
        return delivered

    def poll_dropped(self) -> list[Dropped]:
        """Every packet lost by the time the path was last told, and not yet given, in order of loss."""
        drops = self._drops
        dropped = []
        while drops and drops[0][0] <= self._now_us:
            dropped.append(heappop(drops)[2])
        self._drops_taken += len(dropped)
        return dropped

    def capacity_bps(self, now_us: int, window_us: int) -> int:
        """What the bottleneck can carry on average in [now, now + window), the share of cross traffic taken off."""
        if now_us < 0 or window_us <= 0:
            raise LocalMisuse(f"capacity from {now_us} us for {window_us} us: need a time from 0 and a window above 0")
        left = self._link.mean_bps(now_us, window_us)
        for source in self._cross:
            left -= source.share_bps(left)
        return max(0, left)

    def counts(self) -> PathCounts:
        """The books; packets delivered or dropped count as such once polled."""
        return PathCounts(
            sent=self._sent,
            duplicated=sum(node.duplicated for node in self._copiers),
            delivered=self._delivered,
            dropped=self._drops_taken,
            in_flight=self._link.held_packets() + len(self._arrivals) + len(self._drops),
        )

    def _dropped(self, transit: Transit, at_us: int, cause: DropCause) -> None:
        if transit.cross is not None:
            transit.cross.on_dropped(at_us)
            return
        self._dropped_count += 1
        heappush(self._drops, (at_us, self._dropped_count, Dropped(transit.packet, at_us, cause)))
