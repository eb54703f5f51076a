"""The scores that BD-rates are made from."""

import enum

from benchmarks.vbv.shown_quality import ShownQuality


class QualityMetric(enum.Enum):
    """A score that grows with quality."""

    PSNR = "PSNR"
    VMAF = "VMAF"

    def of(self, quality: ShownQuality) -> float | None:
        """The score, None where it was not taken."""
        return quality.psnr_db if self is QualityMetric.PSNR else quality.vmaf
