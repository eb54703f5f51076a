"""From what the path carries to what the encoder should make."""

from dataclasses import dataclass
from typing import Final

from rtc.values.formats import FrameSize
from rtc.values.targets import NetworkEstimate, TargetBitrate
from rtc.values.units import BITS_PER_BYTE

MIN_TARGET_BPS: Final = 10_000
"""The bottom of the range of real calls (article: 10 to 400 kbps)."""
MILLIBITS_PER_PIXEL: Final = 120
"""A real-time encoder gains little above 0.12 bits a pixel; the ceiling for links that carry far more than a call."""
MIN_CEILING_BPS: Final = 150_000
PERMILLE: Final = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class OverheadModel:
    """What a payload bit costs beside itself on the wire."""

    header_bytes_per_packet: int
    """RTP header and extensions, UDP and IP."""
    payload_bytes_per_packet: int
    """The largest payload of one packet."""
    frames_per_second: int


def ceiling_bps(size: FrameSize, frames_per_second: int) -> int:
    """The rate above which more bits buy next to nothing at this size."""
    return max(MIN_CEILING_BPS, size.pixels * frames_per_second * MILLIBITS_PER_PIXEL // PERMILLE)


class TargetPlanner:
    """Takes headers and headroom off a network estimate. A fall passes through at once.

    `headroom_permille` is left unused so that a queue, once there, drains (libwebrtc's congestion controller backs off
    to 0.85 of the acknowledged rate for the same reason).
    """

    def __init__(self, overhead: OverheadModel, ceiling: int, headroom_permille: int = 100) -> None:
        self._overhead = overhead
        self._ceiling = ceiling
        self._headroom_permille = headroom_permille

    def target(self, estimate: NetworkEstimate) -> TargetBitrate:
        """The encoder's share of `estimate`, between the floor of real calls and the ceiling of the picture's size."""
        usable = estimate.capacity_bps * (PERMILLE - self._headroom_permille) // PERMILLE
        repair = int(usable * min(estimate.loss_fraction, 0.5))
        payload = self._payload_bps(usable - repair)
        return TargetBitrate(at_us=estimate.at_us, bps=max(MIN_TARGET_BPS, min(self._ceiling, payload)))

    def _payload_bps(self, wire_bps: int) -> int:
        """Solve wire = payload + headers, at the least one packet a frame and no packet over its limit."""
        overhead = self._overhead
        one_each = wire_bps - overhead.frames_per_second * overhead.header_bytes_per_packet * BITS_PER_BYTE
        packet = overhead.payload_bytes_per_packet + overhead.header_bytes_per_packet
        full = wire_bps * overhead.payload_bytes_per_packet // packet
        return max(0, min(one_each, full))
