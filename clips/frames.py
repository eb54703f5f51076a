"""Planes of a raw picture as numpy views, and pictures from planes."""

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from rtc.values.errors import LocalMisuse
from rtc.values.formats import FrameSize
from rtc.values.frames import VideoFrame

Plane = NDArray[np.uint8]
"""One plane: 2-D, 8-bit, rows by columns."""

# The call runs its codecs on the other core; a picture is too small to be worth OpenCV's threads.
cv2.setNumThreads(1)


class Planes(NamedTuple):
    """The three planes of one picture; chroma has half the rows and half the columns of luma."""

    y: Plane
    u: Plane
    v: Plane


def planes(frame: VideoFrame) -> Planes:
    """Views (no copy) of a frame's planes; writable when the frame's memory is."""
    return split(np.frombuffer(frame.data, np.uint8), frame.size)


def new_picture(size: FrameSize) -> tuple[VideoFrame, Planes]:
    """A frame with memory of its own, not yet filled, and the writable views to fill it through."""
    flat = np.empty(size.i420_bytes, np.uint8)
    return VideoFrame(size=size, data=flat.data), split(flat, size)


def from_planes(y: Plane, u: Plane, v: Plane) -> VideoFrame:
    """A frame that owns a copy of these planes.

    Raises:
        LocalMisuse: chroma is not half of luma each way, or the size is no frame's size.

    """
    size = FrameSize(y.shape[1], y.shape[0])
    frame, into = new_picture(size)
    for plane, source in zip(into, (y, u, v), strict=True):
        if plane.shape != source.shape:
            raise LocalMisuse(f"plane of {source.shape} in a {size} picture: {plane.shape} is needed (rows, columns)")
        np.copyto(plane, source)
    return frame


def solid_frame(size: FrameSize, *, y: int = 16, u: int = 128, v: int = 128) -> VideoFrame:
    """A picture of one colour in limited-range YCbCr; black unless told otherwise."""
    frame, into = new_picture(size)
    for plane, value in zip(into, (y, u, v), strict=True):
        plane[...] = value
    return frame


def full_chroma_planes(bgr: NDArray[np.uint8]) -> Planes:
    """Y, Cb and Cr of a picture (rows, columns, 3), all three at full size, BT.601 limited range.

    Integers throughout (8-bit weights), so every machine gets the same planes.
    """
    b, g, r = (bgr[..., channel].astype(np.int32) for channel in range(3))
    y = (66 * r + 129 * g + 25 * b + 128 >> 8) + 16
    u = (-38 * r - 74 * g + 112 * b + 128 >> 8) + 128
    v = (112 * r - 94 * g - 18 * b + 128 >> 8) + 128
    return Planes(y.astype(np.uint8), u.astype(np.uint8), v.astype(np.uint8))


def from_bgr(bgr: NDArray[np.uint8]) -> VideoFrame:
    """A frame from an even-sized picture (rows, columns, 3); chroma is the rounded mean of each 2x2 block."""
    full = full_chroma_planes(bgr)
    return from_planes(full.y, halved(full.u), halved(full.v))


def to_bgr(frame: VideoFrame) -> NDArray[np.uint8]:
    """The picture as (rows, columns, 3), for writing PNG files; BT.601 limited range."""
    rows = np.frombuffer(frame.data, np.uint8).reshape(frame.size.height * 3 // 2, frame.size.width)
    return np.asarray(cv2.cvtColor(rows, cv2.COLOR_YUV2BGR_I420), np.uint8)


def split(flat: NDArray[np.uint8], size: FrameSize) -> Planes:
    """Views of the planes of a contiguous I420 picture, given as one row of samples."""
    luma, chroma = size.pixels, size.pixels // 4
    half = (size.height // 2, size.width // 2)
    return Planes(
        flat[:luma].reshape(size.height, size.width),
        flat[luma : luma + chroma].reshape(half),
        flat[luma + chroma : luma + 2 * chroma].reshape(half),
    )


def halved(plane: Plane) -> Plane:
    """The rounded mean of each 2x2 block; an odd last row or column is left out."""
    rows, columns = (side & ~1 for side in plane.shape)
    wide = plane[:rows, :columns].astype(np.uint16)
    total = wide[::2, ::2] + wide[1::2, ::2] + wide[::2, 1::2] + wide[1::2, 1::2]
    return (total + 2 >> 2).astype(np.uint8)
