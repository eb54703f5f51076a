"""Means of the per-frame quality scores of a direction."""

from collections.abc import Sequence

from rtc.metrics.distributions import Figures, mean_of_floats
from rtc.metrics.quality import PSNR_CAP_DB
from rtc.metrics.records import FrameRecord

DB_DIGITS = 4
SSIM_DIGITS = 6


class QualityMeans(Figures):
    """Figures of the quality group of a direction; null where frames were not scored."""

    psnr_y_db: float | None
    """Mean over displayed frames of each frame's own decibels (not the decibels of the mean squared error)."""
    ssim: float | None
    """Mean over displayed frames."""
    psnr_with_freeze_db: float | None
    """Mean over captured frames of each one's decibels against what was on the screen in its place."""


def quality_means(frames: Sequence[FrameRecord]) -> QualityMeans:
    """Means over the frames that carry a score."""
    shown = [frame for frame in frames if frame.displayed_at_us is not None]
    return QualityMeans(
        psnr_y_db=mean_of_floats((_bounded(frame.psnr_y_db) for frame in shown), DB_DIGITS),
        ssim=mean_of_floats((frame.ssim for frame in shown), SSIM_DIGITS),
        psnr_with_freeze_db=mean_of_floats((_bounded(frame.psnr_with_freeze_db) for frame in frames), DB_DIGITS),
    )


def _bounded(decibels: float | None) -> float | None:
    return None if decibels is None else min(decibels, PSNR_CAP_DB)
