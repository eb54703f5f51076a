"""Packets of frames in any order to complete frames."""

from collections import deque
from dataclasses import dataclass, field

from rtc.values.errors import LocalMisuse
from rtc.values.frames import FrameMetadata
from rtc.values.packets import AssembledFrame, MediaPacket


@dataclass(frozen=True, slots=True, kw_only=True)
class AssemblerConfig:
    """How much may be held of frames whose packets are not all here; beyond it the oldest frames are dropped."""

    max_frames: int = 256
    """Eight seconds at 30 frames a second; repair takes far less."""
    max_packets_per_frame: int = 2_048
    """About 2.3 MB in packets of 1200 bytes: more than a key frame of 150 ms at 100 Mbps, the highest target."""
    max_packets: int = 8_192
    """Of all frames together: packets of a byte or two take memory, too."""
    max_bytes: int = 4_000_000

    def __post_init__(self) -> None:
        if min(self.max_frames, self.max_packets_per_frame, self.max_packets, self.max_bytes) < 1:
            raise LocalMisuse("max_frames, max_packets_per_frame, max_packets and max_bytes must be at least 1")


@dataclass(slots=True, kw_only=True)
class _Partial:
    """The packets here so far of one frame; `starts_at` and `ends_at` are known once such a packet came."""

    metadata: FrameMetadata
    first_packet_at_us: int
    lowest: int
    highest: int
    starts_at: int | None = None
    ends_at: int | None = None
    payloads: dict[int, bytes] = field(default_factory=dict)
    bytes_held: int = 0
    retransmissions: int = 0

    def fits(self, packet: MediaPacket, max_packets: int) -> bool:
        """Whether the packet agrees with what is known of the frame: description, boundaries, extent."""
        sequence = packet.unwrapped_sequence
        lowest = min(self.lowest, sequence)
        highest = max(self.highest, sequence)
        starts_at = sequence if packet.starts_frame else self.starts_at
        ends_at = sequence if packet.ends_frame else self.ends_at
        return (
            highest - lowest < max_packets
            and (starts_at is None or starts_at == lowest)
            and (ends_at is None or ends_at == highest)
            and packet.metadata == self.metadata
        )

    def add(self, packet: MediaPacket) -> None:
        sequence = packet.unwrapped_sequence
        self.payloads[sequence] = packet.payload
        self.bytes_held += len(packet.payload)
        self.retransmissions += packet.is_retransmission
        self.lowest = min(self.lowest, sequence)
        self.highest = max(self.highest, sequence)
        if packet.starts_frame:
            self.starts_at = sequence
        if packet.ends_frame:
            self.ends_at = sequence

    @property
    def is_complete(self) -> bool:
        return (
            self.starts_at is not None
            and self.ends_at is not None
            and len(self.payloads) == self.highest - self.lowest + 1
        )


class FrameAssembler:
    """Collects packets until every one of a frame is here, from the one that starts it to the one that ends it.

    Driven by `on_packet`, originals and retransmissions alike. Promises each frame at most once, its payloads in
    sequence order; holds no more than its configuration allows. Packets that contradict what is known of their frame
    are counted and dropped, and the frame goes on waiting for better ones.
    """

    def __init__(self, config: AssemblerConfig | None = None) -> None:
        self._config = config or AssemblerConfig()
        self._partial: dict[int, _Partial] = {}
        self._done: set[int] = set()
        self._done_order: deque[int] = deque()
        self._discarded_before: int | None = None
        self.bytes_held = 0
        self.packets_held = 0
        self.frames_discarded = 0
        """Frames some of whose packets came, dropped unfinished."""
        self.packets_duplicate = 0
        self.packets_late = 0
        """Packets of frames that were assembled or discarded before."""
        self.packets_contradictory = 0

    @property
    def frames_in_progress(self) -> int:
        """Frames of which some packets are here."""
        return len(self._partial)

    def on_packet(self, packet: MediaPacket) -> AssembledFrame | None:
        """Take one packet; the frame it completes, if it does."""
        frame_id = packet.metadata.frame_id
        if frame_id in self._done or (self._discarded_before is not None and frame_id < self._discarded_before):
            self.packets_late += 1
            return None
        partial = self._partial.get(frame_id)
        if partial is None:
            partial = self._begin(packet)
        elif packet.unwrapped_sequence in partial.payloads:
            self.packets_duplicate += 1
            return None
        if not partial.fits(packet, self._config.max_packets_per_frame):
            self.packets_contradictory += 1
            return None
        partial.add(packet)
        self.bytes_held += len(packet.payload)
        self.packets_held += 1
        if partial.is_complete:
            return self._finish(frame_id, partial, packet.received_at_us)
        self._make_room()
        return None

    def discard_before(self, frame_id: int) -> None:
        """Drop all that is held of frames older than this one, and ignore what still comes of them."""
        if self._discarded_before is not None and frame_id <= self._discarded_before:
            return
        self._discarded_before = frame_id
        for old in [held for held in self._partial if held < frame_id]:
            self._discard(old)

    def _begin(self, packet: MediaPacket) -> _Partial:
        partial = _Partial(
            metadata=packet.metadata,
            first_packet_at_us=packet.received_at_us,
            lowest=packet.unwrapped_sequence,
            highest=packet.unwrapped_sequence,
        )
        self._partial[packet.metadata.frame_id] = partial
        return partial

    def _finish(self, frame_id: int, partial: _Partial, now_us: int) -> AssembledFrame:
        self._release(frame_id)
        self._remember(frame_id)
        return AssembledFrame(
            metadata=partial.metadata,
            payloads=tuple(partial.payloads[sequence] for sequence in range(partial.lowest, partial.highest + 1)),
            first_sequence=partial.lowest,
            last_sequence=partial.highest,
            first_packet_at_us=partial.first_packet_at_us,
            assembled_at_us=now_us,
            retransmissions=partial.retransmissions,
        )

    def _make_room(self) -> None:
        while self._is_full():
            oldest = min(self._partial)
            self._remember(oldest)
            self._discard(oldest)

    def _is_full(self) -> bool:
        config = self._config
        return (
            len(self._partial) > config.max_frames
            or self.packets_held > config.max_packets
            or self.bytes_held > config.max_bytes
        )

    def _release(self, frame_id: int) -> None:
        released = self._partial.pop(frame_id)
        self.bytes_held -= released.bytes_held
        self.packets_held -= len(released.payloads)

    def _discard(self, frame_id: int) -> None:
        self._release(frame_id)
        self.frames_discarded += 1

    def _remember(self, frame_id: int) -> None:
        """Know the frame's stragglers; four times the frames in progress outlasts any retransmission."""
        self._done.add(frame_id)
        self._done_order.append(frame_id)
        if len(self._done_order) > 4 * self._config.max_frames:
            self._done.discard(self._done_order.popleft())
