"""What a receiver report says of one stream (RFC 3550 sections 6.4.1, A.3 and A.8)."""

from typing import Final

from rtc.rtp import ntp
from rtc.values.feedback import ReportBlock
from rtc.values.units import US_PER_S, VIDEO_CLOCK_HZ

_MAX_CUMULATIVE: Final = 0x7FFFFF
_FULL_LOSS: Final = 255


class ReceptionStatistics:
    """Counts the packets of one stream. Retransmissions are a stream of their own and not counted here."""

    def __init__(self, media_ssrc: int) -> None:
        self._media_ssrc = media_ssrc
        self._first: int | None = None
        self._highest = 0
        self._received = 0
        self._expected_before = 0
        self._received_before = 0
        self._jitter_16ths = 0
        self._transit: int | None = None
        self._sender_report: tuple[int, int] | None = None

    def on_packet(self, unwrapped_sequence: int, rtp_timestamp: int, now_us: int) -> None:
        """A packet of the stream came; `rtp_timestamp` unwrapped, 90 kHz."""
        if self._first is None:
            self._first = self._highest = unwrapped_sequence
        self._highest = max(self._highest, unwrapped_sequence)
        self._received += 1
        transit = now_us * VIDEO_CLOCK_HZ // US_PER_S - rtp_timestamp
        if self._transit is not None:
            # RFC 3550 A.8 in integers: the jitter is kept times 16.
            self._jitter_16ths += abs(transit - self._transit) - ((self._jitter_16ths + 8) >> 4)
        self._transit = transit

    def on_sender_report(self, ntp_timestamp: int, now_us: int) -> None:
        """The peer said what its clock reads; the next report repeats it so that the peer learns the round trip."""
        self._sender_report = (ntp.middle_32(ntp_timestamp), now_us)

    def report(self, now_us: int) -> ReportBlock | None:
        """The stream since the last report; None before its first packet."""
        if self._first is None:
            return None
        expected = self._highest - self._first + 1
        interval = expected - self._expected_before
        lost = interval - (self._received - self._received_before)
        self._expected_before, self._received_before = expected, self._received
        seen, since = 0, 0
        if self._sender_report is not None:
            seen, at_us = self._sender_report
            since = ntp.short_from_us(now_us - at_us)
        return ReportBlock(
            media_ssrc=self._media_ssrc,
            fraction_lost=min(_FULL_LOSS, lost * 256 // interval) if interval > 0 and lost > 0 else 0,
            cumulative_lost=max(-_MAX_CUMULATIVE, min(_MAX_CUMULATIVE, expected - self._received)),
            highest_sequence=self._highest & 0xFFFFFFFF,
            jitter=min(self._jitter_16ths >> 4, 0xFFFFFFFF),
            last_sender_report=seen,
            delay_since_last_sender_report=since,
        )
