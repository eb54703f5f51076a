"""What an encoder is told once, and what it makes of a picture."""

import enum
from dataclasses import dataclass

from rtc.values.errors import LocalMisuse

MAX_TEMPORAL_LAYERS = 2


class Content(enum.Enum):
    """What the pictures show, for tools that only pay on one kind."""

    CAMERA = "camera"
    SCREEN = "screen"


@dataclass(frozen=True, slots=True, kw_only=True)
class NativeRateBuffer:
    """The decoder buffer that libaom's own rate control assumes, in milliseconds at the target rate.

    The defaults are those libwebrtc uses; a smaller one bounds delay more tightly. OpenH264 has no such setting.
    """

    size_ms: int = 1000
    initial_ms: int = 600
    optimal_ms: int = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderOptions:
    """What is fixed for the life of an encoder."""

    temporal_layers: int = 1
    """1 or 2."""
    content: Content = Content.CAMERA
    native_buffer: NativeRateBuffer = NativeRateBuffer()
    native_max_quantizer: int | None = None
    """The coarsest quantizer the codec's own rate control may use; None: 56 of 63 for AV1, 51 for H.264."""
    native_cyclic_refresh: bool = True
    """Whether libaom's own rate control codes a part of the resting blocks finer, another part in every frame."""

    def __post_init__(self) -> None:
        if self.temporal_layers not in range(1, MAX_TEMPORAL_LAYERS + 1):
            raise LocalMisuse(f"temporal_layers is {self.temporal_layers}; it must be 1 or {MAX_TEMPORAL_LAYERS}")


@dataclass(frozen=True, slots=True, kw_only=True)
class EncodedPicture:
    """What an encoder made of one picture."""

    payload: bytes
    """An AV1 temporal unit, or an H.264 access unit in Annex B; empty when the codec chose to skip the picture."""
    is_key: bool
    quantizer: int
    """The quantizer the codec used, in its own scale (AV1 0..63, H.264 0..51)."""
