"""Whole calls on real codecs, in virtual time."""

import pytest

from rtc.metrics.direction_summary import summarise_direction
from rtc.values.formats import Codec
from rtc.values.frames import FrameType
from rtc.values.trace_events import PacketKind
from tests.support.calls import run_small_call, small_direction


@pytest.mark.parametrize("codec", ["av1", "h264"])
@pytest.mark.parametrize("loss", ["0", "2%", "5%", "10%", "bursty:0.1:8"])
@pytest.mark.parametrize("nack", [True, False])
def test_whatever_is_lost_every_displayed_frame_is_what_the_complete_stream_gives(codec, loss, nack):
    direction = small_direction(codec=codec, loss=loss, nack=nack, target_kbps=150, seed=5)

    summary = summarise_direction(direction)
    assert summary.frames_drifted == 0
    assert summary.frames_displayed > 0


def test_without_loss_every_captured_frame_is_displayed_once_and_in_order():
    outcome = run_small_call(network="perfect")

    for direction in outcome.directions.values():
        times = [frame.displayed_at_us for frame in direction.frames]
        assert len(times) == 120
        assert None not in times
        assert times == sorted(times)
        assert [frame.frame_type for frame in direction.frames].count(FrameType.KEY) == 1


def test_a_one_way_call_has_one_direction_and_only_feedback_the_other_way():
    outcome = run_small_call(one_way=True)

    assert list(outcome.directions) == ["a_to_b"]


def test_lost_packets_come_again_and_the_picture_stops_far_less():
    direction = small_direction(codec="av1", loss="5%", rtt_ms=60, seed=3)

    summary = summarise_direction(direction)
    without = summarise_direction(small_direction(codec="av1", loss="5%", rtt_ms=60, seed=3, nack=False))
    assert summary.packets_lost > 0
    assert summary.retransmitted_packets >= summary.packets_lost
    assert summary.key_frames_encoded == 1
    assert summary.freeze_ratio < without.freeze_ratio / 3


def test_without_retransmission_losses_are_mended_by_key_frames():
    direction = small_direction(codec="av1", loss="5%", rtt_ms=60, seed=3, nack=False)

    summary = summarise_direction(direction)
    assert summary.retransmitted_packets == 0
    assert summary.pli_count > 0
    assert summary.key_frames_encoded > 1


def test_auto_starts_with_av1_and_both_codecs_can_be_chosen():
    codecs = {choice: small_direction(codec=choice, duration=0.5).frames[0].codec for choice in ("auto", "av1", "h264")}

    assert codecs == {"auto": Codec.AV1, "av1": Codec.AV1, "h264": Codec.H264}


def test_the_known_capacity_is_followed_down_and_up():
    steep = small_direction(network="lte-driving", size="640x360", fps=15, duration=10)

    targets = {step.bps for step in steep.targets}
    assert len(targets) > 5


def test_a_fixed_target_is_kept_whatever_the_network():
    direction = small_direction(network="3g", target_kbps=64)

    assert {frame.target_bps for frame in direction.frames} == {64_000}


def test_the_encoded_rate_is_near_the_target():
    direction = small_direction(clip="motion", network="perfect", target_kbps=200, duration=10)

    assert summarise_direction(direction).rate_ratio == pytest.approx(1.0, abs=0.1)


def test_every_datagram_is_delivered_or_lost_with_a_reason():
    direction = small_direction(loss="10%", network="wifi")

    media = [packet for packet in direction.packets if packet.kind is not PacketKind.FEEDBACK]
    for packet in media:
        assert (packet.delivered_at_us is None) == (packet.loss_reason is not None)
    assert any(packet.loss_reason == "random_loss" for packet in media)


def test_quality_is_scored_for_frames_shown_and_for_what_stood_in_their_place():
    direction = small_direction(quality=True, loss="8%", nack=False, seed=2)

    shown = [frame for frame in direction.frames if frame.displayed_at_us is not None]
    first = shown[0].capture_index
    frozen = [frame for frame in direction.frames[first:] if frame.displayed_at_us is None]
    assert frozen
    assert all(frame.psnr_y_db is not None and frame.ssim is not None for frame in shown)
    assert all(frame.psnr_y_db is None and frame.psnr_with_freeze_db is not None for frame in frozen)
    summary = summarise_direction(direction)
    assert summary.psnr_with_freeze_db < summary.psnr_y_db


def test_a_call_ends_with_the_last_frames_shown():
    direction = small_direction(network="satellite")

    assert direction.frames[-1].displayed_at_us is not None


def test_measured_codec_times_run_too():
    direction = small_direction(codec_time="measured", duration=1)

    assert all(frame.encode_time_us > 0 for frame in direction.frames)
