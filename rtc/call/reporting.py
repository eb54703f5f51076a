"""Sender and receiver reports: what we say of both streams, and what the peer says of ours (RFC 3550 section 6.4)."""

from typing import Final

from rtc.call.config import StreamIdentity
from rtc.call.reception_statistics import ReceptionStatistics
from rtc.call.round_trip import RoundTripEstimator
from rtc.rtp import ntp
from rtc.values.feedback import ReceiverReport, ReportBlock, SenderReport
from rtc.values.packets import MediaPacket
from rtc.values.units import US_PER_MS, US_PER_S, VIDEO_CLOCK_HZ

EARLY_REPORTS: Final = 5
EARLY_INTERVAL_US: Final = 100 * US_PER_MS
"""The first reports come quickly, because retransmission needs the round trip before the first second is over."""
INTERVAL_US: Final = US_PER_S
_MASK_32: Final = 0xFFFFFFFF


class Reporting:
    """Keeps what reports are made of and learns from the peer's.

    Driven by the endpoint: `on_media` for each packet of the peer's video, `on_report` for each report, and a report of
    our own at `next_report_us`.
    """

    def __init__(self, local: StreamIdentity, remote: StreamIdentity, round_trip: RoundTripEstimator) -> None:
        self._local_ssrc = local.media_ssrc
        self._remote_ssrc = remote.media_ssrc
        self._round_trip = round_trip
        self._statistics = ReceptionStatistics(remote.media_ssrc)
        self._reports_made = 0
        self.next_report_us = EARLY_INTERVAL_US
        self.peer_loss_fraction = 0.0
        """Of our packets since the peer's last report but one, by the peer."""

    def on_media(self, packet: MediaPacket, now_us: int) -> None:
        """A packet of the peer's video; a retransmission is of another stream."""
        if not packet.is_retransmission:
            self._statistics.on_packet(packet.unwrapped_sequence, packet.metadata.rtp_timestamp, now_us)

    def on_report(self, report: SenderReport | ReceiverReport, now_us: int) -> None:
        """The peer reports; what it says of streams that are not ours is passed over."""
        if isinstance(report, SenderReport) and report.sender_ssrc == self._remote_ssrc:
            self._statistics.on_sender_report(report.ntp_timestamp, now_us)
        for block in report.reports:
            if block.media_ssrc == self._local_ssrc:
                self._on_block(block, now_us)

    def sender_report(self, now_us: int, *, packets: int, octets: int) -> SenderReport:
        """The report of a side that has sent this many packets and payload bytes of video."""
        return SenderReport(
            sender_ssrc=self._local_ssrc,
            ntp_timestamp=ntp.ntp_timestamp(now_us),
            rtp_timestamp=(now_us * VIDEO_CLOCK_HZ // US_PER_S) & _MASK_32,
            packet_count=packets & _MASK_32,
            octet_count=octets & _MASK_32,
            reports=self._blocks(now_us),
        )

    def receiver_report(self, now_us: int) -> ReceiverReport:
        """The report of a side that sends no video."""
        return ReceiverReport(sender_ssrc=self._local_ssrc, reports=self._blocks(now_us))

    def _blocks(self, now_us: int) -> tuple[ReportBlock, ...]:
        self._reports_made += 1
        self.next_report_us = now_us + (EARLY_INTERVAL_US if self._reports_made < EARLY_REPORTS else INTERVAL_US)
        block = self._statistics.report(now_us)
        return () if block is None else (block,)

    def _on_block(self, block: ReportBlock, now_us: int) -> None:
        self.peer_loss_fraction = block.fraction_lost / 256
        sample_us = ntp.round_trip_us(now_us, block)
        if sample_us is not None:
            self._round_trip.on_sample(sample_us)
