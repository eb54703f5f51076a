import math

from rtc.metrics.quality_means import quality_means
from tests.support.direction_records import encoded_frame


def test_a_frame_equal_to_its_source_counts_100_db_so_that_the_mean_stays_a_number() -> None:
    frames = [
        encoded_frame(0, 0, 9, displayed_at_us=9, psnr_y_db=math.inf, psnr_with_freeze_db=math.inf),
        encoded_frame(1, 0, 9, displayed_at_us=9, psnr_y_db=40.0, psnr_with_freeze_db=40.0),
    ]
    means = quality_means(frames)
    assert (means.psnr_y_db, means.psnr_with_freeze_db, means.ssim) == (70.0, 70.0, None)
