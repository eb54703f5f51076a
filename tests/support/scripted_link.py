"""What happens to each datagram of one direction, as a test scripts it."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from rtc.call.outputs import SendDatagram
from rtc.values.trace_events import PacketKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """A datagram on its way; `index` counts those of its direction from 0."""

    index: int
    at_us: int
    datagram: SendDatagram

    @property
    def kind(self) -> PacketKind:
        return self.datagram.kind

    @property
    def frame_id(self) -> int | None:
        return self.datagram.frame_id


Picks = Callable[[Sent], bool]
Fate = Callable[[Sent], tuple[int, ...]]
"""By how much each copy of a datagram is later than the link's own delay; no copies of one that is lost."""


def on_time(_sent: Sent) -> tuple[int, ...]:
    return (0,)


def losing(*unlucky: Picks) -> Fate:
    """Loses what any of these picks; each is asked about every datagram, for some of them count."""

    def fate(sent: Sent) -> tuple[int, ...]:
        verdicts = [picks(sent) for picks in unlucky]
        return () if any(verdicts) else (0,)

    return fate


def of_kind(*kinds: PacketKind) -> Picks:
    return lambda sent: sent.kind in kinds


def of_frames(*frame_ids: int) -> Picks:
    """Originals and retransmissions of these frames."""
    return lambda sent: sent.frame_id in frame_ids


def first_packet_of(*frame_ids: int) -> Picks:
    """The first packet of each of these frames, the first time it is sent."""
    seen: set[int | None] = set()

    def picks(sent: Sent) -> bool:
        is_first = sent.kind is PacketKind.MEDIA and sent.frame_id in frame_ids and sent.frame_id not in seen
        seen.add(sent.frame_id)
        return is_first

    return picks


def first_of_kind(kind: PacketKind, count: int = 1) -> Picks:
    """The first `count` datagrams of a kind."""
    left = count

    def picks(sent: Sent) -> bool:
        nonlocal left
        left -= sent.kind is kind
        return sent.kind is kind and left >= 0

    return picks


def at_random(seed: int, permille: int, *, until_us: int) -> Picks:
    """So many of a thousand, until then."""
    draws = Random(seed)
    return lambda sent: draws.randrange(1000) < permille and sent.at_us < until_us


def between(start_us: int, end_us: int) -> Picks:
    return lambda sent: start_us <= sent.at_us < end_us
