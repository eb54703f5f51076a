"""AV1 through dav1d and H.264 through FFmpeg's decoder, both inside PyAV: one frame in, one frame out, one thread."""

from typing import Any, Final

import av
import av.logging
import numpy as np

from rtc.codecs.closing import Closing
from rtc.codecs.libraries import HOW_TO_GET
from rtc.values.errors import CodecError, LocalMisuse
from rtc.values.formats import Codec, FrameSize
from rtc.values.frames import VideoFrame

DECODERS: Final = {Codec.AV1: "libdav1d", Codec.H264: "h264"}
OPTIONS: Final = {
    # dav1d would wait for frames to work on at once; one thread and no delay make it answer at once.
    Codec.AV1: {"framethreads": "1", "tilethreads": "1", "max_frame_delay": "1"},
    # FFmpeg would wait for frames that may come out of order, of which baseline has none, and would paint over damage
    # instead of refusing it.
    Codec.H264: {"flags": "low_delay", "err_detect": "explode"},
}


class PyavDecoder(Closing):
    """A decoder of PyAV's; see `VideoDecoder` for what drives it and what it promises."""

    def __init__(self, codec: Codec) -> None:
        self.codec = codec
        # A refused frame is an answer here, not a message on standard error.
        av.logging.set_level(None)
        try:
            context = av.VideoCodecContext.create(DECODERS[codec], "r")
        except (av.error.FFmpegError, ValueError) as error:
            raise CodecError(f"PyAV has no {DECODERS[codec]} decoder; {HOW_TO_GET}") from error
        assert isinstance(context, av.VideoCodecContext)
        context.thread_count = 1
        context.options = OPTIONS[codec]
        self._context: av.VideoCodecContext | None = context

    def close(self) -> None:
        """Give the memory back; closing twice is harmless."""
        self._context = None

    def decode(self, payload: bytes) -> VideoFrame | None:
        """The picture of one encoded frame, or None when the decoder refuses it; it can go on either way."""
        if self._context is None:
            raise LocalMisuse("this decoder is closed; open another")
        if not payload:
            return None
        try:
            frames = self._context.decode(av.Packet(payload))
        except (av.error.FFmpegError, ValueError, OSError):
            return None
        return _to_i420(frames[-1]) if frames else None


def _to_i420(picture: av.VideoFrame) -> VideoFrame | None:
    """The planes one after the other without padding; None for another layout than 8-bit 4:2:0 with even sides."""
    if picture.format.name not in {"yuv420p", "yuvj420p"}:
        return None
    try:
        size = FrameSize(picture.width, picture.height)
    except LocalMisuse:
        return None
    data = np.empty(size.i420_bytes, np.uint8)
    start = 0
    planes: tuple[Any, ...] = picture.planes  # PyAV's stubs do not say that a plane is a buffer
    for index, plane in enumerate(planes):
        shift = 1 if index else 0
        width, height = size.width >> shift, size.height >> shift
        lines = np.frombuffer(plane, np.uint8).reshape(-1, plane.line_size)
        data[start : start + width * height].reshape(height, width)[:] = lines[:height, :width]
        start += width * height
    return VideoFrame(size=size, data=data.data)
