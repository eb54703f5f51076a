"""Packets that arrive twice, as after a spurious retransmission below IP."""

from netem.node import Drop, Forward, Transit
from rtc.values.errors import LocalMisuse
from rtc.values.randomness import RandomStream


class DuplicationNode:
    """Hands a fraction of packets on twice; both copies go through the rest of the path on their own."""

    __slots__ = ("_draw", "_forward", "_fraction", "duplicated")

    def __init__(self, fraction: float, random_stream: RandomStream) -> None:
        if not 0 <= fraction <= 1:
            raise LocalMisuse(f"duplication of {fraction}: must be from 0 to 1")
        self._fraction = fraction
        self._draw = random_stream.random
        self.duplicated = 0
        """Copies made so far, for the books."""

    def connect(self, forward: Forward, drop: Drop) -> None:  # noqa: ARG002 - duplication loses nothing
        """Say where packets go from here."""
        self._forward = forward

    def accept(self, transit: Transit) -> None:
        """Hand the packet on, some of them twice."""
        if self._draw() < self._fraction:
            copy = Transit(transit.packet, transit.at_us)
            copy.queue_delay_us = transit.queue_delay_us
            self.duplicated += 1
            self._forward(transit)
            self._forward(copy)
        else:
            self._forward(transit)
