"""Any decoded picture to 8-bit limited-range I420 of a given size."""

from fractions import Fraction

import av
import av.filter
import numpy as np

from clips.frames import new_picture
from rtc.values.formats import FrameSize
from rtc.values.frames import VideoFrame

_EXACT = "bicubic+accurate_rnd+bitexact+full_chroma_int+full_chroma_inp"
"""swscale's SIMD and C paths give the same bytes with these flags, and not without them."""
_LEAST_CROP = 4
"""Pixels a crop keeps where there are so many: the widest chroma sample, 4:1:1, spans four."""
_TURNS = {90: ("transpose=cclock",), -90: ("transpose=clock",), 180: ("hflip", "vflip"), -180: ("hflip", "vflip")}
"""Filters that undo a display matrix; angles are counterclockwise degrees."""


class Fitting:
    """Turns, crops about the centre to the frame's aspect ("cover": nothing is distorted, nothing is black), scales."""

    def __init__(self, size: FrameSize, pixel_aspect: Fraction | None) -> None:
        self._size = size
        self._pixel_aspect = pixel_aspect or Fraction(1)
        self._made_for: tuple[int, int, str, int, int, int] | None = None
        self._graph: av.filter.Graph | None = None

    def fit(self, picture: av.VideoFrame) -> VideoFrame:
        """The picture as a frame; its memory is read-only, for it may be shown many times."""
        kind = (
            picture.width,
            picture.height,
            picture.format.name,
            int(picture.color_range),
            int(picture.colorspace),
            picture.rotation,
        )
        if self._graph is None or kind != self._made_for:
            self._graph, self._made_for = self._filters(picture), kind
        picture.pts = None
        self._graph.push(picture)
        fitted = self._graph.pull()
        assert isinstance(fitted, av.VideoFrame)
        return _copied(fitted, self._size)

    def _filters(self, picture: av.VideoFrame) -> av.filter.Graph:
        graph = av.filter.Graph()
        chain = [
            graph.add(
                "buffer",
                f"video_size={picture.width}x{picture.height}:pix_fmt={picture.format.name}:time_base=1/1000"
                f":range={int(picture.color_range)}:colorspace={int(picture.colorspace)}",
            )
        ]
        for step in (*_TURNS.get(picture.rotation, ()), *self._crop_and_scale(picture), "format=yuv420p"):
            name, _, arguments = step.partition("=")
            chain.append(graph.add(name, arguments or None))
        chain.append(graph.add("buffersink"))
        graph.link_nodes(*chain).configure()
        return graph

    def _crop_and_scale(self, picture: av.VideoFrame) -> tuple[str, str]:
        turned = abs(picture.rotation) == 90  # noqa: PLR2004 - a quarter turn
        width, height = (picture.height, picture.width) if turned else (picture.width, picture.height)
        pixel = 1 / self._pixel_aspect if turned else self._pixel_aspect
        aspect = Fraction(self._size.width, self._size.height) / pixel
        """Of the crop, in pixels of the picture."""
        crop_width = min(width, max(round(height * aspect), _LEAST_CROP))
        crop_height = min(height, max(round(width / aspect), _LEAST_CROP))
        return (
            f"crop={crop_width}:{crop_height}",
            f"scale=w={self._size.width}:h={self._size.height}:out_range=tv:flags={_EXACT}",
        )


def _copied(picture: av.VideoFrame, size: FrameSize) -> VideoFrame:
    frame, into = new_picture(size)
    for plane, source in zip(into, picture.planes, strict=True):
        rows = np.frombuffer(memoryview(source), np.uint8).reshape(-1, source.line_size)
        np.copyto(plane, rows[: plane.shape[0], : plane.shape[1]])
    return VideoFrame(size=frame.size, data=frame.data.toreadonly())
