"""Losses have the share and the bursts that were asked for."""

from itertools import groupby

import pytest

from netem.loss import BurstyLoss, RandomLoss, RecordedLoss, loss_node
from netem.packet import DropCause
from rtc.values.errors import LocalMisuse
from rtc.values.randomness import RandomStream
from tests.support.netem_nodes import Recorder, packets


def lost_pattern(model, count=100_000):
    recorder = Recorder(loss_node(model, RandomStream.of_seed(5))).feed(*packets(count, gap_us=10))
    lost = {payload for payload, _, _ in recorder.dropped}
    assert len(recorder.passed) + len(lost) == count
    return [index in lost for index in range(count)]


def mean_burst(pattern):
    bursts = [len(list(group)) for lost, group in groupby(pattern) if lost]
    return sum(bursts) / len(bursts)


@pytest.mark.parametrize("fraction", [0.01, 0.05, 0.5])
def test_random_loss_has_its_fraction_and_the_bursts_of_chance(fraction):
    pattern = lost_pattern(RandomLoss(fraction=fraction))
    assert sum(pattern) / len(pattern) == pytest.approx(fraction, rel=0.05)
    assert mean_burst(pattern) == pytest.approx(1 / (1 - fraction), rel=0.05)


@pytest.mark.parametrize(("fraction", "burst"), [(0.02, 4), (0.1, 1), (0.3, 10), (0.5, 1)])
def test_bursty_loss_has_its_fraction_and_its_mean_burst(fraction, burst):
    pattern = lost_pattern(BurstyLoss(fraction=fraction, mean_burst=burst), count=200_000)
    assert sum(pattern) / len(pattern) == pytest.approx(fraction, rel=0.06)
    assert mean_burst(pattern) == pytest.approx(burst, rel=0.06)


def test_recorded_loss_follows_the_recording_and_loops():
    model = RecordedLoss(lost=(True, False, False))
    assert lost_pattern(model, 7) == [True, False, False, True, False, False, True]
    assert model.fraction == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("model", "cause"),
    [
        (RandomLoss(fraction=0.9), DropCause.RANDOM_LOSS),
        (BurstyLoss(fraction=0.9, mean_burst=20), DropCause.BURSTY_LOSS),
        (RecordedLoss(lost=(True, False)), DropCause.RECORDED_LOSS),
    ],
)
def test_each_model_names_its_losses(model, cause):
    recorder = Recorder(loss_node(model, RandomStream.of_seed(5))).feed(*packets(100, gap_us=10))
    assert {reason for _, _, reason in recorder.dropped} == {cause}


@pytest.mark.parametrize("fraction", [-0.1, 1.0, 2.0, float("nan"), float("inf")])
def test_an_impossible_fraction_is_refused(fraction):
    with pytest.raises(LocalMisuse, match="loss"):
        RandomLoss(fraction=fraction)
    with pytest.raises(LocalMisuse, match="loss"):
        BurstyLoss(fraction=fraction, mean_burst=4)


@pytest.mark.parametrize(
    ("fraction", "burst"), [(0.1, 0.5), (0.1, 0), (0.1, -3), (0.1, float("nan")), (0.1, float("inf")), (0.6, 1)]
)
def test_an_impossible_burst_is_refused(fraction, burst):
    with pytest.raises(LocalMisuse, match="burst"):
        BurstyLoss(fraction=fraction, mean_burst=burst)


@pytest.mark.parametrize("pattern", [(), (True, True)])
def test_a_recording_that_lets_nothing_through_is_refused(pattern):
    with pytest.raises(LocalMisuse, match="recorded loss"):
        RecordedLoss(lost=pattern)
