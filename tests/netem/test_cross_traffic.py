"""Traffic of others takes its share of the link, fills the queue, and never comes out at the far end."""

from itertools import pairwise

import pytest

from netem.cross_traffic import AimdCrossTraffic, BurstyCrossTraffic, ConstantCrossTraffic, CrossTrafficNode
from netem.path_profile import QueueProfile, build_path
from netem.simulator import run_packets
from rtc.values.errors import LocalMisuse
from rtc.values.randomness import RandomStream
from tests.support.netem_nodes import Recorder, packets, plain_path


def emitted(source, seconds, seed=1):
    recorder = Recorder(CrossTrafficNode(source, RandomStream.of_seed(seed)))
    recorder.node.advance(seconds * 1_000_000)
    return [at_us for _, at_us in recorder.passed]


def run_beside(source, *, gap_us, count=2_000, limit_bytes=60_000):
    profile = plain_path(cross_traffic=(source,), queue=QueueProfile(limit_bytes=limit_bytes))
    path = build_path(profile, RandomStream.of_seed(1))
    return path, run_packets(path, packets(count, gap_us=gap_us))


def test_constant_traffic_sends_exactly_its_rate():
    assert len(emitted(ConstantCrossTraffic(rate_bps=1_200_000), 100)) == pytest.approx(10_000, abs=1)


def test_bursty_traffic_is_on_for_its_share():
    source = BurstyCrossTraffic(rate_bps=1_200_000, mean_on_us=200_000, mean_off_us=600_000)
    times = emitted(source, 2_000)
    assert len(times) == pytest.approx(2_000 * 100 / 4, rel=0.05)
    gaps = [later - earlier for earlier, later in pairwise(times)]
    assert min(gaps) == 10_000
    assert min(gap for gap in gaps if gap > 10_000) >= 300_000


def test_a_stream_beside_it_gets_what_constant_traffic_leaves():
    # 600 of 1000 kbps are taken: 400 kbps pass without a queue that grows, 500 do not.
    _, fits = run_beside(ConstantCrossTraffic(rate_bps=600_000), gap_us=21_000)
    _, too_much = run_beside(ConstantCrossTraffic(rate_bps=600_000), gap_us=16_000)
    assert max(result.queue_delay_us for result in fits.delivered) < 30_000
    assert not fits.dropped
    assert too_much.delivered[-1].queue_delay_us > 400_000
    assert too_much.dropped


def test_only_the_users_packets_come_out():
    _, run = run_beside(ConstantCrossTraffic(rate_bps=500_000), gap_us=20_000)
    assert [result.packet.payload for result in run.delivered] == list(range(2_000))


def test_an_aimd_download_probes_up_to_the_queue_and_backs_off():
    source = AimdCrossTraffic(round_trip_us=200_000, start_bps=200_000, max_bps=1_000_000)
    _, run = run_beside(source, gap_us=40_000, count=3_000, limit_bytes=20_000)
    delays = [result.queue_delay_us for result in run.delivered]
    assert max(delays) > 140_000  # 20 kB at 1 Mbps are 160 ms
    falls = sum(earlier > 80_000 >= later for earlier, later in pairwise(delays))
    assert 10 <= falls <= 60  # a sawtooth of a few seconds over two minutes
    assert sum(delay < 15_000 for delay in delays) > len(delays) // 10


def test_the_known_capacity_leaves_out_the_share_of_others():
    path, _ = run_beside(ConstantCrossTraffic(rate_bps=600_000), gap_us=21_000, count=1)
    assert path.capacity_bps(0, 1_000_000) == 400_000
    bursty = BurstyCrossTraffic(rate_bps=600_000, mean_on_us=100_000, mean_off_us=200_000)
    assert run_beside(bursty, gap_us=1, count=1)[0].capacity_bps(0, 1_000_000) == 800_000
    download = AimdCrossTraffic(round_trip_us=200_000, start_bps=200_000, max_bps=900_000)
    assert run_beside(download, gap_us=1, count=1)[0].capacity_bps(0, 1_000_000) == 500_000


def test_with_nothing_of_the_users_inside_there_is_no_event():
    path, _ = run_beside(ConstantCrossTraffic(rate_bps=2_000_000), gap_us=21_000, count=3)
    path.poll_delivered(10_000_000)
    assert path.next_event_us() is None


@pytest.mark.parametrize("rate_bps", [0, -5])
def test_traffic_without_a_rate_is_refused(rate_bps):
    with pytest.raises(LocalMisuse, match="cross traffic"):
        ConstantCrossTraffic(rate_bps=rate_bps)


def test_a_download_that_starts_above_its_maximum_is_refused():
    with pytest.raises(LocalMisuse, match="maximum"):
        AimdCrossTraffic(round_trip_us=1, start_bps=5, max_bps=4)
