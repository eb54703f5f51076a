"""Frames: raw, described, and encoded."""

import enum
from dataclasses import dataclass

from rtc.values.formats import Codec, FrameSize


class FrameType(enum.Enum):
    """What a frame is predicted from, which is what its loss or arrival means to the receiver."""

    KEY = "key"
    """Predicted from nothing; decoding can start here."""
    DELTA = "delta"
    """Predicted from recent frames."""
    RECOVERY = "recovery"
    """A delta frame predicted from an acknowledged long-term reference (LTRP)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VideoFrame:
    """A raw picture: contiguous 8-bit I420 (Y then U then V), `size.i420_bytes` long."""

    size: FrameSize
    data: memoryview


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureChange:
    """What changed in a picture since the one before it; of the first one, nothing."""

    difference: int = 0
    """Mean absolute difference in luma, in 1/256 of a level."""
    resting_permille: int = 1000
    """Share of the samples whose luma differs by 4 levels at most, which is within a camera's noise."""

    def plus(self, later: "PictureChange") -> "PictureChange":
        """What changed over two steps, at most."""
        return PictureChange(
            difference=self.difference + later.difference,
            resting_permille=min(self.resting_permille, later.resting_permille),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CapturedFrame:
    """A picture the camera delivered; its pixels stay with the codec worker, which knows it by `capture_index`."""

    capture_index: int
    """Counts captured frames of one direction from 0."""
    captured_at_us: int
    size: FrameSize
    change: PictureChange = PictureChange()
    """Since the picture captured before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameMetadata:
    """What the network layer must know of an encoded frame without parsing its bitstream."""

    frame_id: int
    """Counts encoded frames of one direction from 0, across codecs; unbounded here, 16 bits on the wire."""
    codec: Codec
    frame_type: FrameType
    references: tuple[int, ...]
    """Frame ids this frame is predicted from; empty for a key frame."""
    temporal_layer: int = 0
    is_long_term_reference: bool = False
    rtp_timestamp: int
    """90 kHz capture time, unwrapped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EncodedFrame:
    """One frame as the codec wrote it: an AV1 temporal unit (with size fields) or an H.264 access unit (Annex B)."""

    metadata: FrameMetadata
    payload: bytes
