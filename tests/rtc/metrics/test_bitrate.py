from hypothesis import given
from hypothesis import strategies as st

from rtc.metrics.bitrate import bitrate, capacity_used_ratio, rate_per_bin
from rtc.metrics.rate_timeline import RateStep
from rtc.values.trace_events import PacketKind
from tests.support.direction_records import encoded_frame, media_packet

SECOND_US = 1_000_000


def test_rates_are_means_over_the_call_and_targets_are_weighed_by_time() -> None:
    frames = [encoded_frame(0, 0, 10_000), encoded_frame(1, SECOND_US, 2_500)]
    targets = (RateStep(at_us=0, bps=100_000), RateStep(at_us=1_500_000, bps=20_000))
    assert bitrate(frames, targets, 2 * SECOND_US).model_dump() == {
        "target_kbps_mean": 80.0,
        "encoded_kbps_mean": 50.0,
        "rate_ratio": 0.625,
    }


def test_without_frames_or_targets_there_is_no_ratio() -> None:
    assert bitrate([], (), SECOND_US).model_dump() == {
        "target_kbps_mean": None,
        "encoded_kbps_mean": 0.0,
        "rate_ratio": None,
    }


def test_capacity_used_counts_what_came_out_of_the_path_within_the_call() -> None:
    packets = [
        media_packet(0, 0, 1_000, delivered_at_us=30_000),
        media_packet(1, 0, 500, delivered_at_us=SECOND_US, kind=PacketKind.FEEDBACK),
        media_packet(2, 0, 1_000, delivered_at_us=SECOND_US + 1),
        media_packet(3, 0, 1_000, loss_reason="random"),
    ]
    assert capacity_used_ratio(packets, (RateStep(at_us=0, bps=48_000),), SECOND_US) == 0.25
    assert capacity_used_ratio(packets, (), SECOND_US) is None


def test_the_last_bin_is_as_short_as_the_call_leaves_it() -> None:
    arrivals = [(0, 100), (499_999, 25), (500_000, 50), (700_000, 999)]
    assert rate_per_bin(arrivals, 500_000, 600_000) == (
        RateStep(at_us=0, bps=2_000),
        RateStep(at_us=500_000, bps=4_000),
    )


@given(
    st.lists(st.tuples(st.integers(0, 999_999), st.integers(0, 1_500)), max_size=60),
    st.sampled_from([125_000, 500_000]),
)
def test_bins_hold_every_byte(arrivals: list[tuple[int, int]], bin_us: int) -> None:
    bins = rate_per_bin(arrivals, bin_us, SECOND_US)
    assert sum(step.bps for step in bins) * bin_us // 8 == sum(size for _, size in arrivals) * SECOND_US
