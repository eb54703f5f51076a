"""x264 and SVT-AV1 through PyAV at a steady target, each set up as calls would use it."""

import os
import time
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Final

import av
import av.error
import numpy as np

from benchmarks.driving import DrivenFrame
from benchmarks.vbv.points import Subject
from rtc.values.errors import CodecError
from rtc.values.frames import VideoFrame
from rtc.values.units import US_PER_S

X264_BUFFER_MS: Final = 300
"""Its size is what bounds x264's VBV delay; 200 to 500 ms were tried, and less loses quality."""
LIBRARIES: Final = {Subject.X264: "libx264", Subject.SVT_AV1: "libsvtav1"}


def options(subject: Subject, bps: int) -> dict[str, str]:
    """PyAV's options of a baseline: one thread, no look-ahead, key frames only at the start."""
    if subject is Subject.X264:
        kbps = bps // 1000
        vbv = f"vbv-maxrate={kbps}:vbv-bufsize={max(1, kbps * X264_BUFFER_MS // 1000)}:nal-hrd=none"
        parameters = f"{vbv}:keyint=infinite:scenecut=0"
        return {"preset": "superfast", "tune": "zerolatency", "x264-params": parameters}
    return {"preset": "11", "svtav1-params": "rtc=1:rc=2:pred-struct=1:lp=1:keyint=-1"}


def encode_steadily(subject: Subject, pictures: Sequence[VideoFrame], *, fps: int, bps: int) -> tuple[DrivenFrame, ...]:
    """All pictures through one encoder; raises CodecError where PyAV lacks it or it fails.

    Quantizers are not to be had. CPU time is this process's, because SVT-AV1 works in threads of its own, spread
    evenly over the frames, because an encoder may answer late.
    """
    os.environ.setdefault("SVT_LOG", "1")  # else SVT-AV1 introduces itself on standard error
    began_ns = time.process_time_ns()
    try:
        payloads = dict(_packets(_open(subject, pictures[0], fps, bps), pictures))
    except (av.error.FFmpegError, ValueError) as error:
        raise CodecError(f"{LIBRARIES[subject]} in PyAV: {error}") from error
    each_ns = (time.process_time_ns() - began_ns) // len(pictures)
    return tuple(
        DrivenFrame(
            captured_at_us=index * US_PER_S // fps,
            target_bps=bps,
            payload=payloads[index][0] if index in payloads else None,
            is_key=payloads[index][1] if index in payloads else False,
            quantizer=None,
            encodes=1,
            encode_ns=each_ns,
            control_ns=0,
        )
        for index in range(len(pictures))
    )


def _open(subject: Subject, picture: VideoFrame, fps: int, bps: int) -> av.VideoCodecContext:
    context = av.VideoCodecContext.create(LIBRARIES[subject], "w")
    assert isinstance(context, av.VideoCodecContext)
    context.width, context.height, context.pix_fmt = picture.size.width, picture.size.height, "yuv420p"
    context.time_base, context.framerate = Fraction(1, fps), Fraction(fps)
    context.bit_rate = bps
    context.thread_count = 1
    context.options = options(subject, bps)
    return context


def _packets(context: av.VideoCodecContext, pictures: Iterable[VideoFrame]) -> Iterator[tuple[int, tuple[bytes, bool]]]:
    """Payload and whether it is a key frame, by the picture's index."""
    for index, picture in enumerate(pictures):
        rows = np.frombuffer(picture.data, np.uint8).reshape(picture.size.height * 3 // 2, picture.size.width)
        frame = av.VideoFrame.from_ndarray(rows, "yuv420p")
        frame.pts, frame.time_base = index, context.time_base
        yield from _taken(context.encode(frame))
    yield from _taken(context.encode(None))


def _taken(packets: Iterable[av.Packet]) -> Iterator[tuple[int, tuple[bytes, bool]]]:
    for packet in packets:
        assert packet.pts is not None
        yield packet.pts, (bytes(packet), packet.is_keyframe)
