"""Pictures of a video file through PyAV, in order, with their times, at the size asked for."""

from collections.abc import Iterator
from pathlib import Path

import av
import av.error
from av.codec.context import Flags

from clips.file_opening import named, open_video
from clips.fitting import Fitting
from rtc.values.errors import LocalMisuse
from rtc.values.formats import FrameSize
from rtc.values.units import US_PER_S

_UNKNOWN_RATE = 25
"""Frames a second of a stream that has neither times nor a rate."""


class FileReader:
    """One pass over the video track of a file.

    Decoders and scaler run single-threaded in their bit-exact modes, so every CPU gets the same pictures.

    A file with a picture that cannot be decoded is refused where that picture comes, even in the middle of a call: a
    damaged picture would be measured as if the call had damaged it. Only what the demuxer or the decoder reports can
    be noticed (an error, or a packet or picture marked corrupt); changed bits that still decode are pictures too.
    """

    def __init__(self, path: Path) -> None:
        """Open the file; errors as `open_video`."""
        self._path = path
        self._container, self._stream = open_video(path)
        self._stream.codec_context.flags |= Flags.bitexact
        self._stream.codec_context.thread_count = 1

    def pictures(self) -> Iterator[tuple[int, av.VideoFrame]]:
        """Every picture, with its time in microseconds since the first, strictly increasing.

        Raises:
            LocalMisuse: the next picture is damaged.

        """
        rate = self._stream.average_rate or self._stream.guessed_rate or _UNKNOWN_RATE
        time_base = self._stream.time_base or 1 / rate
        usual_gap_us = max(int(US_PER_S / rate), 1)
        first_us: int | None = None
        last_us = -usual_gap_us
        for picture in self._decoded():
            stamp_us = None if picture.pts is None else int(picture.pts * time_base * US_PER_S)
            if first_us is None:
                first_us = stamp_us or 0
            at_us = last_us + usual_gap_us if stamp_us is None else stamp_us - first_us
            last_us = at_us if at_us > last_us else last_us + 1
            yield last_us, picture

    def fitting(self, size: FrameSize) -> Fitting:
        """What brings this file's pictures to a frame's size."""
        return Fitting(size, self._stream.sample_aspect_ratio)

    def close(self) -> None:
        """Close the file."""
        self._container.close()

    def _decoded(self) -> Iterator[av.VideoFrame]:
        number = 0
        try:
            for packet in self._packets():
                for picture in self._stream.codec_context.decode(packet):
                    if picture.is_corrupt:
                        raise self._damaged(number, "part of it is missing")
                    yield picture
                    number += 1
        except (av.error.FFmpegError, OSError, ValueError) as error:
            raise self._damaged(number, (getattr(error, "strerror", None) or str(error)).lower()) from error

    def _packets(self) -> Iterator[av.Packet | None]:
        """Packets up to the end, then None, which empties the decoder."""
        for packet in self._container.demux(self._stream):
            if packet.size:
                yield packet
        yield None

    def _damaged(self, number: int, how: str) -> LocalMisuse:
        return LocalMisuse(
            f"clip {named(self._path)}: damaged at picture {number} ({how}); choose a file that plays without faults"
        )
