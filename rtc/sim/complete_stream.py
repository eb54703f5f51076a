"""A decoder that is fed the complete stream of one direction, in a thread beside the call.

It is the yardstick for drift: what was shown must be what it gives. While the receiver is fed every frame as it was
encoded, what it gives is also what the receiver's decoder gives, so that no frame need be decoded twice. (libaom's
preview frame would not do as a yardstick: it lacks the in-loop filters of frames that no later frame refers to.)
"""

import time
import zlib
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

from rtc.codecs.interface import VideoDecoder
from rtc.values.encoding import EncodeResult
from rtc.values.errors import CodecError
from rtc.values.formats import Codec
from rtc.values.frames import VideoFrame
from rtc.values.units import US_PER_S

MAX_PICTURES: Final = 256
"""Pictures kept for frames not yet shown: eight seconds at 30 frames a second; of older ones only a checksum is."""
MAX_PENDING: Final = 16
"""How far the call may run ahead of this thread, in frames to decode or to compare."""


@dataclass(frozen=True, slots=True)
class DecodedPicture:
    """What the decoder made of one frame, and how long that took on this machine."""

    picture: VideoFrame
    decode_us: int


class CompleteStream:
    """Decodes every frame of one direction as it was sent.

    Driven by `on_encoded` in encoding order; `decoded` gives a frame's picture, `compare` checks a picture shown by
    somebody else's decoder, `forget_before` lets go of what will not be asked for, `drifted` ends the check. A decoder
    that refuses a frame of the complete stream is broken: that is a CodecError, from one of these calls.
    """

    def __init__(self, open_decoder: Callable[[Codec], VideoDecoder]) -> None:
        self._open_decoder = open_decoder
        self._decoders: dict[Codec, VideoDecoder] = {}
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="decode")
        self._coded: dict[int, EncodeResult] = {}
        self._pictures: dict[int, Future[DecodedPicture]] = {}
        self._checksums: dict[int, int] = {}
        self._drifted: set[int] = set()
        self._pending: deque[Future[DecodedPicture] | Future[None]] = deque()
        self.wall_us = 0
        """Time decoding took on this machine."""

    def on_encoded(self, result: EncodeResult) -> None:
        """A frame is sent as its encoder wrote it."""
        frame_id = result.frame_id
        self._coded[frame_id] = result
        decoding = self._pictures[frame_id] = self._worker.submit(self._decode, result)
        self._follow(decoding)
        while len(self._pictures) > MAX_PICTURES:
            self._put_away(next(iter(self._pictures)))

    def coded(self, frame_id: int) -> EncodeResult | None:
        """The frame as its encoder wrote it, while its picture can still be had."""
        return self._coded.get(frame_id)

    def decoded(self, frame_id: int) -> Future[DecodedPicture]:
        """The picture of a frame that `coded` knows."""
        return self._pictures[frame_id]

    def compare(self, frame_id: int, shown: VideoFrame) -> None:
        """Check a picture that another decoder made of this frame; the verdict waits until `drifted`."""
        expected = self._pictures.get(frame_id, self._checksums.get(frame_id))
        self._follow(self._worker.submit(self._compare, frame_id, shown, expected))

    def forget_before(self, frame_id: int) -> None:
        """Nobody will ask for older frames any more."""
        for older in [held for held in self._pictures if held < frame_id]:
            del self._pictures[older]
            del self._coded[older]
        for older in [held for held in self._checksums if held < frame_id]:
            del self._checksums[older]

    def drifted(self) -> frozenset[int]:
        """Ids of the compared frames whose pixels differ; waits for all that was asked."""
        self._wait_until_pending(0)
        return frozenset(self._drifted)

    def close(self) -> None:
        """Stop decoding and close the decoders."""
        self._worker.shutdown(wait=True, cancel_futures=True)
        for decoder in self._decoders.values():
            decoder.close()
        self._decoders.clear()

    def _follow(self, work: Future[DecodedPicture] | Future[None]) -> None:
        """Let the call run on, but not too far; whatever failed in the thread is raised here, none is lost."""
        self._pending.append(work)
        self._wait_until_pending(MAX_PENDING)

    def _wait_until_pending(self, at_most: int) -> None:
        while len(self._pending) > at_most:
            self._pending.popleft().result()

    def _decode(self, coded: EncodeResult) -> DecodedPicture:
        decoder = self._decoders.get(coded.codec)
        if decoder is None:
            decoder = self._decoders[coded.codec] = self._open_decoder(coded.codec)
        began = time.perf_counter()
        picture = decoder.decode(coded.payload)
        took_us = round((time.perf_counter() - began) * US_PER_S)
        self.wall_us += took_us
        if picture is None:
            raise CodecError(f"the {coded.codec.value} decoder refused frame {coded.frame_id} of the complete stream")
        return DecodedPicture(picture, took_us)

    def _put_away(self, frame_id: int) -> None:
        """Keep of this picture only what a comparison needs."""
        del self._coded[frame_id]
        self._checksums[frame_id] = zlib.crc32(self._pictures.pop(frame_id).result().picture.data)

    def _compare(self, frame_id: int, shown: VideoFrame, expected: Future[DecodedPicture] | int | None) -> None:
        """`expected`: the picture, already decoded because it was asked for before; its checksum; or nothing known."""
        if isinstance(expected, Future):
            expected = zlib.crc32(expected.result().picture.data)
        if expected != zlib.crc32(shown.data):
            self._drifted.add(frame_id)
