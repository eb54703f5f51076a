"""When packets arrived, until it is reported (transport-wide congestion control feedback)."""

from typing import Final

from rtc.rtp.sequence import SequenceUnwrapper
from rtc.values.feedback import TransportFeedback

MAX_REPORTED: Final = 500
"""Sequence numbers in one report, at most 2 bytes each and 2 for every 7: within a datagram. A jump beyond it, as a
hostile peer can make it, only reports its newest part."""
MAX_SPAN_US: Final = 8_000_000
"""Between the arrivals of one report; neighbours can be 8.19 s apart on the wire. What came before a longer silence, as
when a machine sleeps, is left out."""


class ArrivalRecorder:
    """Collects arrivals by transport-wide sequence number and reports them, gaps included.

    Each is reported once, and again only where a late packet makes a report reach back over it: a report that left it
    out would say that it did not arrive.
    """

    def __init__(self, sender_ssrc: int, media_ssrc: int) -> None:
        self._sender_ssrc = sender_ssrc
        self._media_ssrc = media_ssrc
        self._unwrapper = SequenceUnwrapper()
        self._arrivals: dict[int, int] = {}
        self._reported: dict[int, int] = {}
        """Arrivals among the last `MAX_REPORTED` sequence numbers."""
        self._next_reported: int | None = None
        self._feedback_count = 0

    @property
    def has_arrivals(self) -> bool:
        """Whether there is anything to report."""
        return bool(self._arrivals)

    def on_packet(self, wire_sequence: int, now_us: int) -> None:
        """A packet with this 16-bit transport-wide sequence number arrived; a duplicate does not count."""
        sequence = self._unwrapper.unwrap(wire_sequence)
        if sequence not in self._reported:
            self._arrivals.setdefault(sequence, now_us)

    def take_report(self) -> TransportFeedback | None:
        """All arrivals since the last report; None when there are none."""
        if not self._arrivals:
            return None
        oldest_us = max(self._arrivals.values()) - MAX_SPAN_US
        arrivals = {sequence: at_us for sequence, at_us in self._arrivals.items() if at_us >= oldest_us}
        report = self._report(arrivals, oldest_us)
        self._arrivals.clear()
        return report

    def _report(self, arrivals: dict[int, int], oldest_us: int) -> TransportFeedback:
        last = max(arrivals)
        first = min(arrivals)
        if self._next_reported is not None:
            first = min(first, self._next_reported)
        first = max(first, last - MAX_REPORTED + 1)
        again = {sequence: at_us for sequence, at_us in self._reported.items() if at_us >= oldest_us}
        report = TransportFeedback(
            sender_ssrc=self._sender_ssrc,
            media_ssrc=self._media_ssrc,
            base_sequence=first & 0xFFFF,
            arrivals=tuple(arrivals.get(sequence, again.get(sequence)) for sequence in range(first, last + 1)),
            feedback_count=self._feedback_count & 0xFF,
        )
        self._next_reported = max(last + 1, self._next_reported or 0)
        oldest_kept = self._next_reported - MAX_REPORTED
        self._reported = {
            sequence: at_us for sequence, at_us in (self._reported | arrivals).items() if sequence >= oldest_kept
        }
        self._feedback_count += 1
        return report
