"""The per-frame order to an encoder, and what comes back. The encoder obeys; the controller decides."""

import enum
from dataclasses import dataclass
from typing import NamedTuple

from rtc.values.formats import Codec, FrameSize

REFERENCE_SLOTS = 8
"""Reference frame slots of AV1 (AV1 specification, section 3, NUM_REF_FRAMES)."""
MAX_REFERENCES = 3
"""How many slots one frame may be predicted from; real-time encoders gain nothing from more."""


class EncodedAs(enum.Enum):
    """Whether a frame may be predicted from others."""

    KEY = "key"
    DELTA = "delta"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConstantQuantizer:
    """Encode this frame at exactly this quantizer, in the codec's own scale (AV1: 0..63 libaom, H.264: 0..51)."""

    quantizer: int
    cyclic_refresh: bool = False
    """Code a part of the resting blocks finer, another part in every frame. AV1 at full size; elsewhere without effect.

    libaom may then make a whole frame finer that it expects to take less than 200 bits; `EncodeResult.quantizer` says
    what was used.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class NativeCbr:
    """Let the codec's own constant-bitrate controller choose the quantizer."""

    target_bps: int


class FrameEncodeSettings(NamedTuple):
    """Everything an encoder needs to be told about one frame.

    Slots are indices 0..7 of the encoder's reference buffer. A key frame has no `references`. H.264 through OpenH264
    manages its references itself and takes only `references=(0,)` and `update_slots={0}` on delta frames.
    """

    encode_as: EncodedAs
    rate: ConstantQuantizer | NativeCbr
    references: tuple[int, ...]
    update_slots: frozenset[int]
    coded_size: FrameSize
    speed: int
    """Codec's own scale; higher is faster (libaom cpu-used 5..11; OpenH264 0..2)."""
    duration_us: int
    """Time until the next frame, for the codec's own rate control."""
    temporal_layer: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class EncodeResult:
    """What an encoder made of one order; `payload` is empty when the codec chose to skip the frame."""

    frame_id: int
    codec: Codec
    settings: FrameEncodeSettings
    payload: bytes
    is_key: bool
    quantizer: int
    """The quantizer the codec used, in its own scale (AV1 0..63, H.264 0..51)."""
    encode_time_us: int
    attempt: int = 0
    """Which encode of the picture this is, as ordered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecodeResult:
    """What a decoder made of one frame; `size` is None when it refused it."""

    frame_id: int
    size: FrameSize | None
    decode_time_us: int
