"""Sensor noise: fields made once, laid over each picture at a random offset."""

import numpy as np
from numpy.typing import NDArray

from clips.frames import Plane, Planes
from rtc.values.formats import FrameSize
from rtc.values.randomness import RandomStream

_SPARE_COLUMNS = 256
_SPARE_ROWS = 64
_UNIFORMS = 4
_SUM_DEVIATION = 147.8
"""Standard deviation of the sum of four uniform bytes; the sum is near enough to normal, and ends at 3.45 of these."""
_SUM_MEAN = 510
_REACH = 3.5


class SensorNoise:
    """Adds noise of a given standard deviation to pictures, another each time, the same sequence for the same stream.

    Noise wraps modulo 256 (one pass instead of a saturating two), so pictures must keep `headroom` from 0 and 255.
    """

    def __init__(self, *, size: FrameSize, luma: float, chroma: float, stream: RandomStream) -> None:
        self._offsets = stream.substream("offsets")
        self._luma = _field(size.height, size.width, luma, stream.substream("luma"))
        self._chroma = _field(size.height // 2, size.width // 2, chroma, stream.substream("chroma"))
        self.headroom = int(max(luma, chroma) * _REACH) + 1

    def add(self, onto: Planes) -> None:
        """Lay the next noise over the planes, in place."""
        self._lay(self._luma, onto.y)
        self._lay(self._chroma, onto.u)
        self._lay(self._chroma, onto.v)

    def _lay(self, field: Plane, onto: Plane) -> None:
        rows, columns = onto.shape
        row, column = self._offsets.randrange(_SPARE_ROWS), self._offsets.randrange(_SPARE_COLUMNS)
        np.add(onto, field[row : row + rows, column : column + columns], out=onto)


def _field(rows: int, columns: int, deviation: float, stream: RandomStream) -> Plane:
    shape = (_UNIFORMS, rows + _SPARE_ROWS, columns + _SPARE_COLUMNS)
    total = _random_bytes(shape, stream).sum(axis=0, dtype=np.int32) - _SUM_MEAN
    scale = int(deviation / _SUM_DEVIATION * 65536)
    return np.asarray(total * scale + 32768 >> 16).astype(np.uint8)


def _random_bytes(shape: tuple[int, ...], stream: RandomStream) -> NDArray[np.uint8]:
    count = int(np.prod(shape))
    return np.frombuffer(stream.randbytes(count), np.uint8).reshape(shape)
