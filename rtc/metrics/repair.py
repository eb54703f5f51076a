"""Losses, and what was done about them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rtc.metrics.distributions import Figures, nearest_rank, ratio, to_ms
from rtc.metrics.records import FrameRecord, PacketRecord
from rtc.values.trace_events import PacketKind

_REPAIR = (PacketKind.RETRANSMISSION, PacketKind.FEC)


@dataclass(frozen=True, slots=True, kw_only=True)
class RepairCounters:
    """What only the endpoints know: the receiver's requests about this direction, and its repairs."""

    nack_count: int = 0
    """NACK messages the receiver sent (W3C nackCount), not packets asked for."""
    pli_count: int = 0
    fir_count: int = 0
    rpsi_count: int = 0
    fec_recovered: int = 0
    """Packets that FEC gave back."""


class RecoveryTimes(Figures):
    """Milliseconds from a loss to the next picture, over the losses that ended within the call."""

    count: int = 0
    p50: float | None = None
    p95: float | None = None
    unrecovered: int = 0
    """1 when the call ended before the screen moved again, else 0."""


class PacketCounts(Figures):
    """Datagrams of a direction; feedback (RTCP about the other direction) is counted apart."""

    packets_sent: int
    packets_lost: int
    fec_packets_sent: int
    retransmitted_packets: int
    feedback_packets_sent: int
    overhead_ratio: float | None
    """Bytes on the wire of retransmissions and FEC, over those of media sent for the first time."""


def packet_counts(packets: Iterable[PacketRecord]) -> PacketCounts:
    """Count datagrams by what they were for, and what the path lost of them."""
    count = dict.fromkeys(PacketKind, 0)
    size = dict.fromkeys(PacketKind, 0)
    lost = 0
    for packet in packets:
        count[packet.kind] += 1
        size[packet.kind] += packet.size_bytes
        lost += packet.loss_reason is not None and packet.kind is not PacketKind.FEEDBACK
    return PacketCounts(
        packets_sent=sum(count.values()) - count[PacketKind.FEEDBACK],
        packets_lost=lost,
        fec_packets_sent=count[PacketKind.FEC],
        retransmitted_packets=count[PacketKind.RETRANSMISSION],
        feedback_packets_sent=count[PacketKind.FEEDBACK],
        overhead_ratio=ratio(sum(size[kind] for kind in _REPAIR), size[PacketKind.MEDIA]),
    )


def recovery_times(frames: Sequence[FrameRecord], packets: Iterable[PacketRecord]) -> RecoveryTimes:
    """How long losses kept the screen waiting.

    A recovery runs from the moment the first lost media packet of a frame was sent to the moment that frame or a later
    one was displayed; losses that end with the same picture are one recovery, from the earliest. It thus holds the
    ordinary way from sender to screen too, and the same definition serves every mechanism of repair.
    """
    lost_at_us: dict[int, int] = {}
    for packet in packets:
        if packet.kind is PacketKind.MEDIA and packet.loss_reason is not None and packet.frame_id is not None:
            lost_at_us[packet.frame_id] = min(packet.sent_at_us, lost_at_us.get(packet.frame_id, packet.sent_at_us))
    next_display = _next_display_by_frame(frames, set(lost_at_us))
    began_by_end: dict[int | None, int] = {}
    for frame_id, began_us in lost_at_us.items():
        end_us = next_display.get(frame_id)
        began_by_end[end_us] = min(began_us, began_by_end.get(end_us, began_us))
    ascending = sorted(end - began for end, began in began_by_end.items() if end is not None)
    return RecoveryTimes(
        count=len(ascending),
        p50=to_ms(nearest_rank(ascending, 50)),
        p95=to_ms(nearest_rank(ascending, 95)),
        unrecovered=int(None in began_by_end),
    )


def _next_display_by_frame(frames: Sequence[FrameRecord], wanted: set[int]) -> dict[int, int]:
    """For each wanted frame id, when that frame or the first shown later one reached the screen."""
    found: dict[int, int] = {}
    earliest: int | None = None
    for frame in reversed(frames):
        if frame.displayed_at_us is not None:
            earliest = frame.displayed_at_us if earliest is None else min(earliest, frame.displayed_at_us)
        if earliest is not None and frame.frame_id in wanted:
            found[frame.frame_id] = earliest
    return found
