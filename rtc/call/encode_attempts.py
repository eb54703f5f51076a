"""The encodes of one picture: how many there were, and which of them decoders could still be sent."""

from dataclasses import dataclass
from typing import Final

from rtc.call.controller import FrameOrder
from rtc.values.encoding import EncodeResult

_NO_SLOTS: Final[frozenset[int]] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class EncodeAttempt:
    """One encode of a picture: what was ordered and what came of it."""

    order: FrameOrder
    result: EncodeResult


class EncodeAttempts:
    """Holds the encodes of the picture in the encoder; driven by the sender, which clears it for the next picture."""

    def __init__(self) -> None:
        self._attempts: list[EncodeAttempt] = []

    @property
    def encodes(self) -> int:
        """How often the picture was encoded."""
        return len(self._attempts)

    @property
    def encode_time_us(self) -> int:
        """The time of all encodes together."""
        return sum(attempt.result.encode_time_us for attempt in self._attempts)

    @property
    def sendable(self) -> list[EncodeAttempt]:
        """Encodes that made bytes and whose slots no later one filled: decoders and encoder would agree on them."""
        kept: list[EncodeAttempt] = []
        filled = _NO_SLOTS
        for attempt in reversed(self._attempts):
            slots = attempt.order.settings.update_slots
            if attempt.result.payload and filled.isdisjoint(slots):
                kept.append(attempt)
                filled |= slots
        kept.reverse()
        return kept

    def add(self, order: FrameOrder, result: EncodeResult) -> None:
        """The answer to an order; a second answer to one that was refused takes the first one's place."""
        del self._attempts[order.attempt :]
        self._attempts.append(EncodeAttempt(order=order, result=result))

    def clear(self) -> None:
        """The picture is done with."""
        self._attempts.clear()
