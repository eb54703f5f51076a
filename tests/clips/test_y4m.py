import io

import av
import pytest

from clips.frames import solid_frame
from clips.y4m import Y4mWriter
from rtc.values.errors import LocalMisuse
from rtc.values.formats import FrameSize

SIZE = FrameSize(16, 16)


def test_a_file_is_a_line_of_text_and_raw_frames():
    file = io.BytesIO()
    Y4mWriter(file, size=SIZE, fps=30).write(solid_frame(SIZE))

    header, frame, rest = file.getvalue().split(b"\n", 2)
    assert header == b"YUV4MPEG2 W16 H16 F30:1 Ip A1:1 C420jpeg XYSCSS=420JPEG XCOLORRANGE=LIMITED"
    assert frame == b"FRAME"
    assert rest == b"\x10" * 256 + b"\x80" * 128


def test_ffmpeg_reads_it_back_to_the_byte():
    file = io.BytesIO()
    writer = Y4mWriter(file, size=SIZE, fps=25)
    for level in (20, 90, 200):
        writer.write(solid_frame(SIZE, y=level))

    with av.open(io.BytesIO(file.getvalue())) as container:
        stream = container.streams.video[0]
        assert stream.average_rate == 25
        levels = [int(frame.to_ndarray()[0, 0]) for frame in container.decode(stream)]
    assert levels == [20, 90, 200]


def test_frames_of_another_size_are_refused():
    with pytest.raises(LocalMisuse, match="frame of 32x32 in a y4m file of 16x16"):
        Y4mWriter(io.BytesIO(), size=SIZE, fps=30).write(solid_frame(FrameSize(32, 32)))
