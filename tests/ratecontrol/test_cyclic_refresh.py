from hypothesis import given
from hypothesis import strategies as st

from ratecontrol.cyclic_refresh import EVERY, MOVES_PERMILLE, RESTS_PERMILLE, RefreshPlanner

shares = st.integers(0, 1_000)
BETWEEN = (MOVES_PERMILLE + RESTS_PERMILLE) // 2


def wanted(planner, permille, frames=60):
    return [planner.wants(permille) for _ in range(frames)]


def test_a_picture_at_rest_is_refreshed_in_every_second_frame():
    asked = wanted(RefreshPlanner(), 1_000, 10 * EVERY)
    assert sum(asked) == 10
    assert all(any(asked[start : start + EVERY]) for start in range(len(asked) - EVERY))


@given(st.lists(st.integers(0, MOVES_PERMILLE - 1)))
def test_a_picture_in_motion_never_is(permilles):
    planner = RefreshPlanner()
    assert not any(planner.wants(permille) for permille in permilles)


@given(st.lists(st.integers(RESTS_PERMILLE, 1_000), min_size=EVERY))
def test_as_long_as_most_of_it_rests_it_goes_on(permilles):
    planner = RefreshPlanner()
    asked = [planner.wants(permille) for permille in permilles]
    assert sum(asked) == len(permilles) // EVERY


def test_between_the_two_shares_it_stays_as_it_was():
    resting, moving = RefreshPlanner(), RefreshPlanner()
    wanted(resting, 1_000)
    wanted(moving, 0)
    assert any(wanted(resting, BETWEEN))
    assert not any(wanted(moving, BETWEEN))


def test_a_picture_that_comes_to_rest_is_refreshed_though_it_rests_no_more_than_it_must():
    planner = RefreshPlanner()
    wanted(planner, 0)
    assert any(wanted(planner, RESTS_PERMILLE))


def test_one_frame_that_moves_does_not_end_it_and_a_second_of_them_does():
    planner = RefreshPlanner()
    wanted(planner, 1_000)
    planner.wants(500)
    assert any(wanted(planner, 1_000, EVERY))
    wanted(planner, 500)
    assert not any(wanted(planner, 500))


@given(st.lists(shares))
def test_the_same_shares_always_give_the_same_answers(permilles):
    one, other = RefreshPlanner(), RefreshPlanner()
    assert [one.wants(permille) for permille in permilles] == [other.wants(permille) for permille in permilles]
