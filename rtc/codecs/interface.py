"""What every encoder and decoder offers, and how to open one."""

import enum
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self

from rtc.values.encoding import FrameEncodeSettings
from rtc.values.errors import LocalMisuse
from rtc.values.formats import Codec, FrameSize
from rtc.values.frames import VideoFrame

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


class VideoEncoder(Protocol):
    """Turns pictures of one size into a stream, exactly as it is told frame by frame.

    Driven by a codec worker, from one thread at a time; the C call lets other threads run. An order that cannot be
    carried out raises `LocalMisuse` and changes nothing. A codec that fails raises `CodecError`; it can only be
    closed then.
    """

    @property
    def codec(self) -> Codec:
        """The codec of the stream."""

    @property
    def size(self) -> FrameSize:
        """The size of every picture that goes in; the coded size may be smaller, frame by frame."""

    def encode(self, frame: VideoFrame, settings: FrameEncodeSettings) -> EncodedPicture:
        """Encode one picture as ordered."""

    def close(self) -> None:
        """Give the memory back; closing twice is harmless."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class VideoDecoder(Protocol):
    """Turns encoded frames into pictures: one in, one out, at once and in order. Driven by a codec worker."""

    @property
    def codec(self) -> Codec:
        """The codec of the stream."""

    def decode(self, payload: bytes) -> VideoFrame | None:
        """The picture of one encoded frame, or None when the decoder refuses it; it can go on either way."""

    def close(self) -> None:
        """Give the memory back; closing twice is harmless."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


def open_encoder(codec: Codec, size: FrameSize, options: EncoderOptions | None = None) -> VideoEncoder:
    """An encoder for pictures of this size; `CodecError` in one line when its library is missing or does not fit."""
    chosen = options or EncoderOptions()
    if codec is Codec.AV1:
        from rtc.codecs.av1_encoder import Av1Encoder  # noqa: PLC0415 - a library is loaded only when it is used

        return Av1Encoder(size, chosen)
    from rtc.codecs.h264_encoder import H264Encoder  # noqa: PLC0415 - a library is loaded only when it is used

    return H264Encoder(size, chosen)


def open_decoder(codec: Codec) -> VideoDecoder:
    """A decoder; `CodecError` in one line when PyAV has none for the codec."""
    from rtc.codecs.decoders import PyavDecoder  # noqa: PLC0415 - PyAV takes time to import

    return PyavDecoder(codec)
