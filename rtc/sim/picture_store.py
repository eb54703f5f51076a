"""Source pictures of one direction, kept until they were encoded and scored."""

from typing import Final

from rtc.values.frames import VideoFrame

MAX_BYTES: Final = 1 << 30
"""A picture whose frame is not shown stays until a later one is; in an endless freeze the oldest go unscored."""


class PictureStore:
    """Holds pictures by capture index, in capture order, up to a bounded size."""

    def __init__(self) -> None:
        self._pictures: dict[int, VideoFrame] = {}
        self._bytes = 0

    def put(self, capture_index: int, picture: VideoFrame) -> None:
        """Keep a captured picture."""
        self._pictures[capture_index] = picture
        self._bytes += picture.size.i420_bytes
        while self._bytes > MAX_BYTES and len(self._pictures) > 1:
            self._forget(next(iter(self._pictures)))

    def picture(self, capture_index: int) -> VideoFrame | None:
        """A picture still held."""
        return self._pictures.get(capture_index)

    def indices_before(self, capture_index: int) -> list[int]:
        """Captured earlier and still held, in order."""
        return [index for index in self._pictures if index < capture_index]

    def indices(self) -> list[int]:
        """All still held, in order."""
        return list(self._pictures)

    def forget(self, capture_index: int) -> None:
        """Let one go."""
        if capture_index in self._pictures:
            self._forget(capture_index)

    def _forget(self, capture_index: int) -> None:
        self._bytes -= self._pictures.pop(capture_index).size.i420_bytes
