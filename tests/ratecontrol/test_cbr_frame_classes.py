"""When frames are key frames or long-term frames, and what key frames may take."""

import pytest
from hypothesis import given, settings

from ratecontrol.cbr import CbrController
from ratecontrol.frame_budget import DelayBounds
from ratecontrol.frame_class import FrameClass
from rtc.values.formats import Codec
from tests.ratecontrol.closed_loop_figures import FPS, H264_P99_MS, KEY_MS, is_coarsest, used
from tests.ratecontrol.driven_controller import INTERVAL_US, PLAIN, codecs, driven, films, starts
from tests.support.synthetic_codec import P360, ClosedLoop, SyntheticContent


def test_a_long_term_frame_that_was_never_sent_is_still_due():
    controller = CbrController(Codec.AV1, 100_000, INTERVAL_US)
    controller.commit(controller.plan(0, is_key=True, size=P360, change=PLAIN), 1_000)
    later_us = 3_000_000
    for index in range(3):
        plan = controller.plan(later_us + index * INTERVAL_US, is_key=False, size=P360, change=PLAIN)
        assert plan.frame_class is FrameClass.LONG_TERM
    controller.commit(plan, 1_000)
    assert controller.plan(later_us + 1_000_000, is_key=False, size=P360, change=PLAIN).frame_class is FrameClass.DELTA


@settings(max_examples=60)
@given(codecs, starts, films)
def test_key_frames_come_when_wanted_or_in_place_of_too_large_a_delta_frame_and_are_never_left_out(codec, start, film):
    is_started = False
    worst_us = DelayBounds.of_interval(start["frame_interval_us"]).worst_us
    for picture, (attempts, _delay_us) in zip(film, driven(codec, start, film), strict=True):
        if picture["is_key"] or not is_started:
            assert attempts[0][0].frame_class is FrameClass.KEY
            is_started |= picture["is_sent"]
            continue
        unasked = [plan for plan, _bits in attempts if plan.frame_class is FrameClass.KEY]
        assert not unasked or (codec is Codec.H264 and attempts[0][0].frame_class is not FrameClass.KEY)
        assert all(plan.instead_of_us > worst_us for plan in unasked)


@pytest.mark.parametrize("fps", FPS)
@pytest.mark.parametrize("codec", Codec)
def test_key_frames_keep_their_bound_and_what_follows_pays_back_at_once(codec, fps):
    loop = ClosedLoop(codec, 100_000, fps, SyntheticContent())
    for run in [loop.run(4 * fps, is_key=True) for _ in range(6)]:
        assert run[0].plan.frame_class is FrameClass.KEY
        assert run[0].delay_us <= 1_000 * KEY_MS or is_coarsest(run[0], codec)
        assert max(one.delay_us for one in run[fps:]) <= 200_000
        assert used(run, 100_000) < 1.05


@pytest.mark.parametrize("fps", FPS)
def test_at_a_cut_h264_sends_a_key_frame_within_its_bound_in_place_of_a_delta_frame_that_is_not(fps):
    loop = ClosedLoop(Codec.H264, 100_000, fps, SyntheticContent(bits=60_000 // fps, key_bits_per_pixel=0.04))
    loop.run(5 * fps)
    loop.set_content(bits=60_000 // fps * 20, resting_permille=60)
    cut, *after = loop.run(3 * fps)
    assert cut.plan.frame_class is FrameClass.KEY
    assert cut.plan.instead_of_us > 1_000 * H264_P99_MS[fps]
    assert cut.delay_us <= 1_000 * KEY_MS
    assert all(one.plan is None or one.plan.frame_class is not FrameClass.KEY for one in after[: fps // 2 - 1])
