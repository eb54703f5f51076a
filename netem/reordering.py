"""Packets that overtake others, as over paths of several routes or with retransmission below IP."""

from dataclasses import dataclass

from netem.node import Drop, Forward, Transit
from rtc.values.errors import LocalMisuse
from rtc.values.randomness import RandomStream


@dataclass(frozen=True, slots=True, kw_only=True)
class Reordering:
    """Some packets are held back while those behind them pass."""

    fraction: float
    """Of packets held back."""
    max_hold_us: int
    """The hold is uniform from 1 us to this."""

    def __post_init__(self) -> None:
        if not 0 <= self.fraction <= 1:
            raise LocalMisuse(f"reordering of {self.fraction}: must be from 0 to 1")
        if self.max_hold_us < 1:
            raise LocalMisuse(f"reordering hold of {self.max_hold_us} us: must be at least 1")


class ReorderingNode:
    """Follows `Reordering`; what leaves it is no longer in time order, so it comes last in a path."""

    __slots__ = ("_draw", "_forward", "_fraction", "_max_hold_us")

    def __init__(self, model: Reordering, random_stream: RandomStream) -> None:
        self._fraction = model.fraction
        self._max_hold_us = model.max_hold_us
        self._draw = random_stream.random

    def connect(self, forward: Forward, drop: Drop) -> None:  # noqa: ARG002 - reordering loses nothing
        """Say where packets go from here."""
        self._forward = forward

    def accept(self, transit: Transit) -> None:
        """Hand the packet on, some of them later."""
        if self._draw() < self._fraction:
            transit.at_us += 1 + int(self._max_hold_us * self._draw())
        self._forward(transit)
