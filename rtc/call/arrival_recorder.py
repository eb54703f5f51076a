"""When packets arrived, until it is reported (transport-wide congestion control feedback)."""

from typing import Final

from rtc.rtp.sequence import SequenceUnwrapper
from rtc.values.feedback import TransportFeedback

MAX_REPORTED: Final = 1_000
"""Sequence numbers in one report; a jump beyond it, as a hostile peer can make it, only reports its newest part."""


class ArrivalRecorder:
    """Collects arrivals by transport-wide sequence number and reports each once, gaps included."""

    def __init__(self, sender_ssrc: int, media_ssrc: int) -> None:
        self._sender_ssrc = sender_ssrc
        self._media_ssrc = media_ssrc
        self._unwrapper = SequenceUnwrapper()
        self._arrivals: dict[int, int] = {}
        self._next_reported: int | None = None
        self._feedback_count = 0

    @property
    def has_arrivals(self) -> bool:
        """Whether there is anything to report."""
        return bool(self._arrivals)

    def on_packet(self, wire_sequence: int, now_us: int) -> None:
        """A packet with this 16-bit transport-wide sequence number arrived; a duplicate does not count."""
        self._arrivals.setdefault(self._unwrapper.unwrap(wire_sequence), now_us)

    def take_report(self) -> TransportFeedback | None:
        """All arrivals since the last report; a packet older than that is reported on its own."""
        if not self._arrivals:
            return None
        last = max(self._arrivals)
        first = min(self._arrivals)
        if self._next_reported is not None:
            first = min(first, self._next_reported)
        first = max(first, last - MAX_REPORTED + 1)
        report = TransportFeedback(
            sender_ssrc=self._sender_ssrc,
            media_ssrc=self._media_ssrc,
            base_sequence=first & 0xFFFF,
            arrivals=tuple(self._arrivals.get(sequence) for sequence in range(first, last + 1)),
            feedback_count=self._feedback_count & 0xFF,
        )
        self._arrivals.clear()
        self._next_reported = max(last + 1, self._next_reported or 0)
        self._feedback_count += 1
        return report
