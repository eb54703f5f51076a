"""Sent packets kept for a while, to answer NACKs with (RFC 4588 section 4)."""

from collections import deque
from dataclasses import dataclass
from typing import Generic, TypeVar

from rtc.values.errors import LocalMisuse

PacketT = TypeVar("PacketT")


@dataclass(frozen=True, slots=True, kw_only=True)
class RetransmissionConfig:
    """How much of what was sent is kept."""

    max_age_us: int = 2_000_000
    """Older packets are gone; a frame that comes two seconds late is of no use in a conversation."""
    max_packets: int = 1_000
    max_bytes: int = 1_500_000
    """Six seconds of a 2 Mbps stream: age and count bind first at call rates, this one caps bursts."""

    def __post_init__(self) -> None:
        if min(self.max_age_us, self.max_packets, self.max_bytes) < 1:
            raise LocalMisuse("max_age_us, max_packets and max_bytes must be at least 1")


@dataclass(slots=True)
class _Sent(Generic[PacketT]):
    packet: PacketT
    size_bytes: int
    sent_at_us: int
    resent_at_us: int | None = None


class RetransmissionBuffer(Generic[PacketT]):
    """Holds sent packets by unwrapped sequence for a bounded time, count and size.

    Driven by `on_packet_sent` for each original packet and `take` for each sequence a NACK names; the caller unwraps
    the 16-bit numbers. What a packet is (bytes, or a value yet to be serialised) is the caller's business.
    """

    def __init__(self, config: RetransmissionConfig | None = None) -> None:
        self._config = config or RetransmissionConfig()
        self._sent: dict[int, _Sent[PacketT]] = {}
        self._order: deque[int] = deque()
        self.bytes_held = 0
        self.packets_taken = 0
        self.requests_unknown = 0
        """Asked for what is not here: never sent, too old, or made room for newer ones."""
        self.requests_too_soon = 0
        """Asked for again before the last answer could have arrived."""

    def __len__(self) -> int:
        return len(self._sent)

    def on_packet_sent(self, sequence: int, packet: PacketT, now_us: int, *, size_bytes: int) -> None:
        """Keep a packet that was just sent; a sequence number sent before is refused as `LocalMisuse`."""
        if sequence in self._sent:
            raise LocalMisuse(f"packet {sequence} is in the buffer already: each original packet is sent once")
        self._sent[sequence] = _Sent(packet, size_bytes, now_us)
        self._order.append(sequence)
        self.bytes_held += size_bytes
        self._evict(now_us)

    def take(self, sequence: int, now_us: int, round_trip_us: int) -> PacketT | None:
        """The packet to send again now, or None: unknown, or already sent again less than a round trip ago.

        Within a round trip of an answer the request may have been made before that answer arrived.
        """
        self._evict(now_us)
        sent = self._sent.get(sequence)
        if sent is None:
            self.requests_unknown += 1
            return None
        if sent.resent_at_us is not None and now_us - sent.resent_at_us < round_trip_us:
            self.requests_too_soon += 1
            return None
        sent.resent_at_us = now_us
        self.packets_taken += 1
        return sent.packet

    def _evict(self, now_us: int) -> None:
        config = self._config
        oldest_kept_us = now_us - config.max_age_us
        while self._order and (
            len(self._order) > config.max_packets
            or self.bytes_held > config.max_bytes
            or self._sent[self._order[0]].sent_at_us < oldest_kept_us
        ):
            self.bytes_held -= self._sent.pop(self._order.popleft()).size_bytes
