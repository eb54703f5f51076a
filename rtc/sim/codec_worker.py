"""Real codecs in virtual time: the work is done when it is ordered, its result is due when the codec would be done."""

import time
from collections import deque
from collections.abc import Callable

from rtc.call.outputs import DecodeFrame, EncodeFrame
from rtc.codecs.interface import VideoDecoder, VideoEncoder
from rtc.sim.codec_timing import CodecTiming
from rtc.values.encoding import DecodeResult, EncodeResult
from rtc.values.formats import Codec
from rtc.values.frames import FrameType, VideoFrame
from rtc.values.units import US_PER_S


class EncodeWorker:
    """One encoder thread: an encoder for each codec, opened when first needed, one frame at a time."""

    def __init__(self, open_encoder: Callable[[Codec], VideoEncoder], timing: CodecTiming) -> None:
        self._open_encoder = open_encoder
        self._timing = timing
        self._encoders: dict[Codec, VideoEncoder] = {}
        self._result: tuple[int, EncodeResult] | None = None
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
        return result

    def close(self) -> None:
        """Close every encoder."""
        for encoder in self._encoders.values():
            encoder.close()
        self._encoders.clear()


class DecodeWorker:
    """One decoder thread: a decoder for each codec, frames in the order given, pictures kept until `take_picture`."""

    def __init__(self, open_decoder: Callable[[Codec], VideoDecoder], timing: CodecTiming) -> None:
        self._open_decoder = open_decoder
        self._timing = timing
        self._decoders: dict[Codec, VideoDecoder] = {}
        self._results: deque[tuple[int, DecodeResult]] = deque()
        self._pictures: dict[int, VideoFrame] = {}
        self._free_at_us = 0
        self.wall_us = 0
        """Time the decoders took on this machine."""

    def order(self, order: DecodeFrame, now_us: int) -> None:
        """Decode now; the result is due when the decoder, busy with earlier frames first, would be done."""
        metadata = order.frame.metadata
        decoder = self._decoders.get(metadata.codec)
        if decoder is None:
            decoder = self._decoders[metadata.codec] = self._open_decoder(metadata.codec)
        began = time.perf_counter()
        picture = decoder.decode(order.frame.payload)
        measured_us = round((time.perf_counter() - began) * US_PER_S)
        self.wall_us += measured_us
        took_us = 0
        if picture is not None:
            self._pictures[metadata.frame_id] = picture
            took_us = self._timing.decode_us(
                codec=metadata.codec,
                size=picture.size,
                is_key=metadata.frame_type is FrameType.KEY,
                encoded_bytes=len(order.frame.payload),
                measured_us=measured_us,
            )
        self._free_at_us = max(self._free_at_us, now_us) + took_us
        size = None if picture is None else picture.size
        result = DecodeResult(frame_id=metadata.frame_id, size=size, decode_time_us=took_us)
        self._results.append((self._free_at_us, result))

    def next_result_us(self) -> int | None:
        """When the oldest result is due."""
        return self._results[0][0] if self._results else None

    def poll(self, now_us: int) -> DecodeResult | None:
        """The oldest result, once due."""
        if not self._results or self._results[0][0] > now_us:
            return None
        return self._results.popleft()[1]

    def take_picture(self, frame_id: int) -> VideoFrame:
        """The picture of a frame that is shown; those of older frames will never be and are let go."""
        picture = self._pictures.pop(frame_id)
        for older in [held for held in self._pictures if held < frame_id]:
            del self._pictures[older]
        return picture

    def close(self) -> None:
        """Close every decoder."""
        for decoder in self._decoders.values():
            decoder.close()
        self._decoders.clear()
        self._pictures.clear()
