"""Who is dropped, when, by each discipline."""

from math import isqrt

import pytest

from netem.node import Transit
from netem.packet import DropCause
from netem.path_profile import QueueKind, QueueProfile, build_path
from netem.queues import CoDelQueue, DropTailQueue, HeadDropQueue
from netem.simulator import run_packets
from rtc.values.errors import LocalMisuse
from rtc.values.randomness import RandomStream
from tests.support.netem_nodes import packet, packets, plain_path


class Filled:
    """A queue and what it dropped."""

    def __init__(self, queue):
        self.queue = queue
        self.dropped = []
        queue.connect(lambda transit, at_us, cause: self.dropped.append((transit.packet.payload, at_us, cause)))

    def arrive(self, at_us, payload, size_bytes=1000):
        self.queue.enqueue(Transit(packet(at_us, size_bytes, payload), at_us))
        return self

    def waiting(self):
        return [transit.packet.payload for transit in self.queue.waiting]


def test_drop_tail_refuses_what_does_not_fit_in_bytes():
    filled = Filled(DropTailQueue(limit_bytes=2_500, limit_packets=99))
    filled.arrive(0, "a").arrive(1, "b").arrive(2, "c").arrive(3, "d", 500)
    assert filled.waiting() == ["a", "b", "d"]
    assert filled.dropped == [("c", 2, DropCause.QUEUE_FULL)]


def test_drop_tail_refuses_what_does_not_fit_in_packets():
    filled = Filled(DropTailQueue(limit_bytes=10**6, limit_packets=2)).arrive(0, "a").arrive(0, "b").arrive(7, "c")
    assert filled.dropped == [("c", 7, DropCause.QUEUE_FULL)]


def test_room_comes_back_with_each_departure():
    filled = Filled(DropTailQueue(limit_bytes=2_000, limit_packets=99)).arrive(0, "a").arrive(0, "b")
    filled.queue.dequeue(5)
    assert filled.arrive(6, "c").waiting() == ["b", "c"]
    assert not filled.dropped


def test_head_drop_throws_out_the_oldest_until_the_newest_fits():
    filled = Filled(HeadDropQueue(limit_bytes=2_000, limit_packets=99))
    filled.arrive(0, "a", 900).arrive(1, "b", 900).arrive(2, "c", 1500)
    assert filled.waiting() == ["c"]
    assert filled.dropped == [("a", 2, DropCause.HEAD_DROP), ("b", 2, DropCause.HEAD_DROP)]


def test_the_packet_in_transmission_takes_no_room():
    profile = plain_path(queue=QueueProfile(limit_bytes=2_000))
    run = run_packets(build_path(profile, RandomStream.of_seed(1)), [packet(0, payload=name) for name in "abcd"])
    assert [result.packet.payload for result in run.delivered] == ["a", "b", "c"]
    assert [(drop.packet.payload, drop.at_us) for drop in run.dropped] == [("d", 0)]


@pytest.mark.parametrize("limits", [(1_499, 10), (10_000, 0), (-1, 10)])
def test_a_queue_without_room_for_a_packet_is_refused(limits):
    with pytest.raises(LocalMisuse, match="at least one packet"):
        DropTailQueue(limit_bytes=limits[0], limit_packets=limits[1])


def codel_run(packets_sent, rate_bps=1_000_000):
    queue = QueueProfile(kind=QueueKind.CODEL, limit_bytes=10**7)
    path = build_path(plain_path(capacity=rate_bps, queue=queue), RandomStream.of_seed(1))
    return run_packets(path, packets_sent)


def test_codel_leaves_a_link_that_keeps_up_alone():
    assert not codel_run(packets(500, gap_us=8_000)).dropped


def test_codel_forgives_a_burst_that_drains_within_an_interval():
    # 12 packets of 8 ms are gone after 96 ms: the last sojourn above target is under one interval old.
    assert not codel_run(packets(12, gap_us=0)).dropped


def test_codel_first_drops_an_interval_after_the_sojourn_time_rose_above_target():
    # Packet n arrives at 7n ms and can leave at 8n. From n = 15 on two wait behind it, so at 120 ms the sojourn time
    # counts as above target; the first departure an interval after that is the one at 224 ms, of packet 28.
    first = codel_run(packets(400, gap_us=7_000)).dropped[0]
    assert (first.packet.payload, first.at_us, first.reason) == (28, 224_000, DropCause.CODEL)


def test_codel_drops_come_closer_with_the_root_of_their_count():
    run = codel_run(packets(3_000, gap_us=6_000))
    times = [drop.at_us for drop in run.dropped[:12]]
    due_us = times[0]
    for count, at_us in enumerate(times[1:], 1):
        due_us += isqrt(100_000**2 // count)
        # A drop waits for the first departure after it is due: one packet of 8 ms at most.
        assert due_us <= at_us < due_us + 8_000


def test_codel_bounds_the_delay_of_a_lasting_overload_that_drop_tail_would_not():
    overload = packets(6_000, gap_us=7_500)
    codel = codel_run(overload)
    tail = run_packets(build_path(plain_path(queue=QueueProfile(limit_bytes=10**7)), RandomStream.of_seed(1)), overload)
    assert tail.delivered[-1].queue_delay_us > 2_000_000
    assert max(result.queue_delay_us for result in codel.delivered[3_000:]) < 100_000


def test_codel_leaves_a_standing_queue_of_one_packet_alone():
    # RFC 8289 section 4.4: with no more than one packet's bytes waiting, dropping could not help.
    sent = [packet(0, 1500), *packets(40, gap_us=480_000, size_bytes=1500)]
    run = codel_run(sent, rate_bps=25_000)
    assert not run.dropped
    assert min(result.queue_delay_us for result in run.delivered[1:]) == 480_000


@pytest.mark.parametrize(("target_us", "interval_us"), [(0, 100), (100, 100), (-1, 5)])
def test_codel_figures_that_make_no_sense_are_refused(target_us, interval_us):
    with pytest.raises(LocalMisuse, match="CoDel"):
        CoDelQueue(limit_bytes=10_000, limit_packets=9, target_us=target_us, interval_us=interval_us)
