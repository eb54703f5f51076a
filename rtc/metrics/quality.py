"""How near a shown picture is to its reference: PSNR and SSIM of luma, the same to the last bit on every CPU.

Both are made of integer sums, which no order of addition and no SIMD width changes; what little floating point follows
is elementwise, or on Python numbers.
"""

import decimal
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from clips.frames import Plane, planes
from rtc.values.formats import FrameSize
from rtc.values.frames import VideoFrame

PSNR_CAP_DB = 100.0
"""PSNR of identical pictures, and the most that is ever given."""
_PEAK = 255
_BLOCK = 4
"""SSIM windows are 8x8 at every fourth sample (as in FFmpeg's `ssim` filter and x264), so of 2x2 blocks of 4x4."""
_WINDOW_SAMPLES = 64
_C1 = round(0.01**2 * _PEAK**2 * _WINDOW_SAMPLES)
_C2 = round(0.03**2 * _PEAK**2 * _WINDOW_SAMPLES * (_WINDOW_SAMPLES - 1))
"""SSIM's stabilising constants (Wang et al. 2004, K1 = 0.01, K2 = 0.03), scaled to sums over a window."""
_FIXED_POINT = 1 << 40
_LOGARITHM = decimal.Context(prec=15)
_LOW_BYTES = np.uint32(0x00FF00FF)
_LOW_HALF = np.uint32(0xFFFF)

Sums = NDArray[np.int32]


class QualityScores(NamedTuple):
    """Likeness of one picture to its reference, luma only."""

    psnr_y_db: float
    """10 log10(255^2 / mean squared error), at most `PSNR_CAP_DB`."""
    ssim_y: float
    """Mean structural similarity; 1 for identical pictures."""


def quality_scores(reference: VideoFrame, shown: VideoFrame) -> QualityScores:
    """PSNR and SSIM of luma; a shown picture of another size is first scaled to the reference's.

    The time goes into numpy and OpenCV calls that let other threads run.
    """
    expected, seen = planes(reference).y, _luma_at(shown, reference.size)
    return QualityScores(
        psnr_y_db=_psnr_db(_squared_error(expected, seen), reference.size.pixels),
        ssim_y=_ssim(_whole_blocks(expected), _whole_blocks(seen)),
    )


def psnr_y_db(reference: VideoFrame, shown: VideoFrame) -> float:
    """PSNR of luma in dB, at most `PSNR_CAP_DB`; a shown picture of another size is scaled to the reference's."""
    expected, seen = planes(reference).y, _luma_at(shown, reference.size)
    return _psnr_db(_squared_error(expected, seen), reference.size.pixels)


def ssim_y(reference: VideoFrame, shown: VideoFrame) -> float:
    """Mean SSIM of luma; a shown picture of another size is scaled to the reference's."""
    return _ssim(_whole_blocks(planes(reference).y), _whole_blocks(_luma_at(shown, reference.size)))


def _luma_at(frame: VideoFrame, size: FrameSize) -> Plane:
    """Luma at that size, by bilinear interpolation in OpenCV's fixed-point, bit-exact variant."""
    luma = planes(frame).y
    if frame.size == size:
        return luma
    scaled = cv2.resize(luma, (size.width, size.height), interpolation=cv2.INTER_LINEAR_EXACT)
    return np.asarray(scaled, np.uint8)


def _squared_error(expected: Plane, seen: Plane) -> int:
    """Sum of squared differences. OpenCV may return the square of a double's root; rounding restores the integer."""
    return round(cv2.norm(expected, seen, cv2.NORM_L2SQR))


def _psnr_db(squared_error: int, samples: int) -> float:
    if squared_error == 0:
        return PSNR_CAP_DB
    # decimal's logarithm is correctly rounded in software; a C library's may differ from CPU to CPU.
    ratio = _LOGARITHM.divide(decimal.Decimal(_PEAK**2 * samples), decimal.Decimal(squared_error))
    return min(float(10 * _LOGARITHM.log10(ratio)), PSNR_CAP_DB)


def _whole_blocks(luma: Plane) -> Plane:
    """The picture without the columns and rows that fill no block."""
    rows, columns = (side - side % _BLOCK for side in luma.shape)
    return np.ascontiguousarray(luma[:rows, :columns])


def _ssim(expected: Plane, seen: Plane) -> float:
    difference = cv2.absdiff(expected, seen)
    wide_expected, wide_seen, wide_difference = (
        np.asarray(plane).astype(np.uint16) for plane in (expected, seen, difference)
    )
    products = _windows(_block_sums_of_products(wide_expected, wide_seen))
    squared_differences = _windows(_block_sums_of_products(wide_difference, wide_difference))
    return _mean_similarity(_windows(_block_sums(expected)), _windows(_block_sums(seen)), products, squared_differences)


def _mean_similarity(expected: Sums, seen: Sums, products: Sums, squared_differences: Sums) -> float:
    """Mean of SSIM over windows, from sums over each: of either picture, of products, of squared differences.

    a^2 + b^2 = (a - b)^2 + 2ab spares the two sums of squares. All terms fit 32 bits.
    """
    cross = expected * seen
    cross += cross
    energy = expected * expected + seen * seen
    covariance = products * (2 * _WINDOW_SAMPLES) - cross
    variance = (squared_differences + products + products) * _WINDOW_SAMPLES - energy
    above = np.multiply(cross + _C1, covariance + _C2, dtype=np.float64)
    below = np.multiply(energy + _C1, variance + _C2, dtype=np.float64)
    fixed: NDArray[np.int64] = np.rint(above / below * _FIXED_POINT).astype(np.int64)
    return int(fixed.sum()) / (int(fixed.size) * _FIXED_POINT)


def _windows(blocks: Sums) -> Sums:
    """Sums over all 2x2 neighbouring blocks."""
    pairs = blocks[1:] + blocks[:-1]
    return pairs[:, 1:] + pairs[:, :-1]


def _block_sums(luma: Plane) -> Sums:
    """Sum over each 4x4 block. A block's row is one 32-bit word, added up as two 16-bit lanes that never overflow."""
    words = luma.view(np.uint32)
    lanes = (words & _LOW_BYTES) + (words >> np.uint32(8) & _LOW_BYTES)
    columns = _rows_of_four(lanes)
    return ((columns & _LOW_HALF) + (columns >> np.uint32(16))).astype(np.int32)


def _block_sums_of_products(left: NDArray[np.uint16], right: NDArray[np.uint16]) -> Sums:
    """Sum over each 4x4 block of the products of two planes whose values are below 256."""
    words = (left * right).view(np.uint32)
    pairs = _rows_of_four((words & _LOW_HALF) + (words >> np.uint32(16)))
    return (pairs[:, 0::2] + pairs[:, 1::2]).astype(np.int32)


def _rows_of_four(values: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Each four rows added up."""
    return values[0::4] + values[1::4] + values[2::4] + values[3::4]
