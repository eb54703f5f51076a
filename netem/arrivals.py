"""What has left the last node and waits for its time of arrival."""

from collections import deque
from heapq import heappop, heappush
from typing import Protocol

from netem.node import Transit
from netem.packet import NEVER, Delivered


class Arrivals(Protocol):
    """Takes packets with their arrival times, gives them out when the time has come."""

    def put(self, transit: Transit) -> None:
        """Take a packet that arrives at `transit.at_us`."""

    def next_us(self) -> int:
        """The first arrival, or NEVER."""

    def take(self, now_us: int) -> list[Delivered]:
        """Every packet that has arrived by `now_us`, in order of arrival."""

    def __len__(self) -> int: ...


class InOrderArrivals:
    """For paths that keep order: a plain queue."""

    __slots__ = ("_waiting", "put")

    def __init__(self) -> None:
        self._waiting: deque[Transit] = deque()
        self.put = self._waiting.append

    def __len__(self) -> int:
        return len(self._waiting)

    def next_us(self) -> int:
        """The first arrival, or NEVER."""
        waiting = self._waiting
        return waiting[0].at_us if waiting else NEVER

    def take(self, now_us: int) -> list[Delivered]:
        """Every packet that has arrived by `now_us`."""
        taken = []
        waiting = self._waiting
        while waiting and waiting[0].at_us <= now_us:
            transit = waiting.popleft()
            taken.append(Delivered(transit.packet, transit.at_us, transit.queue_delay_us))
        return taken


class SortedArrivals:
    """For paths that reorder: a heap; packets of the same time keep the order they came in."""

    __slots__ = ("_count", "_waiting")

    def __init__(self) -> None:
        self._waiting: list[tuple[int, int, Transit]] = []
        self._count = 0

    def __len__(self) -> int:
        return len(self._waiting)

    def put(self, transit: Transit) -> None:
        """Take a packet that arrives at `transit.at_us`."""
        heappush(self._waiting, (transit.at_us, self._count, transit))
        self._count += 1

    def next_us(self) -> int:
        """The first arrival, or NEVER."""
        waiting = self._waiting
        return waiting[0][0] if waiting else NEVER

    def take(self, now_us: int) -> list[Delivered]:
        """Every packet that has arrived by `now_us`."""
        taken = []
        waiting = self._waiting
        while waiting and waiting[0][0] <= now_us:
            at_us, _, transit = heappop(waiting)
            taken.append(Delivered(transit.packet, at_us, transit.queue_delay_us))
        return taken
