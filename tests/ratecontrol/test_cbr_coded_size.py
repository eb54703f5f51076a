"""What another coded size of the pictures changes, and the frames that call for a smaller one."""

import math

import pytest

from ratecontrol.candidates import MOST_ENCODES
from ratecontrol.cbr import CbrController
from ratecontrol.frame_budget import DelayBounds
from ratecontrol.frame_class import FrameClass
from ratecontrol.rate_model import RateModel
from rtc.values.formats import Codec
from tests.ratecontrol.closed_loop_figures import mean, percentile
from tests.ratecontrol.driven_controller import INTERVAL_US, PLAIN
from tests.support.synthetic_codec import P180, P360, ClosedLoop, SyntheticContent


def test_the_model_is_told_of_another_size_once_however_often_its_picture_is_planned(monkeypatch):
    told = []
    monkeypatch.setattr(RateModel, "rescale", lambda _model, log_ratio: told.append(log_ratio))
    controller = CbrController(Codec.AV1, 100_000, INTERVAL_US)
    for index, (size, is_sent) in enumerate([(P360, True), (P360, True), (P180, False), (P180, False), (P180, True)]):
        plan = controller.plan(index * INTERVAL_US, is_key=False, size=size, change=PLAIN)
        assert plan.facts.is_resized == (size is P180)
        if is_sent:
            controller.commit(plan, 1_000)
    assert not controller.plan(5 * INTERVAL_US, is_key=False, size=P180, change=PLAIN).facts.is_resized
    assert len(told) == 1
    assert math.log(1 / 4) < told[0] < 0


@pytest.mark.parametrize("codec", Codec)
def test_a_smaller_size_is_coded_finer_at_once_and_stays_within_the_limit(codec):
    loop = ClosedLoop(codec, 100_000, 30, SyntheticContent())
    before = loop.run(150)[-30:]
    after = loop.run(60, size=P180)
    assert percentile([one.delay_us for one in after], 100) < 160_000
    assert mean(one.plan.quantizer for one in after[10:] if one.plan) < mean(
        one.plan.quantizer for one in before if one.plan
    )


def test_only_a_frame_at_the_coarsest_quantizer_that_breaks_its_bound_is_an_overrun():
    controller = CbrController(Codec.AV1, 100_000, INTERVAL_US)
    key = controller.plan(0, is_key=True, size=P360, change=PLAIN)
    limit = key.budget.limit_bits
    assert controller.overrun(key._replace(quantizer=62), 10 * limit) is None
    assert controller.overrun(key._replace(quantizer=63), limit) is None
    assert controller.overrun(key._replace(quantizer=63), 2 * limit) == pytest.approx(2)
    controller.commit(key, 3_000)
    plan = controller.plan(INTERVAL_US, is_key=False, size=P360, change=PLAIN)
    bound_us = DelayBounds.of_interval(INTERVAL_US).overrun_us
    assert controller.overrun(plan._replace(quantizer=62), 1_000_000) is None
    bound_bits = 100_000 * bound_us // 1_000_000
    assert controller.overrun(plan._replace(quantizer=63), bound_bits) is None
    assert controller.overrun(plan._replace(quantizer=63), 2 * bound_bits) == pytest.approx(2, 0.01)


def test_another_size_is_another_encode_of_the_same_picture_while_there_may_be_one():
    controller = CbrController(Codec.AV1, 100_000, INTERVAL_US)
    controller.commit(controller.plan(0, is_key=True, size=P360, change=PLAIN), 3_000)
    plan = controller.plan(INTERVAL_US, is_key=False, size=P360, change=PLAIN)
    smaller = controller.at_size(plan, P180.pixels)
    assert (smaller.attempt, smaller.pixels, smaller.facts.is_resized) == (1, P180.pixels, True)
    assert not controller.at_size(smaller, P360.pixels).facts.is_resized
    assert controller.at_size(plan._replace(attempt=MOST_ENCODES - 1), P180.pixels) is None


def test_a_key_frame_too_large_at_the_coarsest_quantizer_is_made_smaller_and_delta_frames_are_expected_to_cost_less():
    controller = CbrController(Codec.AV1, 100_000, INTERVAL_US)
    key = controller.plan(0, is_key=True, size=P360, change=PLAIN)._replace(quantizer=63)
    smaller = controller.at_size(key, P180.pixels)
    assert (smaller.frame_class, smaller.pixels, smaller.facts.is_resized) == (FrameClass.KEY, P180.pixels, False)
    controller.commit(smaller, 5_000)
    assert controller.log_coarsest_bits == pytest.approx(math.log(5_000), abs=1e-5)
    following = controller.plan(INTERVAL_US, is_key=False, size=P180, change=PLAIN)
    assert not following.facts.is_resized


def test_what_a_frame_would_cost_at_the_coarsest_quantizer_is_known_of_delta_frames_of_one_size():
    controller = CbrController(Codec.AV1, 100_000, INTERVAL_US)
    told = []
    for n, (is_key, size) in enumerate([(True, P360), (False, P360), (False, P180), (False, P180)]):
        plan = controller.plan(n * INTERVAL_US, is_key=is_key, size=size, change=PLAIN)
        controller.commit(plan, 3_000)
        told.append(controller.log_coarsest_bits)
    assert [log is None for log in told] == [True, False, True, False]
    assert told[1] < math.log(3_000)
