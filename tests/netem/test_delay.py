"""Delay, jitter that keeps order, delay traces, reordering and duplication."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from netem.delay import DelayNode, DelayTrace, DelayTraceNode
from netem.duplication import DuplicationNode
from netem.packet import DropCause
from netem.reordering import Reordering, ReorderingNode
from rtc.values.errors import LocalMisuse
from rtc.values.randomness import RandomStream
from tests.support.netem_nodes import Recorder, packet, packets

RANDOM = RandomStream.of_seed(3)


def test_every_packet_is_delayed_by_the_same_time():
    node = DelayNode(delay_us=20_000, jitter_us=0, random_stream=RANDOM)
    assert Recorder(node).feed(*packets(3, gap_us=5)).passed == [(0, 20_000), (1, 20_005), (2, 20_010)]


@given(st.integers(0, 2**32), st.integers(1, 50_000), st.integers(0, 3_000))
@settings(deadline=None)
def test_jitter_keeps_order_and_its_bounds(seed, jitter_us, gap_us):
    node = DelayNode(delay_us=1_000, jitter_us=jitter_us, random_stream=RandomStream.of_seed(seed))
    passed = Recorder(node).feed(*packets(40, gap_us=gap_us)).passed
    times = [at_us for _, at_us in passed]
    assert times == sorted(times)
    assert all(1_000 <= at_us - index * gap_us < 1_000 + jitter_us for index, at_us in passed)


def test_jitter_far_apart_has_a_quarter_of_its_bound_as_mean():
    node = DelayNode(delay_us=0, jitter_us=10_000, random_stream=RandomStream.of_seed(3))
    passed = Recorder(node).feed(*packets(20_000, gap_us=20_000)).passed
    assert sum(at_us - index * 20_000 for index, at_us in passed) / 20_000 == pytest.approx(2_500, rel=0.03)


def test_a_delay_trace_holds_each_value_and_loops():
    trace = DelayTrace(starts_us=(0, 100), delays_us=(50, 70), duration_us=200)
    passed = Recorder(DelayTraceNode(trace)).feed(*(packet(at_us) for at_us in (0, 99, 100, 199, 200, 399))).passed
    assert [at_us for _, at_us in passed] == [50, 149, 170, 269, 269, 469]


def test_a_delay_trace_that_falls_does_not_let_packets_overtake():
    trace = DelayTrace(starts_us=(0, 100), delays_us=(5_000, 10), duration_us=10_000)
    passed = Recorder(DelayTraceNode(trace)).feed(packet(50), packet(150), packet(6_000)).passed
    assert [at_us for _, at_us in passed] == [5_050, 5_050, 6_010]


def test_what_leaves_during_an_empty_value_is_lost():
    trace = DelayTrace(starts_us=(0, 100), delays_us=(50, None), duration_us=200)
    recorder = Recorder(DelayTraceNode(trace)).feed(packet(0, payload="a"), packet(150, payload="b"))
    assert recorder.dropped == [("b", 150, DropCause.OUTAGE)]


@pytest.mark.parametrize(
    ("starts", "delays", "duration_us"),
    [
        ((), (), 5),
        ((1,), (5,), 9),
        ((0, 0), (5, 5), 9),
        ((0, 9), (5, 5), 9),
        ((0,), (None,), 9),
        ((0,), (-1,), 9),
        ((0,), (10**12,), 9),
        ((0,), (1, 2), 9),
    ],
)
def test_an_impossible_delay_trace_is_refused(starts, delays, duration_us):
    with pytest.raises(LocalMisuse, match="delay trace"):
        DelayTrace(starts_us=starts, delays_us=delays, duration_us=duration_us)


def test_reordering_holds_back_its_fraction_up_to_its_bound():
    node = ReorderingNode(Reordering(fraction=0.25, max_hold_us=400), RandomStream.of_seed(3))
    passed = Recorder(node).feed(*packets(8_000, gap_us=1_000)).passed
    holds = [at_us - index * 1_000 for index, at_us in passed]
    assert sum(hold > 0 for hold in holds) / 8_000 == pytest.approx(0.25, rel=0.1)
    assert max(holds) <= 400


def test_duplication_doubles_its_fraction_side_by_side():
    node = DuplicationNode(0.5, RandomStream.of_seed(3))
    passed = Recorder(node).feed(*packets(4_000, gap_us=10)).passed
    assert len(passed) - 4_000 == node.duplicated
    assert node.duplicated == pytest.approx(2_000, rel=0.1)
    assert [at_us for _, at_us in passed] == sorted(at_us for _, at_us in passed)


@pytest.mark.parametrize("fraction", [-0.1, 1.1, float("nan")])
def test_impossible_fractions_are_refused(fraction):
    with pytest.raises(LocalMisuse):
        Reordering(fraction=fraction, max_hold_us=5)
    with pytest.raises(LocalMisuse):
        DuplicationNode(fraction, RANDOM)
