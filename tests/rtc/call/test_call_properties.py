"""What holds in every call, whatever the paths do; each step's own checks are in `tests.support.call_pair.Side`."""

from hypothesis import given, settings
from hypothesis import strategies as st

from rtc.values.formats import Codec
from tests.support.call_pair import CallPair, one_way_pair, pair_of
from tests.support.scripted_link import Sent, at_random, losing

SECOND = 1_000_000
LOSS_ENDS_US = 1_500_000
RECOVERY_US = 3_000_000
MAX_TIMEOUTS_PER_S = 100
"""Twenty feedbacks, thirty frames shown and a report, and as many again for requests."""

calls = st.builds(
    lambda codec, nack, both: (pair_of if both else one_way_pair)(codec, nack=nack),
    st.sampled_from(Codec),
    st.booleans(),
    st.booleans(),
)
seeds = st.integers(0, 2**32)
permilles = st.integers(0, 400)


def shaky(seed: int, permille: int, until_us: int):
    """Loses, duplicates and delays at random until then."""
    unlucky = at_random(seed, permille, until_us=until_us)
    late = at_random(seed + 1, permille, until_us=until_us)
    twice = at_random(seed + 2, permille, until_us=until_us)

    def fate(sent: Sent) -> tuple[int, ...]:
        if unlucky(sent):
            return ()
        later_us = 40_000 * late(sent)
        return (later_us, 9_000) if twice(sent) else (later_us,)

    return fate


def assert_shows_to_the_end(pair: CallPair, until_us: int) -> None:
    for side in pair.sides:
        if side.config.may_receive:
            times = [at_us for at_us, _ in side.shown if at_us >= until_us - SECOND]
            assert len(times) >= 29, "a picture each frame interval through the last second"


@settings(max_examples=25, deadline=None)
@given(calls, seeds, permilles, permilles)
def test_a_call_recovers_from_any_loss_and_decodes_nothing_without_its_references(pair, seed, lost_there, lost_back):
    pair.a.fate = losing(at_random(seed, lost_there, until_us=LOSS_ENDS_US))
    pair.b.fate = losing(at_random(seed + 1, lost_back, until_us=LOSS_ENDS_US))
    end_us = LOSS_ENDS_US + RECOVERY_US
    pair.run(end_us)
    assert_shows_to_the_end(pair, end_us)
    assert all(side.timeouts <= MAX_TIMEOUTS_PER_S * end_us // SECOND for side in pair.sides)


@settings(max_examples=12, deadline=None)
@given(calls, seeds, permilles)
def test_a_call_recovers_from_loss_duplicates_reordering_and_a_decoder_that_refuses(pair, seed, permille):
    pair.a.fate = shaky(seed, permille, LOSS_ENDS_US)
    pair.b.fate = shaky(seed + 9, permille, LOSS_ENDS_US)
    for side in pair.sides:
        side.refuses = lambda frame: pair.now_us < LOSS_ENDS_US and hash((seed, frame.metadata.frame_id)) % 20 == 0
    end_us = LOSS_ENDS_US + RECOVERY_US
    pair.run(end_us)
    assert_shows_to_the_end(pair, end_us)
    assert all(side.timeouts <= MAX_TIMEOUTS_PER_S * end_us // SECOND for side in pair.sides)


@settings(max_examples=8, deadline=None)
@given(seeds)
def test_after_the_loss_each_side_knows_the_round_trip(seed):
    pair = pair_of()
    for side in pair.sides:
        side.fate = losing(at_random(seed + side.config.local.media_ssrc, 300, until_us=LOSS_ENDS_US))
    pair.run(LOSS_ENDS_US + RECOVERY_US)
    for side in pair.sides:
        assert 39_000 <= side.endpoint.round_trip_us <= 60_000
