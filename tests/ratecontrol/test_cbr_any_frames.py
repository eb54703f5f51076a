"""What holds of every plan, whatever frames the controller is given."""

from hypothesis import given, settings

from ratecontrol.cbr import QUANTIZERS
from ratecontrol.frame_budget import LEAST_OF_SHARE, DelayBounds
from ratecontrol.frame_class import FrameClass
from tests.ratecontrol.driven_controller import codecs, driven, films, starts


@settings(max_examples=60)
@given(codecs, starts, films)
def test_quantizers_stay_in_the_codecs_range_and_the_bucket_above_nothing_whatever_frames_come_to(codec, start, film):
    finest, coarsest = QUANTIZERS[codec]
    for attempts, delay_us in driven(codec, start, film):
        assert all(finest <= plan.quantizer <= coarsest for plan, _bits in attempts)
        assert delay_us >= 0


@settings(max_examples=60)
@given(codecs, starts, films)
def test_what_a_frame_may_take_never_exceeds_the_bound_on_delay(codec, start, film):
    interval_us, target_bps = start["frame_interval_us"], start["target_bps"]
    bounds = DelayBounds.of_interval(interval_us)
    for picture, (attempts, _delay_us) in zip(film, driven(codec, start, film), strict=True):
        target_bps = picture["target_bps"] or target_bps
        for plan, _bits in attempts:
            bound_us = bounds.key_us if plan.frame_class is FrameClass.KEY else bounds.limit_us
            least = interval_us * LEAST_OF_SHARE // 100
            # Rounded to bits once here and twice there.
            assert plan.budget.limit_bits <= 1 + target_bps * max(least, bound_us) // 1_000_000


@settings(max_examples=60)
@given(codecs, starts, films)
def test_the_same_frames_always_lead_to_the_same_plans(codec, start, film):
    assert driven(codec, start, film) == driven(codec, start, film)
