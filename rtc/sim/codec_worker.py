"""Real codecs in virtual time: the work is done when it is ordered, its result is due when the codec would be done."""

import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Final

from rtc.call.outputs import CommitEncode, DecodeFrame, EncodeFrame
from rtc.codecs.interface import VideoDecoder, VideoEncoder
from rtc.sim.codec_timing import CodecTiming
from rtc.sim.complete_stream import CompleteStream, DecodedPicture
from rtc.values.encoding import DecodeResult, EncodeResult
from rtc.values.formats import Codec, FrameSize
from rtc.values.frames import EncodedFrame, FrameType, VideoFrame
from rtc.values.units import US_PER_S

MAX_SINCE_KEY: Final = 3_000
"""Frames kept to bring a decoder of its own to where the receiver stands: 100 s at 30 a second, a second or two to
decode."""
PictureSource = VideoFrame | Future[DecodedPicture]
"""A picture, or one that is still being decoded in another thread."""


class EncodeWorker:
    """One encoder thread: an encoder for each codec, opened when first needed, one frame at a time."""

    def __init__(self, open_encoder: Callable[[Codec], VideoEncoder], timing: CodecTiming) -> None:
        self._open_encoder = open_encoder
        self._timing = timing
        self._encoders: dict[Codec, VideoEncoder] = {}
        self._result: tuple[int, EncodeResult] | None = None
        self._answered: dict[int, EncodeResult] = {}
        self.wall_us = 0
        """Time the encoders took on this machine."""

    def prepare(self, codec: Codec) -> VideoEncoder:
        """Have the encoder of a codec open; CodecError when it cannot be."""
        encoder = self._encoders.get(codec)
        if encoder is None:
            encoder = self._encoders[codec] = self._open_encoder(codec)
        return encoder

    def order(self, order: EncodeFrame, picture: VideoFrame, now_us: int) -> None:
        """Encode now; the result is handed out by `poll` when the codec would be done."""
        encoder = self.prepare(order.codec)
        began = time.perf_counter()
        encoded = encoder.encode(picture, order.settings)
        measured_us = round((time.perf_counter() - began) * US_PER_S)
        self.wall_us += measured_us
        settings = order.settings
        took_us = self._timing.encode_us(
            codec=order.codec,
            speed=settings.speed,
            size=settings.coded_size,
            is_key=encoded.is_key,
            encoded_bytes=len(encoded.payload),
            measured_us=measured_us,
        )
        result = EncodeResult(
            frame_id=order.frame_id,
            codec=order.codec,
            settings=settings,
            payload=encoded.payload,
            is_key=encoded.is_key,
            quantizer=encoded.quantizer,
            encode_time_us=took_us,
            attempt=order.attempt,
        )
        self._result = (now_us + took_us, result)

    def next_result_us(self) -> int | None:
        """When the result is due."""
        return None if self._result is None else self._result[0]

    def poll(self, now_us: int) -> EncodeResult | None:
        """The result, once due."""
        if self._result is None or self._result[0] > now_us:
            return None
        result = self._result[1]
        self._result = None
        self._answered[result.attempt] = result
        return result

    def commit(self, order: CommitEncode) -> EncodeResult:
        """The encode that is sent; those of its picture are let go."""
        result = self._answered[order.attempt]
        self._answered.clear()
        return result

    def close(self) -> None:
        """Close every encoder."""
        for encoder in self._encoders.values():
            encoder.close()
        self._encoders.clear()


class DecodeWorker:
    """One decoder thread: a decoder for each codec, frames in the order given, pictures kept until `take_picture`.

    As long as it is fed exactly the complete stream, its pictures are those of the complete stream's decoder, which
    works ahead in another thread. With the first frame that is missing or differs it opens decoders of its own, brings
    them to where it stands by what it was fed since the last key frame, and goes on by itself for the rest of the call.
    """

    def __init__(
        self, open_decoder: Callable[[Codec], VideoDecoder], timing: CodecTiming, complete: CompleteStream
    ) -> None:
        self._open_decoder = open_decoder
        self._timing = timing
        self._complete = complete
        self._decoders: dict[Codec, VideoDecoder] = {}
        self._since_key: list[EncodedFrame] = []
        self._is_in_step = True
        self._last_fed = -1
        self._results: deque[tuple[int, DecodeResult]] = deque()
        self._pictures: dict[int, PictureSource] = {}
        self._free_at_us = 0
        self.wall_us = 0
        """Time decoders of its own took on this machine."""

    def order(self, order: DecodeFrame, now_us: int) -> None:
        """Decode; the result is due when the decoder, busy with earlier frames first, would be done."""
        frame = order.frame
        if self._is_in_step and (not self._follows(frame) or len(self._since_key) >= MAX_SINCE_KEY):
            self._go_alone()
        size, measured_us = self._take_from_complete(frame) if self._is_in_step else self._decode(frame)
        took_us = 0
        if size is not None:
            took_us = self._timing.decode_us(
                codec=frame.metadata.codec,
                size=size,
                is_key=frame.metadata.frame_type is FrameType.KEY,
                encoded_bytes=len(frame.payload),
                measured_us=measured_us,
            )
        self._last_fed = frame.metadata.frame_id
        self._free_at_us = max(self._free_at_us, now_us) + took_us
        result = DecodeResult(frame_id=frame.metadata.frame_id, size=size, decode_time_us=took_us)
        self._results.append((self._free_at_us, result))

    def next_result_us(self) -> int | None:
        """When the oldest result is due."""
        return self._results[0][0] if self._results else None

    def poll(self, now_us: int) -> DecodeResult | None:
        """The oldest result, once due."""
        if not self._results or self._results[0][0] > now_us:
            return None
        return self._results.popleft()[1]

    def take_picture(self, frame_id: int) -> PictureSource:
        """The picture of a frame that is shown; those of older frames will never be and are let go.

        One of its own decoder is checked against the complete stream's.
        """
        picture = self._pictures.pop(frame_id)
        for older in [held for held in self._pictures if held < frame_id]:
            del self._pictures[older]
        if isinstance(picture, VideoFrame):
            self._complete.compare(frame_id, picture)
        self._complete.forget_before(frame_id)
        return picture

    def close(self) -> None:
        """Close every decoder."""
        for decoder in self._decoders.values():
            decoder.close()
        self._decoders.clear()
        self._pictures.clear()

    def _follows(self, frame: EncodedFrame) -> bool:
        """Whether this is the complete stream's next frame, byte for byte."""
        frame_id = frame.metadata.frame_id
        expected = self._complete.coded(frame_id)
        return frame_id == self._last_fed + 1 and expected is not None and expected.payload == frame.payload

    def _take_from_complete(self, frame: EncodedFrame) -> tuple[FrameSize | None, int]:
        frame_id = frame.metadata.frame_id
        if frame.metadata.frame_type is FrameType.KEY:
            self._since_key.clear()
        self._since_key.append(frame)
        decoded = self._complete.decoded(frame_id)
        self._pictures[frame_id] = decoded
        if self._timing.is_measured:
            done = decoded.result()
            return done.picture.size, done.decode_us
        coded = self._complete.coded(frame_id)
        return (None if coded is None else coded.settings.coded_size), 0

    def _go_alone(self) -> None:
        self._is_in_step = False
        for frame in self._since_key:
            self._decoder(frame.metadata.codec).decode(frame.payload)
        self._since_key.clear()

    def _decode(self, frame: EncodedFrame) -> tuple[FrameSize | None, int]:
        decoder = self._decoder(frame.metadata.codec)
        began = time.perf_counter()
        picture = decoder.decode(frame.payload)
        measured_us = round((time.perf_counter() - began) * US_PER_S)
        self.wall_us += measured_us
        if picture is None:
            return None, measured_us
        self._pictures[frame.metadata.frame_id] = picture
        return picture.size, measured_us

    def _decoder(self, codec: Codec) -> VideoDecoder:
        decoder = self._decoders.get(codec)
        if decoder is None:
            decoder = self._decoders[codec] = self._open_decoder(codec)
        return decoder


def picture_of(source: PictureSource) -> VideoFrame:
    """The picture itself, once it is there."""
    return source if isinstance(source, VideoFrame) else source.result().picture
