"""What an endpoint is told once, before the call begins."""

import enum
import reprlib
from dataclasses import dataclass
from typing import Final

from rtc.values.errors import LocalMisuse
from rtc.values.formats import Codec, FrameSize

MAX_DATAGRAM_BYTES: Final = 1200
"""Fits every path that QUIC deems usable (RFC 9000 section 14), tunnels included."""
UDP_IP_BYTES: Final = 28
"""UDP and IPv4 headers."""
FIRST_SEQUENCE_LIMIT: Final = 1 << 15
MIN_FIXED_TARGET_BPS: Final = 1_000
MAX_FIXED_TARGET_BPS: Final = 100_000_000
MAX_CANDIDATES: Final = 2
MAX_SHOWN: Final = 60
"""Characters of a value that is wrong."""
MAX_FRAMES_PER_SECOND: Final = 1_000
"""A frame lasts a millisecond at least: encoders are told of none shorter."""


class RateControl(enum.Enum):
    """Who chooses the quantizer."""

    OURS = "ours"
    """`ratecontrol`: a quantizer a frame, so that the VBV delay stays bounded."""
    NATIVE = "native"
    """The codec's own constant-bitrate controller."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamIdentity:
    """Synchronisation sources of one endpoint's video and of its retransmissions (RFC 3550, RFC 4588)."""

    media_ssrc: int
    retransmission_ssrc: int
    first_sequence: int = 0
    """Of the first media packet; below 2**15, so that a peer that misses the first ones counts from the same (RFC 3711
    section 3.3.1)."""

    def __post_init__(self) -> None:
        if not 0 <= self.first_sequence < FIRST_SEQUENCE_LIMIT:
            raise LocalMisuse(f"first sequence {self.first_sequence}: must be 0..{FIRST_SEQUENCE_LIMIT - 1}")
        if self.media_ssrc == self.retransmission_ssrc:
            raise LocalMisuse(f"SSRC {self.media_ssrc} for media and retransmissions: each needs its own")


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointConfig:
    """One side of a call."""

    local: StreamIdentity
    remote: StreamIdentity
    size: FrameSize
    """Size captured and sent."""
    frames_per_second: int
    may_send: tuple[Codec, ...]
    """Codecs agreed for sending, the first in force at the start; empty when this side only receives."""
    may_receive: tuple[Codec, ...]
    """Codecs the peer may send; empty when this side only sends."""
    fixed_target_bps: int | None = None
    """Encoder target that no estimate changes; None follows the network estimate."""
    rate_control: RateControl = RateControl.OURS
    candidates: int = 1
    """Encodes of each picture to choose from, 1 or 2, where the codec can encode twice from one state: H.264 through
    OpenH264 cannot, and is encoded once. Only with our rate control."""
    speeds: tuple[tuple[Codec, int], ...] = ((Codec.AV1, 10), (Codec.H264, 2))
    """Encoder speed by codec: libwebrtc's default for AV1, OpenH264's low complexity."""
    nack: bool = True
    """Ask for missing packets again."""

    def __post_init__(self) -> None:
        if not self.may_send and not self.may_receive:
            raise LocalMisuse("an endpoint must send or receive something")
        _check_whole(self.frames_per_second, "frames a second", 1, MAX_FRAMES_PER_SECOND)
        self._check_rate()
        unset = [codec.value for codec in self.may_send if codec not in dict(self.speeds)]
        if unset:
            raise LocalMisuse(f"no encoder speed given for {' '.join(unset)}: name one for every codec in may_send")

    def _check_rate(self) -> None:
        if self.fixed_target_bps is not None:
            _check_whole(self.fixed_target_bps, "bit/s as fixed target", MIN_FIXED_TARGET_BPS, MAX_FIXED_TARGET_BPS)
        _check_whole(self.candidates, "candidates", 1, MAX_CANDIDATES)
        if self.candidates > 1 and self.rate_control is RateControl.NATIVE:
            raise LocalMisuse(f"{self.candidates} candidates under native rate control: must be 1, or ours be used")

    def speed(self, codec: Codec) -> int:
        """The encoder speed to start with."""
        return dict(self.speeds)[codec]


def _check_whole(value: object, what: str, least: int, most: int) -> None:
    """Types are checked too: controllers and links count in whole numbers, and a float would do until it rounds."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise LocalMisuse(f"{_shown(value)} {what}: must be a whole number from {least} to {most}")


def _shown(value: object) -> str:
    text = reprlib.repr(value).replace("\n", " ")
    return text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 3]}..."
