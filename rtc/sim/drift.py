"""Whether what was shown is what a decoder of the complete stream would have shown.

Until the first frame that the receiver's decoder was not fed as the encoder wrote it, the receiver's decoder *is* that
decoder. From then on every shown picture is remembered by its checksum, and when the call is over the complete stream
goes through a decoder of its own. (libaom's preview frame would not do: it lacks the in-loop filters of frames that no
later frame refers to.)
"""

import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from rtc.codecs.interface import VideoDecoder
from rtc.values.formats import Codec
from rtc.values.frames import EncodedFrame, VideoFrame


@dataclass(frozen=True, slots=True)
class _Coded:
    frame_id: int
    codec: Codec
    is_key: bool
    payload: bytes


class DriftChecker:
    """Follows one direction: `on_encoded`, `on_decoder_input` and `on_shown` as they happen, `drifted` at the end."""

    def __init__(self) -> None:
        self._stream: list[_Coded] = []
        self._fed = 0
        self._is_complete = True
        self._complete_until = -1
        self._shown: dict[int, int] = {}

    def on_encoded(self, frame_id: int, codec: Codec, payload: bytes, *, is_key: bool) -> None:
        """The encoder wrote a frame; nothing before a key frame is needed while the receiver keeps up."""
        if is_key and self._is_complete and self._fed == len(self._stream):
            self._stream.clear()
            self._fed = 0
        self._stream.append(_Coded(frame_id, codec, is_key, payload))

    def on_decoder_input(self, frame: EncodedFrame) -> None:
        """The receiver's decoder is fed this frame."""
        if not self._is_complete:
            return
        expected = self._stream[self._fed] if self._fed < len(self._stream) else None
        if expected is not None and expected.frame_id == frame.metadata.frame_id and expected.payload == frame.payload:
            self._fed += 1
            self._complete_until = frame.metadata.frame_id
        else:
            self._is_complete = False

    def on_shown(self, frame_id: int, picture: VideoFrame) -> None:
        """The receiver shows this picture."""
        if not self._is_complete and frame_id > self._complete_until:
            self._shown[frame_id] = zlib.crc32(picture.data)

    def drifted(self, open_decoder: Callable[[Codec], VideoDecoder]) -> frozenset[int]:
        """Ids of the shown frames whose pixels differ from the complete stream's."""
        if not self._shown:
            return frozenset()
        newest = max(self._shown)
        decoders: dict[Codec, VideoDecoder] = {}
        matched = set()
        try:
            for coded in _until(self._stream, newest):
                if coded.codec not in decoders:
                    decoders[coded.codec] = open_decoder(coded.codec)
                picture = decoders[coded.codec].decode(coded.payload)
                if picture is not None and self._shown.get(coded.frame_id) == zlib.crc32(picture.data):
                    matched.add(coded.frame_id)
        finally:
            for decoder in decoders.values():
                decoder.close()
        return frozenset(self._shown.keys() - matched)


def _until(stream: Iterable[_Coded], newest: int) -> Iterable[_Coded]:
    return (coded for coded in stream if coded.frame_id <= newest)
