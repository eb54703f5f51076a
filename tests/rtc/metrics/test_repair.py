from rtc.metrics.repair import packet_counts, recovery_times
from rtc.values.trace_events import PacketKind
from tests.support.direction_records import encoded_frame, media_packet


def test_packets_are_counted_by_what_they_were_for() -> None:
    packets = [
        media_packet(0, 0, 1_000),
        media_packet(1, 0, 1_000, loss_reason="random"),
        media_packet(2, 0, 300, kind=PacketKind.RETRANSMISSION),
        media_packet(3, 0, 200, kind=PacketKind.FEC, loss_reason="queue full"),
        media_packet(4, 0, 80, kind=PacketKind.FEEDBACK, loss_reason="random"),
    ]
    assert packet_counts(packets).model_dump() == {
        "packets_sent": 4,
        "packets_lost": 2,
        "fec_packets_sent": 1,
        "retransmitted_packets": 1,
        "feedback_packets_sent": 1,
        "overhead_ratio": 0.25,
    }
    assert packet_counts([]).overhead_ratio is None


def test_a_recovery_runs_from_the_loss_to_the_picture_that_shows_that_frame_or_a_later_one() -> None:
    frames = [encoded_frame(index, index * 33_000, 100) for index in range(4)]
    frames[0].displayed_at_us = 100_000
    frames[3].displayed_at_us = 260_000
    packets = [
        media_packet(0, 1_000, frame_id=0),
        media_packet(1, 34_000, frame_id=1, loss_reason="random"),
        media_packet(2, 67_000, frame_id=2, loss_reason="random"),
        media_packet(3, 68_000, frame_id=2, loss_reason="random"),
        media_packet(4, 69_000, frame_id=2, kind=PacketKind.RETRANSMISSION, loss_reason="random"),
    ]
    assert recovery_times(frames, packets).model_dump() == {"count": 1, "p50": 226.0, "p95": 226.0, "unrecovered": 0}


def test_a_frame_that_a_retransmission_saved_is_its_own_recovery() -> None:
    frames = [encoded_frame(0, 0, 100, displayed_at_us=150_000), encoded_frame(1, 33_000, 100, displayed_at_us=180_000)]
    packets = [media_packet(index, index * 33_000 + 2_000, frame_id=index, loss_reason="random") for index in (0, 1)]
    assert recovery_times(frames, packets).model_dump() == {"count": 2, "p50": 145.0, "p95": 148.0, "unrecovered": 0}


def test_a_loss_the_call_ended_in_is_not_a_recovery() -> None:
    packets = [media_packet(0, 0, frame_id=0, loss_reason="random")]
    times = recovery_times([encoded_frame(0, 0, 100)], packets)
    assert (times.count, times.p50, times.unrecovered) == (0, None, 1)
