"""Two real endpoints joined by a scripted link and a fake codec, in virtual time."""

import heapq
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from random import Random

from rtc.call.config import EndpointConfig, StreamIdentity
from rtc.call.endpoint import CallEndpoint
from rtc.call.outputs import DecodeFrame, EncodeFrame, SendDatagram, ShowFrame
from rtc.values.encoding import DecodeResult, EncodedAs, EncodeResult
from rtc.values.formats import Codec, FrameSize
from rtc.values.frames import CapturedFrame, EncodedFrame, FrameType
from rtc.values.trace_events import PacketKind, TraceEvent
from tests.support.fake_codec import encoded_bytes

SIZE = FrameSize(320, 180)
FPS = 30
FRAME_US = 33_333
ONE_WAY_US = 20_000
A = StreamIdentity(media_ssrc=0xA, retransmission_ssrc=0xAA, first_sequence=1_000)
B = StreamIdentity(media_ssrc=0xB, retransmission_ssrc=0xBB, first_sequence=32_767)

KEY_BYTES = 4_000
DELTA_BYTES = 1_500


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


Fate = Callable[[Sent], tuple[int, ...]]
"""How long each copy of a datagram takes beyond `ONE_WAY_US`; no copies for one that is lost."""


def on_time(_sent: Sent) -> tuple[int, ...]:
    return (0,)


def losing(*unlucky: Callable[[Sent], bool]) -> Fate:
    """Loses what any of these picks."""
    return lambda sent: () if any(picks(sent) for picks in unlucky) else (0,)


def first_packet_of(*frame_ids: int, kind: PacketKind = PacketKind.MEDIA) -> Callable[[Sent], bool]:
    """Picks the first packet of each of these frames that was sent as `kind`."""
    seen: set[int] = set()

    def picks(sent: Sent) -> bool:
        if sent.kind is not kind or sent.frame_id is None or sent.frame_id not in frame_ids or sent.frame_id in seen:
            return False
        seen.add(sent.frame_id)
        return True

    return picks


def every_packet_of(*frame_ids: int) -> Callable[[Sent], bool]:
    """Picks originals and retransmissions of these frames."""
    return lambda sent: sent.frame_id in frame_ids


def at_random(seed: int, permille: int, *, until_us: int) -> Callable[[Sent], bool]:
    """Picks so many of a thousand, until then."""
    draws = Random(seed)
    return lambda sent: draws.randrange(1000) < permille and sent.at_us < until_us


@dataclass(slots=True)
class ListTrace:
    """Keeps every event with its time."""

    events: list[tuple[int, TraceEvent]] = field(default_factory=list)

    def record(self, now_us: int, event: TraceEvent) -> None:
        self.events.append((now_us, event))

    def of[EventT](self, kind: type[EventT]) -> list[EventT]:  # type: ignore[valid-type]  # placeholder
        return [event for _, event in self.events if isinstance(event, kind)]
