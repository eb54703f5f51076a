import itertools

from hypothesis import given
from hypothesis import strategies as st

from ratecontrol.frame_class import FrameClass
from ratecontrol.frame_plan import FrameBudget, FramePlan
from ratecontrol.key_frame_instead import INTERVAL_US, MOST_RESTING_PERMILLE, KeyFrameInstead
from ratecontrol.key_frame_model import KeyFrameModel
from ratecontrol.rate_model import FrameFacts
from rtc.values.formats import Codec

COARSEST = 51
PIXELS = 320 * 180


def delta(quantizer=37):
    return FramePlan(
        frame_class=FrameClass.DELTA,
        quantizer=quantizer,
        budget=FrameBudget(target_bits=6_000, limit_bits=10_000),
        attempt=0,
        facts=FrameFacts(difference=13_000),
        pixels=PIXELS,
    )


def is_worth(instead, *, at_us=10_000_000, bits=28_000, quantizer=37, resting_permille=60, model=None):
    model = model or KeyFrameModel(Codec.H264)
    return instead.is_worth(delta(quantizer), bits, model, captured_at_us=at_us, resting_permille=resting_permille)


def test_a_cut_coded_too_finely_is_worth_a_key_frame():
    assert is_worth(KeyFrameInstead(COARSEST))


@given(st.integers(MOST_RESTING_PERMILLE, 1_000), st.integers(0, 10**8), st.integers(12, 51))
def test_a_picture_that_mostly_rests_is_never(resting_permille, bits, quantizer):
    instead = KeyFrameInstead(COARSEST)
    assert not is_worth(instead, bits=bits, quantizer=quantizer, resting_permille=resting_permille)


def test_a_delta_frame_at_the_coarsest_quantizer_is_not_where_key_frames_were_no_smaller():
    model = KeyFrameModel(Codec.H264)
    model.learn(COARSEST, 9_000, PIXELS)
    assert not is_worth(KeyFrameInstead(COARSEST), bits=9_500, quantizer=COARSEST, model=model)
    assert is_worth(KeyFrameInstead(COARSEST), bits=19_500, quantizer=COARSEST, model=model)


@given(st.lists(st.integers(0, 10_000_000), max_size=40))
def test_after_any_key_frame_there_is_none_for_half_a_second(times_us):
    instead, sent = KeyFrameInstead(COARSEST), []
    for at_us in sorted(times_us):
        if is_worth(instead, at_us=at_us):
            instead.on_key_frame(at_us)
            sent.append(at_us)
    assert all(later - earlier >= INTERVAL_US for earlier, later in itertools.pairwise(sent))
