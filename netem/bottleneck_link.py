"""The link that is slower than the rest of the path, and the queue in front of it."""

from netem.node import Drop, Forward, Transit
from netem.packet import NEVER, DropCause
from netem.queues import PacketQueue
from netem.transmitters import Transmitter


class BottleneckLink:
    """Transmits one packet after another; the others wait in the queue.

    Driven by `accept` in time order. A packet is handed on when its transmission begins, stamped with its end, so
    `wake_us` is the next time a transmission of the user's can begin. Cross traffic takes its time and ends here.
    """

    __slots__ = ("_drop", "_forward", "_own_waiting", "_queue", "_start_us", "_transmitter", "wake_us")

    def __init__(self, queue: PacketQueue, transmitter: Transmitter) -> None:
        self._queue = queue
        self._transmitter = transmitter
        self._start_us = NEVER
        """When the next transmission begins; NEVER while nothing waits."""
        self._own_waiting = 0
        self.wake_us = NEVER

    def connect(self, forward: Forward, drop: Drop) -> None:
        """Say where packets go from here."""
        self._forward = forward
        self._drop = drop
        self._queue.connect(self._dropped)

    def accept(self, transit: Transit) -> None:
        """Queue an arrival, and begin to transmit it if the link is free."""
        now_us = transit.at_us
        if self._start_us <= now_us:
            self._transmit(now_us)
        if transit.cross is None:
            self._own_waiting += 1
        self._queue.enqueue(transit)
        if self._start_us == NEVER and self._queue.waiting:
            self._start_us = start_us = self._transmitter.start_us(now_us)
            if start_us <= now_us:
                self._transmit(now_us)
        self.wake_us = self._start_us if self._own_waiting else NEVER

    def advance(self, now_us: int) -> None:
        """Begin every transmission that can begin by `now_us`."""
        if self._start_us <= now_us:
            self._transmit(now_us)
            self.wake_us = self._start_us if self._own_waiting else NEVER

    def held_packets(self) -> int:
        """The user's packets in the queue."""
        return sum(transit.cross is None for transit in self._queue.waiting)

    def mean_bps(self, now_us: int, window_us: int) -> int:
        """What the link can carry on average in the window, cross traffic included."""
        return self._transmitter.mean_bps(now_us, window_us)

    def _transmit(self, until_us: int) -> None:
        queue = self._queue
        waiting = queue.waiting
        transmitter = self._transmitter
        start_us = self._start_us
        while start_us <= until_us:
            transit = queue.dequeue(start_us)
            if transit is not None:
                transit.queue_delay_us += start_us - transit.at_us
                transit.at_us = transmitter.finish_us(start_us, transit.size_bytes)
                if transit.cross is None:
                    self._own_waiting -= 1
                    self._forward(transit)
            start_us = transmitter.start_us(waiting[0].at_us) if waiting else NEVER
        self._start_us = start_us

    def _dropped(self, transit: Transit, at_us: int, cause: DropCause) -> None:
        if transit.cross is None:
            self._own_waiting -= 1
        self._drop(transit, at_us, cause)
