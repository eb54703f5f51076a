import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtc.call.reference_planning import ReferencePlanner
from rtc.codecs.av1_scaling import coded_sizes
from rtc.codecs.av1_slots import SlotTracker
from rtc.values.encoding import REFERENCE_SLOTS, ConstantQuantizer, EncodedAs, FrameEncodeSettings
from rtc.values.formats import FrameSize

ALL_SLOTS = frozenset(range(REFERENCE_SLOTS))
SIZE, HALF = FrameSize(320, 180), FrameSize(160, 90)
SIZES = [size for size in coded_sizes(SIZE) if size.width >= HALF.width]


def started(**options):
    planner = ReferencePlanner(**options)
    planner.commit(planner.plan(key=True, size=SIZE), 0)
    return planner


def test_the_first_frame_is_a_key_frame_that_fills_every_slot():
    planner = ReferencePlanner()
    assert planner.needs_key_frame
    plan = planner.plan(key=False, size=SIZE)
    assert plan.encode_as is EncodedAs.KEY
    assert (plan.references, plan.reference_frame_ids) == ((), ())
    assert plan.update_slots == ALL_SLOTS


def test_without_spares_a_delta_frame_refers_to_the_one_before_takes_its_place_and_cannot_be_encoded_again():
    planner = started()
    for frame_id in range(1, 5):
        plan = planner.plan(key=False, size=SIZE)
        assert plan.encode_as is EncodedAs.DELTA
        assert (plan.references, plan.update_slots) == ((0,), {0})
        assert plan.reference_frame_ids == (frame_id - 1,)
        planner.on_encoded(plan)
        assert planner.again(plan) is None
        planner.commit(plan, frame_id)
    assert planner.plan(key=True, size=SIZE).encode_as is EncodedAs.KEY


def test_two_encodes_of_a_picture_fill_two_spare_slots_and_a_third_that_of_the_first():
    planner = started(spares=2)
    first = planner.plan(key=False, size=SIZE)
    planner.on_encoded(first)
    second = planner.again(first)
    planner.on_encoded(second)
    third = planner.again(second)
    assert first.references == second.references == third.references == (0,)
    assert first.update_slots == third.update_slots
    assert first.update_slots | second.update_slots == {1, 2}


def test_whichever_encode_is_sent_the_next_frame_refers_to_it():
    planner = started(spares=2)
    first = planner.plan(key=False, size=SIZE)
    planner.on_encoded(first)
    planner.on_encoded(planner.again(first))
    planner.commit(first, 1)
    following = planner.plan(key=False, size=SIZE)
    assert following.references == tuple(first.update_slots)
    assert following.reference_frame_ids == (1,)


def test_a_key_frame_may_be_encoded_again_and_again():
    planner = ReferencePlanner()
    plan = planner.plan(key=True, size=SIZE)
    planner.on_encoded(plan)
    assert planner.again(plan) == plan


def test_a_codec_that_cannot_resize_starts_anew_at_another_size():
    assert started(can_resize=False).plan(key=False, size=HALF).encode_as is EncodedAs.KEY
    assert started(can_resize=True).plan(key=False, size=HALF).encode_as is EncodedAs.DELTA


def test_a_planner_that_forgets_begins_with_a_key_frame():
    planner = started()
    assert not planner.needs_key_frame
    planner.forget()
    assert planner.plan(key=False, size=SIZE).encode_as is EncodedAs.KEY


@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=40))
def test_a_plan_never_carried_out_leaves_no_trace_and_every_reference_is_the_last_committed_frame(steps):
    planner = ReferencePlanner(spares=1)
    last = None
    next_id = 0
    for key, is_encoded in steps:
        plan = planner.plan(key=key, size=SIZE)
        assert planner.plan(key=key, size=SIZE) == plan
        assert (plan.encode_as is EncodedAs.KEY) == (key or last is None)
        assert plan.reference_frame_ids == (() if key or last is None else (last,))
        assert len(plan.references) == len(plan.reference_frame_ids)
        if is_encoded:
            planner.commit(plan, next_id)
            last, next_id = next_id, next_id + 1


ENCODES = st.lists(st.sampled_from(SIZES), max_size=3)
PICTURES = st.lists(st.tuples(st.booleans(), st.sampled_from(SIZES), ENCODES), min_size=1, max_size=40)


@pytest.mark.parametrize("spares", [0, 1, 2])
@given(PICTURES)
def test_whatever_the_sizes_and_encodes_the_slots_allow_every_order_and_no_other_slot_is_touched(spares, pictures):
    planner = ReferencePlanner(spares=spares)
    slots = SlotTracker(SIZE)
    contents: dict[int, object] = {}
    for frame_id, (key, size, further) in enumerate(pictures):
        plan = planner.plan(key=key, size=size)
        for encode in range(1 + len(further)):
            slots.check(settings := settings_of(plan))
            assert all(contents[slot] == frame_id - 1 for slot in plan.references), "from the frame sent before"
            assert plan.is_key or plan.update_slots <= set(range(1 + spares))
            slots.on_encoded(settings)
            planner.on_encoded(plan)
            contents |= dict.fromkeys(plan.update_slots, ("not sent", frame_id, encode))
            again = None if encode == len(further) else planner.again(plan, further[encode])
            if again is None:
                break
            plan = again
        planner.commit(plan, frame_id)
        contents |= dict.fromkeys(plan.update_slots, frame_id)


def settings_of(plan):
    return FrameEncodeSettings(
        encode_as=plan.encode_as,
        rate=ConstantQuantizer(quantizer=30),
        references=plan.references,
        update_slots=plan.update_slots,
        coded_size=plan.size,
        speed=10,
        duration_us=33_333,
    )
