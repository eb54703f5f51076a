"""How evenly pictures followed each other on the screen.

Two definitions of a freeze stand side by side. W3C webrtc-stats compares a gap with the average of the gaps before it,
so a call that stutters all the time hides its freezes (webrtc-stats issue 771), and in one that shows hardly a picture
there is no average but the freeze itself; the fixed rule calls every gap over 200 ms a freeze. The names that
webrtc-stats defines (`freeze_count`, `total_freezes_duration_s`) hold what it defines. How long the screen was frozen
(`freeze_ratio`, `longest_freeze_ms`, which are ours) is for people: there gaps count too that are over 200 ms and at
least three times as long as the camera's, so that two pictures in four seconds read as frozen and a camera of three
pictures a second does not.

A freeze lasts the whole gap, in all of them. The gap between the last picture and the end of the call counts like any
other; the wait for the first picture does not: it is `first_frame_ms`.
"""

import itertools
from collections.abc import Sequence

from resilience.receive.freeze_detector import MEAN_FACTOR, freezes, long_gaps
from rtc.metrics.distributions import Figures, ratio, to_ms
from rtc.values.units import US_PER_S

_SECONDS_DIGITS = 6
_FPS_DIGITS = 3


class Smoothness(Figures):
    """Figures of the smoothness group; all null when nothing was ever displayed."""

    freeze_count: int | None = None
    total_freezes_duration_s: float | None = None
    freeze_ratio: float | None = None
    """Frozen time (webrtc-stats' freezes and the long gaps above) over that from the first picture to the end."""
    longest_freeze_ms: float | None = None
    """Of the same gaps as `freeze_ratio`; 0 when nothing froze."""
    freeze_200ms_count: int | None = None
    total_freezes_200ms_duration_s: float | None = None
    harmonic_fps: float | None = None
    """Time from the first picture to the end, over the sum of the squared gaps: long gaps weigh more than short ones,
    so that 30 fps with one second frozen reads far below 30."""
    first_frame_ms: float | None = None
    """From the beginning of the call to the first picture."""


def smoothness(display_times_us: Sequence[int], end_us: int, camera_interval_us: int) -> Smoothness:
    """Figures of a screen that changed at these times, in ascending order, and was watched until `end_us`.

    `camera_interval_us` is what lies between two pictures at the camera; 0 where that is not known.
    """
    if not display_times_us:
        return Smoothness()
    first_us, last_us = display_times_us[0], max(end_us, display_times_us[-1])
    gaps_us = gaps(display_times_us, last_us)
    counted, long = freezes(display_times_us, last_us), long_gaps(display_times_us, last_us)
    counted_us, long_us = ([stretch.duration_us for stretch in stretches] for stretches in (counted, long))
    still = [gap for gap in long if gap.duration_us >= MEAN_FACTOR * camera_interval_us]
    frozen_us = [stretch.duration_us for stretch in {*counted, *still}]
    return Smoothness(
        freeze_count=len(counted_us),
        total_freezes_duration_s=round(sum(counted_us) / US_PER_S, _SECONDS_DIGITS),
        freeze_ratio=ratio(sum(frozen_us), last_us - first_us),
        longest_freeze_ms=to_ms(max(frozen_us, default=0)),
        freeze_200ms_count=len(long_us),
        total_freezes_200ms_duration_s=round(sum(long_us) / US_PER_S, _SECONDS_DIGITS),
        harmonic_fps=ratio(sum(gaps_us) * US_PER_S, sum(gap * gap for gap in gaps_us), _FPS_DIGITS),
        first_frame_ms=to_ms(first_us),
    )


def gaps(display_times_us: Sequence[int], end_us: int) -> list[int]:
    """How long each picture stood, the last one until `end_us`."""
    return [after - before for before, after in itertools.pairwise((*display_times_us, end_us))]
