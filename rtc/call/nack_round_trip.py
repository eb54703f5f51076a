"""The round trip, seen from a receiver that sends no media: from a request for a packet to its retransmission."""

from collections.abc import Iterable
from typing import Final

MAX_OUTSTANDING: Final = 1_000


class NackRoundTrip:
    """Times requests. A packet asked for twice gives no sample: its answer may be to either (RFC 6298 section 3)."""

    def __init__(self) -> None:
        self._asked_at_us: dict[int, int | None] = {}

    def on_nack(self, sequences: Iterable[int], now_us: int) -> None:
        """These were asked for now."""
        for sequence in sequences:
            self._asked_at_us[sequence] = None if sequence in self._asked_at_us else now_us
        while len(self._asked_at_us) > MAX_OUTSTANDING:
            del self._asked_at_us[next(iter(self._asked_at_us))]

    def on_retransmission(self, sequence: int, now_us: int) -> int | None:
        """A retransmission came; how long it took, where that is certain."""
        asked_at_us = self._asked_at_us.pop(sequence, None)
        return None if asked_at_us is None else now_us - asked_at_us
