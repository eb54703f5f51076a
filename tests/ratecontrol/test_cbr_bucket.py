"""The leaky bucket that the controller keeps."""

from hypothesis import given, settings
from hypothesis import strategies as st

from ratecontrol.cbr import CbrController
from rtc.values.formats import Codec
from tests.ratecontrol.driven_controller import INTERVAL_US, MOST, PLAIN, codecs, driven, films, sizes_bits, starts
from tests.support.synthetic_codec import P360


@settings(max_examples=60)
@given(codecs, starts, films, st.lists(sizes_bits, min_size=1, max_size=10))
def test_a_plan_never_committed_leaves_no_trace_in_the_bucket(codec, start, film, sizes):
    abandoned = [
        {**film[0], "bits": [bits] * MOST, "is_sent": False, "target_bps": None, "is_key": False} for bits in sizes
    ]
    before = driven(codec, start, film)[-1][1]
    delays_us = [delay_us for _attempts, delay_us in driven(codec, start, film + abandoned)[len(film) :]]
    expected = [max(0, before - n * start["frame_interval_us"]) for n in range(1, len(sizes) + 1)]
    assert delays_us == expected


def test_the_bucket_is_the_articles_20_kbit_and_5_kbit_at_100_kbps_are_250_ms():
    controller = CbrController(Codec.AV1, 100_000, INTERVAL_US)
    plan = controller.plan(0, is_key=True, size=P360, change=PLAIN)
    controller.commit(plan, 5_000)
    assert controller.vbv_delay_us == 50_000
    controller.commit(plan, 20_000)
    assert controller.vbv_delay_us == 250_000


def test_a_target_that_changes_while_a_picture_is_in_the_encoder_counts_at_once():
    controller = CbrController(Codec.AV1, 100_000, INTERVAL_US)
    plan = controller.plan(0, is_key=True, size=P360, change=PLAIN)
    controller.on_target(50_000, 10_000)
    controller.commit(plan, 10_000)
    assert controller.vbv_delay_us == 200_000
    controller.plan(INTERVAL_US, is_key=False, size=P360, change=PLAIN)
    assert controller.vbv_delay_us == 200_000 - (INTERVAL_US - 10_000)
