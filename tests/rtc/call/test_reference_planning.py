from hypothesis import given
from hypothesis import strategies as st

from rtc.call.reference_planning import LAST_SLOT, ReferencePlanner
from rtc.values.encoding import REFERENCE_SLOTS, EncodedAs

ALL_SLOTS = frozenset(range(REFERENCE_SLOTS))


def test_the_first_frame_is_a_key_frame_that_fills_every_slot():
    planner = ReferencePlanner()
    assert planner.needs_key_frame
    plan = planner.plan(key=False)
    assert plan.encode_as is EncodedAs.KEY
    assert (plan.references, plan.reference_frame_ids) == ((), ())
    assert plan.update_slots == ALL_SLOTS


def test_a_delta_frame_refers_to_the_one_before_and_takes_its_place():
    planner = ReferencePlanner()
    planner.commit(planner.plan(key=True), 0)
    for frame_id in range(1, 5):
        plan = planner.plan(key=False)
        assert plan.encode_as is EncodedAs.DELTA
        assert plan.references == (LAST_SLOT,)
        assert plan.update_slots == {LAST_SLOT}
        assert plan.reference_frame_ids == (frame_id - 1,)
        planner.commit(plan, frame_id)
    assert planner.plan(key=True).encode_as is EncodedAs.KEY


def test_a_planner_that_forgets_begins_with_a_key_frame():
    planner = ReferencePlanner()
    planner.commit(planner.plan(key=False), 0)
    assert not planner.needs_key_frame
    planner.forget()
    assert planner.plan(key=False).encode_as is EncodedAs.KEY


@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=40))
def test_a_plan_never_committed_leaves_no_trace_and_every_reference_is_the_last_committed_frame(steps):
    planner = ReferencePlanner()
    last = None
    next_id = 0
    for key, is_encoded in steps:
        plan = planner.plan(key=key)
        assert planner.plan(key=key) == plan
        assert (plan.encode_as is EncodedAs.KEY) == (key or last is None)
        assert plan.reference_frame_ids == (() if key or last is None else (last,))
        assert len(plan.references) == len(plan.reference_frame_ids)
        if is_encoded:
            planner.commit(plan, next_id)
            last, next_id = next_id, next_id + 1
