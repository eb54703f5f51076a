"""The emulator alone: packets through a path in virtual time, nothing else running."""

from collections.abc import Iterable
from dataclasses import dataclass

from netem.packet import Delivered, Dropped, NetworkPacket
from netem.path import Path
from rtc.values.errors import LocalMisuse


@dataclass(frozen=True, slots=True, kw_only=True)
class PathRun:
    """What became of every packet, in the order it happened."""

    delivered: tuple[Delivered, ...]
    dropped: tuple[Dropped, ...]
    ended_at_us: int
    """The last event; 0 when no packet was sent."""


def run_packets(path: Path, packets: Iterable[NetworkPacket]) -> PathRun:
    """Send every packet at its `sent_at_us`, in the order of their times, until the path is empty.

    The path is polled at each of its events, as a driver does.
    """
    delivered: list[Delivered] = []
    dropped: list[Dropped] = []
    next_event_us, poll_delivered, send = path.next_event_us, path.poll_delivered, path.send
    now_us = 0
    for packet in packets:
        if packet.sent_at_us < now_us:
            raise LocalMisuse(f"a packet sent at {packet.sent_at_us} us after one at {now_us} us: sort them by time")
        now_us = packet.sent_at_us
        while (event_us := next_event_us()) is not None and event_us <= now_us:
            delivered += poll_delivered(event_us)
            dropped += path.poll_dropped()
        send(packet, now_us)
    while (event_us := next_event_us()) is not None:
        now_us = event_us
        delivered += poll_delivered(now_us)
        dropped += path.poll_dropped()
    return PathRun(delivered=tuple(delivered), dropped=tuple(dropped), ended_at_us=now_us)
