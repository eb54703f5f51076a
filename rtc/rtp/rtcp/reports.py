"""Sender and receiver reports (RFC 3550 section 6.4); profile-specific extensions behind the blocks are skipped.

SR:  SSRC | NTP timestamp (64) | RTP timestamp | packet count | octet count | blocks
RR:  SSRC | blocks

+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
|                       SSRC of the stream                      |
+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
| fraction lost |       cumulative number of packets lost       |
+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
| highest sequence (32) | jitter (32) | LSR (32) | DLSR (32)
+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
"""

import struct

from rtc.rtp.rtcp.framing import RECEIVER_REPORT, SENDER_REPORT, frame_packet
from rtc.values.errors import LocalMisuse, RemoteProtocolError
from rtc.values.feedback import ReceiverReport, ReportBlock, SenderReport

MAX_REPORTS = 31
"""The count field has 5 bits."""

_SENDER_INFO = struct.Struct("!IQIII")
_SSRC = struct.Struct("!I")
_BLOCK = struct.Struct("!IIIIII")
_LOST_BITS = 24
_LOST_MASK = (1 << _LOST_BITS) - 1
_LOST_LIMIT = 1 << (_LOST_BITS - 1)
_MAX_FRACTION = 255


def serialise_sender_report(report: SenderReport) -> bytes:
    """One RTCP packet."""
    head = _SENDER_INFO.pack(
        report.sender_ssrc, report.ntp_timestamp, report.rtp_timestamp, report.packet_count, report.octet_count
    )
    return frame_packet(SENDER_REPORT, len(report.reports), head + _serialise_blocks(report.reports))


def serialise_receiver_report(report: ReceiverReport) -> bytes:
    """One RTCP packet."""
    body = _SSRC.pack(report.sender_ssrc) + _serialise_blocks(report.reports)
    return frame_packet(RECEIVER_REPORT, len(report.reports), body)


def parse_sender_report(body: bytes, count: int) -> SenderReport:
    """The report in a body with `count` blocks."""
    blocks = _parse_blocks(body, _SENDER_INFO.size, count)
    sender_ssrc, ntp_timestamp, rtp_timestamp, packet_count, octet_count = _SENDER_INFO.unpack_from(body)
    return SenderReport(
        sender_ssrc=sender_ssrc,
        ntp_timestamp=ntp_timestamp,
        rtp_timestamp=rtp_timestamp,
        packet_count=packet_count,
        octet_count=octet_count,
        reports=blocks,
    )


def parse_receiver_report(body: bytes, count: int) -> ReceiverReport:
    """The report in a body with `count` blocks."""
    blocks = _parse_blocks(body, _SSRC.size, count)
    (sender_ssrc,) = _SSRC.unpack_from(body)
    return ReceiverReport(sender_ssrc=sender_ssrc, reports=blocks)


def _serialise_blocks(blocks: tuple[ReportBlock, ...]) -> bytes:
    if len(blocks) > MAX_REPORTS:
        raise LocalMisuse(f"{len(blocks)} report blocks: one packet carries at most {MAX_REPORTS}")
    return b"".join([_serialise_block(block) for block in blocks])


def _serialise_block(block: ReportBlock) -> bytes:
    # RFC 3550 appendix A.3: a count that does not fit 24 bits stays at the limit.
    lost = max(-_LOST_LIMIT, min(block.cumulative_lost, _LOST_LIMIT - 1))
    if not 0 <= block.fraction_lost <= _MAX_FRACTION:
        raise LocalMisuse(f"fraction lost {block.fraction_lost}: must be 0..{_MAX_FRACTION}, in 1/256")
    return _BLOCK.pack(
        block.media_ssrc,
        block.fraction_lost << _LOST_BITS | lost & _LOST_MASK,
        block.highest_sequence,
        block.jitter,
        block.last_sender_report,
        block.delay_since_last_sender_report,
    )


def _parse_blocks(body: bytes, start: int, count: int) -> tuple[ReportBlock, ...]:
    needed = start + count * _BLOCK.size
    if len(body) < needed:
        raise RemoteProtocolError(f"RTCP report of {len(body)} bytes: with {count} blocks it takes {needed}")
    return tuple([_parse_block(body, start + index * _BLOCK.size) for index in range(count)])


def _parse_block(body: bytes, position: int) -> ReportBlock:
    media_ssrc, lost_word, highest_sequence, jitter, last_report, delay = _BLOCK.unpack_from(body, position)
    lost = lost_word & _LOST_MASK
    return ReportBlock(
        media_ssrc=media_ssrc,
        fraction_lost=lost_word >> _LOST_BITS,
        cumulative_lost=lost - (1 << _LOST_BITS) if lost >= _LOST_LIMIT else lost,
        highest_sequence=highest_sequence,
        jitter=jitter,
        last_sender_report=last_report,
        delay_since_last_sender_report=delay,
    )
