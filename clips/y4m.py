"""YUV4MPEG2, the plainest video file: a line of text, then raw pictures."""

import re
from typing import BinaryIO

from rtc.values.errors import LocalMisuse
from rtc.values.formats import FrameSize
from rtc.values.frames import VideoFrame

_FORMAT = "C420jpeg XYSCSS=420JPEG XCOLORRANGE=LIMITED"
"""4:2:0 with chroma in the middle of each four luma samples."""
_MAGIC = b"YUV4MPEG2"
_FRAME = b"FRAME"
_MOST_LINE_BYTES = 1024
_SHOWN_CHARACTERS = 60
_NEED = "need one like 'YUV4MPEG2 W640 H360 F30:1 C420jpeg'"
_NEEDED = {
    b"W": ("width above 0", rb"0*[1-9]\d*"),
    b"H": ("height above 0", rb"0*[1-9]\d*"),
    b"F": ("frame rate above 0", rb"0*[1-9]\d*:0*[1-9]\d*"),
}


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


def is_y4m(start: bytes) -> bool:
    """Whether a file that starts so means to be y4m."""
    return start.startswith(_MAGIC)


def header_fault(start: bytes) -> str | None:
    """What is wrong with the header line of a y4m file that starts so, or None.

    A header gives a width, a height and a frame rate; the rate 0:0 (unknown) is refused, for nothing else tells it.
    """
    line, newline, _ = start[:_MOST_LINE_BYTES].partition(b"\n")
    fields = {field[:1]: field[1:] for field in line.split(b" ")[1:] if field}
    for tag, (what, pattern) in _NEEDED.items():
        if not re.fullmatch(pattern, fields.get(tag, b"")):
            return f"{_shown(line)} is not a y4m header, it gives no {what}; {_NEED}"
    return None if newline else f"{_shown(line)} is not a y4m header, it has no end; {_NEED}"


def refused_header(start: bytes) -> str:
    """What to say of a y4m file that starts so when FFmpeg refuses its sound header: a size or sampling too strange."""
    line, _, _ = start.partition(b"\n")
    return f"{_shown(line)} has a size or sampling that cannot be read; {_NEED}"


def _shown(line: bytes) -> str:
    return f"its first line, {line[:_SHOWN_CHARACTERS].decode('latin-1')!a},"


def frames_fault(file: BinaryIO, size: int, frame_bytes: int) -> str | None:
    """What is wrong with the sequence of pictures in a y4m file of `size` bytes, or None: each line FRAME, each whole.

    `frame_bytes` is what one picture takes without its line. Reads the lines and seeks over the pictures.
    """
    file.seek(0)
    at = file.read(_MOST_LINE_BYTES).index(b"\n") + 1
    whole = 0
    while at < size:
        file.seek(at)
        start = file.read(_MOST_LINE_BYTES)
        line, newline, _ = start.partition(b"\n")
        if start[: len(_FRAME)] != _FRAME[: len(start)]:
            return f"damaged: no line FRAME before picture {whole}"
        at += len(line) + len(newline) + frame_bytes
        if at > size:
            return f"cut off: picture {whole} lacks {at - size} of its {frame_bytes} bytes"
        whole += 1
    return None
