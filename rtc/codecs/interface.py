"""What every encoder and decoder offers, and how to open one."""

from types import TracebackType
from typing import Protocol, Self

from rtc.codecs.encoder_values import EncodedPicture, EncoderOptions
from rtc.values.encoding import FrameEncodeSettings
from rtc.values.formats import Codec, FrameSize
from rtc.values.frames import VideoFrame


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
