"""Mahimahi traces to the byte: against a second writing of its link's rules, opportunity by opportunity."""

from collections import deque

from hypothesis import given, settings
from hypothesis import strategies as st

from netem.capacity_trace import DeliveryOpportunities
from netem.path_profile import QueueProfile, build_path
from netem.simulator import run_packets
from netem.transmitters import OpportunityTransmitter
from rtc.values.randomness import RandomStream
from tests.support.netem_nodes import packet, packets, plain_path

HUGE = QueueProfile(limit_bytes=10**9)


def delivered(trace, sent):
    path = build_path(plain_path(capacity=trace, queue=HUGE), RandomStream.of_seed(1))
    return [(result.packet.payload, result.at_us) for result in run_packets(path, sent).delivered]


def by_the_rules(trace, sent):
    """Each opportunity in turn: a budget of bytes for those who arrived before it, first come first served."""
    out, arrivals, queue = [], deque(sent), deque()
    base_ms, index = 0, 0
    while arrivals or queue:
        at_us = (base_ms + trace.times_ms[index]) * 1000
        while arrivals and arrivals[0].sent_at_us < at_us:
            arrival = arrivals.popleft()
            queue.append([arrival.payload, arrival.size_bytes + trace.packet_overhead_bytes])
        budget = trace.opportunity_bytes
        while budget and queue:
            sent_now = min(budget, queue[0][1])
            budget -= sent_now
            queue[0][1] -= sent_now
            if queue[0][1] == 0:
                out.append((queue.popleft()[0], at_us))
        index += 1
        if index == len(trace.times_ms):
            index, base_ms = 0, base_ms + trace.times_ms[-1]
    return out


traces = st.lists(st.integers(0, 40), min_size=1, max_size=12).map(sorted).filter(lambda times: times[-1] > 0)
arrivals = st.lists(st.tuples(st.integers(0, 12_000), st.integers(1, 4000)), max_size=25)


@given(traces, arrivals, st.sampled_from([(1500, 0), (1504, 4), (700, 0)]))
@settings(deadline=None)
def test_deliveries_are_those_of_the_rules(times, gaps, accounting):
    trace = DeliveryOpportunities(
        times_ms=tuple(times), opportunity_bytes=accounting[0], packet_overhead_bytes=accounting[1]
    )
    now_us, sent = 0, []
    for index, (gap_us, size) in enumerate(gaps):
        now_us += gap_us
        sent.append(packet(now_us, size, payload=index))
    assert delivered(trace, sent) == by_the_rules(trace, sent)


def test_a_backlog_of_full_packets_leaves_one_a_line_at_the_times_of_the_file():
    trace = DeliveryOpportunities(times_ms=(1, 1, 4, 10))
    times = [at_us for _, at_us in delivered(trace, packets(10, gap_us=0, size_bytes=1500))]
    assert times == [1_000, 1_000, 4_000, 10_000, 11_000, 11_000, 14_000, 20_000, 21_000, 21_000]


def test_small_packets_share_an_opportunity_and_a_large_one_spans_two():
    trace = DeliveryOpportunities(times_ms=(5, 6))
    sent = [packet(0, 700, payload="a"), packet(0, 700, payload="b"), packet(0, 1400, payload="c")]
    assert delivered(trace, sent) == [("a", 5_000), ("b", 5_000), ("c", 6_000)]


def test_what_an_empty_queue_leaves_of_an_opportunity_is_gone():
    trace = DeliveryOpportunities(times_ms=(5, 10))
    assert delivered(trace, [packet(0, 100), packet(5_000, 100)]) == [(None, 5_000), (None, 10_000)]


def test_an_opportunity_at_the_time_of_an_arrival_is_over():
    assert delivered(DeliveryOpportunities(times_ms=(5,)), [packet(5_000, 100)]) == [(None, 10_000)]


def test_the_trace_loops_at_its_last_time():
    trace = DeliveryOpportunities(times_ms=(0, 3))
    transmitter = OpportunityTransmitter(trace)
    starts = []
    for _ in range(4):
        start_us = transmitter.start_us(0)
        transmitter.finish_us(start_us, 1500)
        starts.append(start_us)
    # The opportunity at 0 falls on the arrival; the next round's 0 is this round's 3.
    assert starts == [3_000, 3_000, 6_000, 6_000]


def test_a_saturated_link_carries_every_byte_of_the_trace():
    trace = DeliveryOpportunities(times_ms=(2, 3, 3, 9, 17, 40))
    out = delivered(trace, packets(4_000, gap_us=0, size_bytes=1_000))
    in_ten_rounds = sum(1_000 for _, at_us in out if at_us <= 400_000)
    assert in_ten_rounds == 60 * 1_500


def test_with_the_tun_header_counted_a_full_packet_still_takes_one_line():
    trace = DeliveryOpportunities(times_ms=(1, 2, 3), opportunity_bytes=1504, packet_overhead_bytes=4)
    assert [at_us for _, at_us in delivered(trace, packets(3, gap_us=0, size_bytes=1500))] == [1_000, 2_000, 3_000]


def test_a_long_silence_is_skipped_not_walked():
    trace = DeliveryOpportunities(times_ms=tuple(range(1, 1001)))
    assert delivered(trace, [packet(0, 100), packet(3_600_000_400, 100)])[1] == (None, 3_600_001_000)
