"""Codecs and picture sizes."""

import enum
from dataclasses import dataclass

from rtc.values.errors import LocalMisuse

MAX_SIDE = 8192


class Codec(enum.Enum):
    """A video codec that a call can negotiate."""

    AV1 = "av1"
    H264 = "h264"


@dataclass(frozen=True, slots=True, order=True)
class FrameSize:
    """Width and height of a picture in luma samples; both even, because chroma is 4:2:0."""

    width: int
    height: int

    def __post_init__(self) -> None:
        for side in (self.width, self.height):
            if side < 16 or side > MAX_SIDE or side % 2:  # noqa: PLR2004 - smallest block of both codecs
                raise LocalMisuse(f"size {self}: sides must be even and from 16 to {MAX_SIDE}")

    def __str__(self) -> str:
        return f"{self.width}x{self.height}"

    @property
    def pixels(self) -> int:
        """Luma samples of one frame."""
        return self.width * self.height

    @property
    def i420_bytes(self) -> int:
        """Bytes of one frame of 8-bit planar 4:2:0."""
        return self.pixels * 3 // 2


@dataclass(frozen=True, slots=True, kw_only=True)
class CodecEligibility:
    """What a device may do with each codec; a device may decode AV1 and not encode it."""

    may_encode: frozenset[Codec]
    may_decode: frozenset[Codec]
