"""A video file as a clip: any size to the size asked for, any rate to the rate asked for, without an end."""

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from clips.clip import Clip
from clips.file_opening import as_misuse, named
from clips.file_reader import FileReader
from rtc.values.errors import LocalMisuse
from rtc.values.formats import FrameSize
from rtc.values.frames import VideoFrame
from rtc.values.units import US_PER_S

if TYPE_CHECKING:
    import av

_HELD_BYTES = 256 * 1024 * 1024
"""Pictures kept for playing backwards: 25 s at 640x360p30. A longer file starts again at its beginning, with a jump."""
_AS_NEAR_US = 4
"""Times are rounded to whole microseconds; pictures this much nearer count as equally near."""

Picture = TypeVar("Picture")


class FileClip(Clip):
    """Plays a file forwards, then backwards and forwards again; a file too long to hold starts again instead.

    Each capture instant shows the picture nearest to it in time. Pictures are cropped about the centre to the frame's
    aspect and scaled, so that nothing is distorted and nothing is black. So a file may have any size whose sides are
    even.

    A file is refused when it is opened if it is cut off or its first pictures are damaged, and in the middle of
    playing where a later picture is damaged: see `FileReader`.
    """

    def __init__(self, path: Path, *, size: FrameSize, fps: int, held_bytes: int = _HELD_BYTES) -> None:
        """Open a file and decode its first picture.

        Raises:
            LocalMisuse: it is missing, a folder, empty, no video, cut off, damaged at its start, or has no picture.

        """
        super().__init__(name=path.name, size=size, fps=fps)
        self._path = path
        self._room = held_bytes // size.i420_bytes
        self._held: list[VideoFrame] = []
        self._reader = FileReader(path)
        self._pictures = self._first_pass()
        try:
            self._first: VideoFrame | None = self._first_picture()
        except LocalMisuse:
            self.close()
            raise

    def close(self) -> None:
        """Close the file and let go of the pictures held."""
        self._held.clear()
        self._pictures = iter(())
        self._reader.close()

    def _render(self, index: int) -> VideoFrame:
        if self._first is not None:
            picture, self._first = self._first, None
            return picture
        picture_or_end = next(self._pictures, None)
        if picture_or_end is None:
            self._pictures = self._again()
            picture_or_end = next(self._pictures, None)
        if picture_or_end is None:
            raise LocalMisuse(f"clip {named(self._path)}: frame {index} cannot be read any more; was the file changed?")
        return picture_or_end

    def _first_picture(self) -> VideoFrame:
        first = next(self._pictures, None)
        if first is None:
            raise LocalMisuse(
                f"clip {named(self._path)}: no picture in it could be decoded; choose one that a player shows"
            )
        return first

    def _first_pass(self) -> Iterator[VideoFrame]:
        """Play the file, holding what is played for as long as there is room for it."""
        distinct = 0
        for picture in self._played():
            if self._room:
                distinct += not self._held or picture is not self._held[-1]
                self._held.append(picture)
            if distinct > self._room:
                self._room = 0
                self._held.clear()
            yield picture

    def _again(self) -> Iterator[VideoFrame]:
        """What follows the last picture: back to the first and forth again for ever, or the file once more."""
        self._reader.close()
        if self._held:
            return itertools.cycle(self._held[-2::-1] + self._held[1:] or self._held)
        self._reader = FileReader(self._path)
        return self._played()

    def _played(self) -> Iterator[VideoFrame]:
        fitting = self._reader.fitting(self.size)
        last: tuple[av.VideoFrame, VideoFrame] | None = None
        for picture in nearest_in_time(self._reader.pictures(), self.fps):
            if last is None or picture is not last[0]:
                kind = f"pictures of {picture.width}x{picture.height} in {picture.format.name} cannot be scaled"
                with as_misuse(self._path, kind, "convert it to a usual size"):
                    last = (picture, fitting.fit(picture))
            yield last[1]


def nearest_in_time(timed: Iterator[tuple[int, Picture]], fps: int) -> Iterator[Picture]:
    """At each instant k / `fps` the picture nearest to it, the earlier of two as near; ends half a gap past the last.

    `timed` gives times in microseconds, strictly increasing from 0.
    """
    instants = (index * US_PER_S // fps for index in itertools.count())
    instant_us = next(instants)
    before: tuple[int, Picture] | None = None
    gap_us = US_PER_S // fps
    for at_us, picture in timed:
        if before is not None:
            gap_us = at_us - before[0]
            while instant_us * 2 <= before[0] + at_us + _AS_NEAR_US:
                yield before[1]
                instant_us = next(instants)
        before = (at_us, picture)
    while before is not None and (instant_us - before[0]) * 2 <= gap_us:
        yield before[1]
        instant_us = next(instants)
