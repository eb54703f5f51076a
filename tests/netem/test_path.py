"""What holds of every path, whatever it is made of and however it is driven."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from netem.bottleneck_link import BottleneckLink
from netem.capacity_trace import DeliveryOpportunities, RateSteps
from netem.cross_traffic import AimdCrossTraffic, BurstyCrossTraffic, ConstantCrossTraffic, CrossTrafficNode
from netem.delay import DelayNode, DelayTrace
from netem.loss import BurstyLoss, RandomLoss, RecordedLoss
from netem.path import Path
from netem.path_profile import PathProfile, QueueKind, QueueProfile, build_path
from netem.queues import DropTailQueue
from netem.reordering import Reordering, ReorderingNode
from netem.simulator import run_packets
from netem.transmitters import ConstantTransmitter
from rtc.values.errors import LocalMisuse
from rtc.values.randomness import RandomStream
from tests.support.netem_nodes import packet, packets, plain_path

capacities = st.sampled_from(
    [
        200_000,
        1_000_003,
        RateSteps(durations_us=(30_000, 50_000, 7_001), rates_bps=(2_000_000, 0, 333_333)),
        DeliveryOpportunities(times_ms=(3, 3, 10, 45)),
    ]
)
losses = st.sampled_from(
    [
        RandomLoss(fraction=0.0),
        RandomLoss(fraction=0.2),
        BurstyLoss(fraction=0.2, mean_burst=3),
        RecordedLoss(lost=(False, True, False)),
    ]
)
crosses = st.sampled_from(
    [
        (),
        (ConstantCrossTraffic(rate_bps=100_000),),
        (
            BurstyCrossTraffic(rate_bps=900_000, mean_on_us=50_000, mean_off_us=50_000),
            AimdCrossTraffic(round_trip_us=40_000, start_bps=100_000, max_bps=600_000),
        ),
    ]
)
profiles = st.builds(
    PathProfile,
    capacity=capacities,
    queue=st.builds(QueueProfile, kind=st.sampled_from(QueueKind), limit_bytes=st.sampled_from([4_000, 50_000])),
    loss=losses,
    cross_traffic=crosses,
    one_way_delay_us=st.sampled_from([0, 20_000]),
    jitter_us=st.sampled_from([0, 15_000]),
    delay_trace=st.sampled_from([None, DelayTrace(starts_us=(0, 40_000), delays_us=(9_000, None), duration_us=50_000)]),
    reordering=st.sampled_from([None, Reordering(fraction=0.3, max_hold_us=30_000)]),
    duplicate_fraction=st.sampled_from([0.0, 0.3]),
)
sendings = st.lists(st.tuples(st.integers(0, 30_000), st.integers(1, 1500)), max_size=40)


def packets_of(gaps):
    now_us, sent = 0, []
    for index, (gap_us, size) in enumerate(gaps):
        now_us += gap_us
        sent.append(packet(now_us, size, payload=index))
    return sent


def plain(results):
    return [(result.packet.payload, *result[1:]) for result in results]


@given(profiles, sendings, st.integers(0, 99))
@settings(max_examples=150, deadline=None)
def test_packets_sent_dropped_delivered_and_in_flight_always_add_up(profile, gaps, seed):
    path = build_path(profile, RandomStream.of_seed(seed))
    delivered = dropped = 0

    def balanced():
        counts = path.counts()
        assert (counts.delivered, counts.dropped) == (delivered, dropped)
        assert counts.sent + counts.duplicated == counts.delivered + counts.dropped + counts.in_flight
        return counts

    for arrival in packets_of(gaps):
        path.send(arrival, arrival.sent_at_us)
        balanced()
        if arrival.payload % 3 == 0:
            delivered += len(path.poll_delivered(arrival.sent_at_us))
            dropped += len(path.poll_dropped())
            balanced()
    while (event_us := path.next_event_us()) is not None:
        delivered += len(path.poll_delivered(event_us))
        dropped += len(path.poll_dropped())
        balanced()
    assert balanced().in_flight == 0


@given(profiles, sendings, st.integers(0, 99), st.integers(300, 50_000))
@settings(max_examples=100, deadline=None)
def test_how_often_a_path_is_polled_changes_nothing(profile, gaps, seed, tick_us):
    by_event = run_packets(build_path(profile, RandomStream.of_seed(seed)), packets_of(gaps))
    path = build_path(profile, RandomStream.of_seed(seed))
    delivered, dropped, now_us = [], [], 0
    waiting = packets_of(gaps)
    while waiting or path.next_event_us() is not None:
        due_us = now_us + tick_us
        while waiting and waiting[0].sent_at_us < due_us:
            arrival = waiting.pop(0)
            path.send(arrival, arrival.sent_at_us)
        now_us = due_us
        delivered += path.poll_delivered(now_us)
        dropped += path.poll_dropped()
    assert plain(delivered) == plain(by_event.delivered)
    assert sorted(plain(dropped), key=str) == sorted(plain(by_event.dropped), key=str)


@given(profiles, sendings, st.integers(0, 99))
@settings(max_examples=60, deadline=None)
def test_the_same_seed_gives_the_same_fate_to_every_packet(profile, gaps, seed):
    first, second = (run_packets(build_path(profile, RandomStream.of_seed(seed)), packets_of(gaps)) for _ in range(2))
    assert plain(first.delivered) == plain(second.delivered)
    assert plain(first.dropped) == plain(second.dropped)


@given(profiles, sendings, st.integers(0, 99))
@settings(max_examples=60, deadline=None)
def test_deliveries_are_in_time_order_and_never_before_the_delay(profile, gaps, seed):
    run = run_packets(build_path(profile, RandomStream.of_seed(seed)), packets_of(gaps))
    times = [result.at_us for result in run.delivered]
    assert times == sorted(times)
    delay_us = 9_000 if profile.delay_trace is not None else profile.one_way_delay_us
    for result in run.delivered:
        assert result.at_us >= result.packet.sent_at_us + result.queue_delay_us + delay_us


@given(profiles, sendings, st.integers(0, 99))
@settings(max_examples=60, deadline=None)
def test_a_driver_that_polls_at_each_event_gets_each_packet_on_time(profile, gaps, seed):
    path = build_path(profile, RandomStream.of_seed(seed))

    def poll_until(until_us):
        while (event_us := path.next_event_us()) is not None and event_us <= until_us:
            assert all(result.at_us == event_us for result in path.poll_delivered(event_us))
            assert all(loss.at_us <= event_us for loss in path.poll_dropped())

    for arrival in packets_of(gaps):
        poll_until(arrival.sent_at_us)
        path.send(arrival, arrival.sent_at_us)
    poll_until(10**12)
    assert path.next_event_us() is None


def test_a_packet_takes_transmission_and_propagation_and_no_queue():
    run = run_packets(build_path(plain_path(one_way_delay_us=20_000), RandomStream.of_seed(1)), [packet(5, 125)])
    assert plain(run.delivered) == [(None, 21_005, 0)]


def test_queue_delay_is_the_wait_for_the_packets_before():
    run = run_packets(build_path(plain_path(), RandomStream.of_seed(1)), packets(3, gap_us=1_000, size_bytes=1_250))
    assert plain(run.delivered) == [(0, 10_000, 0), (1, 20_000, 9_000), (2, 30_000, 18_000)]


def test_bytes_through_a_constant_link_are_exact_to_one_packet_after_an_hour():
    profile = plain_path(capacity=777_777, queue=QueueProfile(limit_bytes=3_000))
    path = build_path(profile, RandomStream.of_seed(1))
    hour_us = 3_600_000_000
    run = run_packets(path, packets(hour_us // 12_000, gap_us=12_000, size_bytes=1_201))
    carried = sum(result.packet.size_bytes for result in run.delivered if result.at_us <= hour_us)
    assert 0 <= 777_777 * 3_600 / 8 - carried < 1_201 + 1


def test_capacity_over_a_window_is_that_of_the_trace():
    trace = RateSteps(durations_us=(1_000_000, 1_000_000), rates_bps=(1_000_000, 3_000_000))
    path = build_path(plain_path(capacity=trace), RandomStream.of_seed(1))
    assert path.capacity_bps(500_000, 1_000_000) == 2_000_000
    with pytest.raises(LocalMisuse, match="window"):
        path.capacity_bps(0, 0)


def test_an_event_that_is_overdue_is_due_now():
    path = build_path(plain_path(), RandomStream.of_seed(1))
    path.send(packet(0, 125), 0)
    path.send(packet(5_000, 125), 5_000)
    assert path.next_event_us() == 5_000
    assert plain(path.poll_delivered(5_000)) == [(None, 1_000, 0)]


def test_time_that_goes_back_is_refused_and_changes_nothing():
    path = build_path(plain_path(), RandomStream.of_seed(1))
    path.send(packet(1_000), 1_000)
    with pytest.raises(LocalMisuse, match="never goes back"):
        path.send(packet(999), 999)
    with pytest.raises(LocalMisuse, match="never goes back"):
        path.poll_delivered(999)
    assert path.counts().sent == 1


def test_packets_out_of_order_are_refused_by_the_simulator():
    with pytest.raises(LocalMisuse, match="sort them"):
        run_packets(build_path(plain_path(), RandomStream.of_seed(1)), [packet(5), packet(4)])


def test_reordering_lets_a_later_packet_arrive_first():
    profile = plain_path(capacity=100_000_000, reordering=Reordering(fraction=0.5, max_hold_us=5_000))
    run = run_packets(build_path(profile, RandomStream.of_seed(1)), packets(100, gap_us=1_000))
    order = [result.packet.payload for result in run.delivered]
    assert order != sorted(order)
    assert sorted(order) == list(range(100))


def link():
    return BottleneckLink(DropTailQueue(limit_bytes=9_000, limit_packets=9), ConstantTransmitter(1_000))


def test_chains_that_cannot_work_are_refused():
    random_stream = RandomStream.of_seed(1)
    reorder = ReorderingNode(Reordering(fraction=0.5, max_hold_us=5), random_stream)
    delay = DelayNode(delay_us=1, jitter_us=0, random_stream=random_stream)
    with pytest.raises(LocalMisuse, match="exactly one"):
        Path([delay])
    with pytest.raises(LocalMisuse, match="must come last"):
        Path([reorder, link()])
    with pytest.raises(LocalMisuse, match="behind the bottleneck"):
        Path([link(), CrossTrafficNode(ConstantCrossTraffic(rate_bps=5), random_stream)])


@pytest.mark.parametrize(
    "changed",
    [
        {"capacity": 0},
        {"capacity": -1},
        {"capacity": 10**13},
        {"one_way_delay_us": -1},
        {"jitter_us": 10**12},
        {"duplicate_fraction": 1.5},
    ],
)
def test_a_profile_that_cannot_be_is_refused(changed):
    with pytest.raises(LocalMisuse, match="must be"):
        plain_path(**changed)
