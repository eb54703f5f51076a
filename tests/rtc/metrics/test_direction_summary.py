import json

import pytest

from rtc.metrics.direction_records import DirectionRecords
from rtc.metrics.direction_summary import DirectionSummary, summarise_direction
from rtc.metrics.records import FrameRecord
from rtc.values.trace_events import DropReason
from tests.support.direction_records import encoded_frame, made_up_direction

PROMISED = """
    frames_captured frames_encoded frames_dropped frames_displayed key_frames_encoded recovery_frames_encoded
    frames_drifted freeze_count total_freezes_duration_s freeze_ratio longest_freeze_ms harmonic_fps
    capture_to_display_ms av_sync_ms target_kbps_mean encoded_kbps_mean rate_ratio vbv_delay_ms capacity_used_ratio
    queue_delay_ms psnr_y_db ssim psnr_with_freeze_db vmaf packets_sent packets_lost nack_count pli_count rpsi_count
    fec_packets_sent fec_recovered retransmitted_packets recovery_ms overhead_ratio codec_seconds codec_switches
    speed_changes frames_encoded_again encode_ms decode_ms cpu_ms_per_frame energy_j temporal_layer_seconds decisions
"""


def test_a_direction_holds_every_promised_figure() -> None:
    document = summarise_direction(made_up_direction(seconds=2)).model_dump(mode="json")
    assert set(PROMISED.split()) <= set(document)
    assert set(document["vbv_delay_ms"]) == {"p50", "p95", "p99", "max", "over_200ms_ratio"}
    assert set(document["capture_to_display_ms"]) == {"p50", "p95", "p99", "max"}
    assert document["av_sync_ms"] == {"p50": None, "p95": None, "max_abs": None}
    assert (document["vmaf"], document["energy_j"], document["temporal_layer_seconds"]) == (None, None, None)


@pytest.mark.parametrize(
    "frames",
    [
        [],
        [FrameRecord(capture_index=0, captured_at_us=0, drop_reason=DropReason.ENCODER_BUSY)],
        [encoded_frame(0, 0, 100)],
        [encoded_frame(0, 0, 100, displayed_at_us=90_000)],
    ],
    ids=["no frame", "one frame dropped", "one frame lost", "one frame shown"],
)
def test_a_call_of_next_to_nothing_has_figures_that_json_can_hold(frames: list[FrameRecord]) -> None:
    summary = summarise_direction(DirectionRecords(frames=frames, packets=[], duration_us=33_333))
    text = json.dumps(summary.model_dump(mode="json"), allow_nan=False)
    assert DirectionSummary.model_validate_json(text) == summary
    assert summary.frames_captured == len(frames)
    assert summary.psnr_y_db is None


def test_the_figures_of_a_plausible_call_are_the_ones_its_records_say() -> None:
    direction = made_up_direction(seconds=10)
    summary = summarise_direction(direction)
    shown = [frame for frame in direction.frames if frame.displayed_at_us is not None]
    assert summary.frames_displayed == len(shown) < summary.frames_encoded == 300
    assert summary.frames_drifted == 0
    assert summary.key_frames_encoded == 1
    assert summary.freeze_count == 1
    assert summary.capture_to_display_ms.p50 == pytest.approx(112.5, abs=5)
    assert summary.packets_lost == sum(packet.loss_reason is not None for packet in direction.packets)
    assert (summary.nack_count, summary.pli_count) == (14, 1)
    assert [(row.time_s, row.kind) for row in summary.decisions] == [(4.0, "recovery"), (5.5, "speed")]


def test_drift_counts_the_displayed_frames_that_differ_and_is_null_where_nobody_compared() -> None:
    frames = [
        encoded_frame(index, 0, 9, displayed_at_us=9, drifted=drifted) for index, drifted in enumerate([True, False])
    ]
    assert summarise_direction(DirectionRecords(frames=frames, packets=[], duration_us=1)).frames_drifted == 1
    frames = [encoded_frame(0, 0, 9, displayed_at_us=9)]
    assert summarise_direction(DirectionRecords(frames=frames, packets=[], duration_us=1)).frames_drifted is None


def test_the_mean_of_decibels_is_over_displayed_frames_and_with_freezes_over_all() -> None:
    frames = [
        encoded_frame(0, 0, 9, displayed_at_us=9, psnr_y_db=40.0, ssim=0.98, psnr_with_freeze_db=40.0),
        encoded_frame(1, 0, 9, psnr_y_db=39.0, ssim=0.5, psnr_with_freeze_db=30.0),
    ]
    summary = summarise_direction(DirectionRecords(frames=frames, packets=[], duration_us=1))
    assert (summary.psnr_y_db, summary.ssim, summary.psnr_with_freeze_db) == (40.0, 0.98, 35.0)


def test_a_call_that_shows_two_pictures_is_frozen_for_the_rest() -> None:
    frames = [encoded_frame(index, index * 40_000, 100) for index in range(100)]
    frames[0].displayed_at_us, frames[1].displayed_at_us = 100_000, 140_000
    summary = summarise_direction(DirectionRecords(frames=frames, packets=[], duration_us=4_000_000))
    assert summary.freeze_count == 0
    assert summary.longest_freeze_ms == 3_860.0
    assert summary.freeze_ratio == pytest.approx(0.989744)
