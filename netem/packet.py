"""What travels through a path, and what becomes of it."""

import enum
from dataclasses import dataclass
from typing import Final, NamedTuple

NEVER: Final = 1 << 62
"""A time later than any other, so that "no event" needs no branch in the hot paths."""


class DropCause(enum.Enum):
    """Why a path lost a packet."""

    QUEUE_FULL = "queue_full"
    """The bottleneck's queue had no room for it on arrival."""
    HEAD_DROP = "head_drop"
    """It was the oldest in a full queue that makes room at its head."""
    CODEL = "codel"
    """CoDel dropped it on leaving the queue (RFC 8289)."""
    RANDOM_LOSS = "random_loss"
    BURSTY_LOSS = "bursty_loss"
    RECORDED_LOSS = "recorded_loss"
    OUTAGE = "outage"
    """It left during an entry of a delay trace that has no value: the probe sent then was lost."""


@dataclass(slots=True, kw_only=True)
class NetworkPacket:
    """One datagram as a path sees it; mutable only because freezing costs time on the hottest path there is."""

    size_bytes: int
    """Bytes on the wire: payload plus UDP and IP headers."""
    payload: object
    """Carried, never looked into."""
    sent_at_us: int


class Delivered(NamedTuple):
    """A packet that came out of the far end; a duplicated packet comes out twice."""

    packet: NetworkPacket
    at_us: int
    queue_delay_us: int
    """Time in the bottleneck's queue, its own transmission not counted."""


class Dropped(NamedTuple):
    """A packet that never comes out."""

    packet: NetworkPacket
    at_us: int
    reason: DropCause
