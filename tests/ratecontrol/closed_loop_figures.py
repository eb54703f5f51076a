"""What the runs of a closed loop come to, and what they may come to."""

import math

from ratecontrol.cbr import QUANTIZERS
from rtc.values.formats import Codec

FPS = (15, 30)
PROMISED_MS = {(Codec.AV1, 30): (80, 100, 140), (Codec.AV1, 15): (115, 130, 150)}
KEY_MS = 150
H264_P99_MS = {30: 160, 15: 200}


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def percentile(values, percent):
    return sorted(values)[max(0, math.ceil(len(values) * percent / 100) - 1)]


def delays_ms(run, percent):
    return percentile([one.delay_us for one in run if one.plan is not None], percent) / 1_000


def is_coarsest(picture, codec):
    """Whether nothing could have made it smaller: it was left out, or was at the coarsest quantizer."""
    return picture.plan is None or picture.plan.quantizer == QUANTIZERS[codec][1]


def used(run, target_bps):
    """Encoded over target, from the first picture's capture to one interval after the last's."""
    seconds = (run[-1].at_us - run[0].at_us) * len(run) / (len(run) - 1) / 1_000_000
    return sum(one.bits for one in run) / seconds / target_bps
