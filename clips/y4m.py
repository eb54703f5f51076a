"""YUV4MPEG2, the plainest video file: a line of text, then raw pictures."""

from typing import BinaryIO

from rtc.values.errors import LocalMisuse
from rtc.values.formats import FrameSize
from rtc.values.frames import VideoFrame

_FORMAT = "C420jpeg XYSCSS=420JPEG XCOLORRANGE=LIMITED"
"""4:2:0 with chroma in the middle of each four luma samples."""


class Y4mWriter:
    """Writes 8-bit 4:2:0 limited-range frames of one size to an open binary file, which the caller closes."""

    def __init__(self, file: BinaryIO, *, size: FrameSize, fps: int) -> None:
        self._file = file
        self._size = size
        file.write(f"YUV4MPEG2 W{size.width} H{size.height} F{fps}:1 Ip A1:1 {_FORMAT}\n".encode("ascii"))

    def write(self, frame: VideoFrame) -> None:
        """Append one frame.

        Raises:
            LocalMisuse: it has another size.

        """
        if frame.size != self._size:
            raise LocalMisuse(
                f"frame of {frame.size} in a y4m file of {self._size}: all frames of a file have one size"
            )
        self._file.write(b"FRAME\n")
        self._file.write(frame.data)
