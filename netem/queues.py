"""The bottleneck's waiting room: what is let in, what is thrown out, what goes next.

The packet in transmission has left the queue and takes no room in it, as in mahimahi and in a network card's ring.
"""

from collections import deque
from math import isqrt
from typing import Final, Protocol

from netem.node import Drop, Transit
from netem.packet import DropCause
from rtc.values.errors import LocalMisuse

MAX_PACKET_BYTES: Final = 1500
"""Ethernet's largest IP packet: a queue must hold at least one, and CoDel leaves one alone (RFC 8289 section 4.4)."""


class PacketQueue(Protocol):
    """First in, first out; disciplines differ in whom they drop."""

    waiting: deque[Transit]

    def connect(self, drop: Drop) -> None:
        """Say who takes the dropped packets."""

    def enqueue(self, transit: Transit) -> None:
        """Take in a packet that arrives at `transit.at_us`, or drop it or others."""

    def dequeue(self, now_us: int) -> Transit | None:
        """The packet to transmit next; None when the discipline emptied the queue instead."""


class DropTailQueue:
    """Refuses an arrival for which there is no room; bounded in bytes, in packets or both."""

    __slots__ = ("_drop", "_limit_bytes", "_limit_packets", "waiting", "waiting_bytes")

    def __init__(self, *, limit_bytes: int, limit_packets: int) -> None:
        if limit_bytes < MAX_PACKET_BYTES or limit_packets < 1:
            raise LocalMisuse(
                f"queue of {limit_bytes} bytes and {limit_packets} packets: "
                f"it must have room for at least one packet of {MAX_PACKET_BYTES} bytes"
            )
        self.waiting: deque[Transit] = deque()
        self.waiting_bytes = 0
        self._limit_bytes = limit_bytes
        self._limit_packets = limit_packets

    def connect(self, drop: Drop) -> None:
        """Say who takes the dropped packets."""
        self._drop = drop

    def enqueue(self, transit: Transit) -> None:
        """Take in an arrival, or drop it with QUEUE_FULL."""
        after = self.waiting_bytes + transit.size_bytes
        if after > self._limit_bytes or len(self.waiting) >= self._limit_packets:
            self._drop(transit, transit.at_us, DropCause.QUEUE_FULL)
            return
        self.waiting_bytes = after
        self.waiting.append(transit)

    def dequeue(self, now_us: int) -> Transit | None:  # noqa: ARG002 - time matters to other disciplines only
        """The oldest packet."""
        transit = self.waiting.popleft()
        self.waiting_bytes -= transit.size_bytes
        return transit


class HeadDropQueue(DropTailQueue):
    """Makes room for an arrival by dropping the oldest packets: what is late anyway goes first."""

    __slots__ = ()

    def enqueue(self, transit: Transit) -> None:
        """Take in an arrival, dropping from the head until it fits."""
        waiting = self.waiting
        while waiting and (
            self.waiting_bytes + transit.size_bytes > self._limit_bytes or len(waiting) >= self._limit_packets
        ):
            oldest = waiting.popleft()
            self.waiting_bytes -= oldest.size_bytes
            self._drop(oldest, transit.at_us, DropCause.HEAD_DROP)
        super().enqueue(transit)


class CoDelQueue(DropTailQueue):
    """Drops on leaving when the sojourn time stayed above a target for an interval (RFC 8289 section 5).

    Names follow the RFC's pseudocode. The hard limit drops at the tail.
    """

    __slots__ = ("_count", "_drop_next_us", "_dropping", "_first_above_us", "_interval_us", "_last_count", "_target_us")

    def __init__(self, *, limit_bytes: int, limit_packets: int, target_us: int, interval_us: int) -> None:
        super().__init__(limit_bytes=limit_bytes, limit_packets=limit_packets)
        if not 0 < target_us < interval_us:
            raise LocalMisuse(f"CoDel target {target_us} us, interval {interval_us} us: need 0 < target < interval")
        self._target_us = target_us
        self._interval_us = interval_us
        self._first_above_us = 0
        self._drop_next_us = 0
        self._count = 0
        self._last_count = 0
        self._dropping = False

    def dequeue(self, now_us: int) -> Transit | None:
        """The next packet that CoDel lets through."""
        transit, may_drop = self._take(now_us)
        if self._dropping:
            self._dropping = may_drop
            while self._dropping and now_us >= self._drop_next_us:
                self._drop_at_head(transit, now_us)
                self._count += 1
                transit, self._dropping = self._take(now_us)
                if self._dropping:
                    self._drop_next_us = self._control_law(self._drop_next_us)
        elif may_drop:
            self._drop_at_head(transit, now_us)
            transit, _ = self._take(now_us)
            self._start_dropping(now_us)
        return transit

    def _take(self, now_us: int) -> tuple[Transit | None, bool]:
        """The oldest packet, and whether it may be dropped (the RFC's `dodequeue`)."""
        if not self.waiting:
            self._first_above_us = 0
            return None, False
        transit = super().dequeue(now_us)
        assert transit is not None
        if now_us - transit.at_us < self._target_us or self.waiting_bytes <= MAX_PACKET_BYTES:
            self._first_above_us = 0
        elif self._first_above_us == 0:
            self._first_above_us = now_us + self._interval_us
        elif now_us >= self._first_above_us:
            return transit, True
        return transit, False

    def _start_dropping(self, now_us: int) -> None:
        """Enter the dropping state, near the drop rate that worked last time if that is recent."""
        self._dropping = True
        since = self._count - self._last_count
        recent = now_us - self._drop_next_us < 16 * self._interval_us
        self._count = since if since > 1 and recent else 1
        self._drop_next_us = self._control_law(now_us)
        self._last_count = self._count

    def _control_law(self, after_us: int) -> int:
        """The next drop, interval / sqrt(count) later; an integer root, so that every machine agrees."""
        return after_us + isqrt(self._interval_us * self._interval_us // self._count)

    def _drop_at_head(self, transit: Transit | None, now_us: int) -> None:
        assert transit is not None
        self._drop(transit, now_us, DropCause.CODEL)
