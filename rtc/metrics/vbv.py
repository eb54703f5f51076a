"""VBV delay: how long the network would need to send what the encoder has made and not yet sent.

The bucket of a video buffering verifier, as rate control in real-time calls is judged by it: each frame pours its bits
in at its capture time, the target bitrate in force drains it, and the delay after a frame is everything in the bucket,
that frame included, over the target in force at that moment. 5 kbit left and a frame of 20 kbit at 100 kbps: 250 ms.
Capture time, not the end of encoding, so that a slow device does not blur what is said of the encoder's rate control.
"""

from collections.abc import Iterable, Sequence
from typing import Self

from ratecontrol.vbv import LeakyBucket
from rtc.metrics.distributions import Figures, nearest_rank, ratio, to_ms
from rtc.metrics.rate_timeline import RateStep, RateTimeline
from rtc.metrics.records import FrameRecord
from rtc.values.units import BITS_PER_BYTE

VBV_GOAL_US = 200_000
"""The delay a real-time call should stay under."""


def vbv_delays_us(frames: Sequence[FrameRecord], targets: Sequence[RateStep]) -> tuple[int | None, ...]:
    """The VBV delay after each frame, in the frames' order; None for a frame never encoded.

    `targets` are the changes of the target bitrate in time order.
    """
    timeline = RateTimeline(targets)
    bucket = LeakyBucket()
    poured_at_us = 0
    delays: list[int | None] = []
    for frame in frames:
        if frame.encoded_bytes is None:
            delays.append(None)
            continue
        bucket.drain(timeline.microbits(poured_at_us, frame.captured_at_us))
        bucket.pour(frame.encoded_bytes * BITS_PER_BYTE)
        poured_at_us = frame.captured_at_us
        delays.append(bucket.delay_us(timeline.bps_at(poured_at_us)))
    return tuple(delays)


def targets_of_frames(frames: Iterable[FrameRecord]) -> tuple[RateStep, ...]:
    """The target's changes as far as the frames tell: each encoded frame's own target, from its capture on."""
    steps: list[RateStep] = []
    for frame in frames:
        if frame.target_bps is not None and (not steps or steps[-1].bps != frame.target_bps):
            steps.append(RateStep(at_us=frame.captured_at_us, bps=frame.target_bps))
    return tuple(steps)


class VbvDelay(Figures):
    """Milliseconds, over encoded frames; the ratio is the share of frames whose delay exceeded 200 ms."""

    p50: float | None = None
    p95: float | None = None
    p99: float | None = None
    max: float | None = None
    over_200ms_ratio: float | None = None

    @classmethod
    def of_us(cls, delays_us: Iterable[int]) -> Self:
        """From the delays after each encoded frame."""
        ascending = sorted(delays_us)
        over = sum(delay > VBV_GOAL_US for delay in ascending)
        return cls(
            p50=to_ms(nearest_rank(ascending, 50)),
            p95=to_ms(nearest_rank(ascending, 95)),
            p99=to_ms(nearest_rank(ascending, 99)),
            max=to_ms(nearest_rank(ascending, 100)),
            over_200ms_ratio=ratio(over, len(ascending)),
        )
