"""Every real clip and every real trace carries a short call, and nothing in it drifts."""

import pytest

from rtc.metrics.direction_summary import summarise_direction
from tests.support.calls import small_direction
from tests.support.data import real_data

DELAY_FOLDERS = {"driving_ping_us"}
DELAY_FILES = {"ping_isl.csv"}
LOSS_FOLDERS = {"teams_call_loss"}


def _options(trace):
    if trace.parent.name in LOSS_FOLDERS:
        return {"network": "wifi", "loss": str(trace)}
    if trace.parent.name in DELAY_FOLDERS or trace.name in DELAY_FILES:
        return {"network": "wifi", "delay_trace": str(trace)}
    return {"network": str(trace)}


@pytest.mark.parametrize("codec", ["av1", "h264"])
def test_every_real_clip_can_be_called_with(codec):
    clips = sorted((real_data() / "clips").iterdir())
    assert len(clips) >= 20
    for clip in clips:
        summary = summarise_direction(small_direction(clip=str(clip), codec=codec, duration=0.5))
        assert summary.frames_displayed == summary.frames_captured == 15, clip.name
        assert summary.frames_drifted == 0, clip.name


def test_every_real_trace_can_be_called_over():
    traces = sorted(trace for trace in (real_data() / "traces").glob("*/*") if trace.is_file())
    assert len(traces) >= 57
    for trace in traces:
        direction = small_direction(duration=2, seed=3, **_options(trace))
        summary = summarise_direction(direction)
        assert summary.frames_captured == 60, trace.name
        assert not summary.frames_drifted, trace.name
        assert len(direction.packets) > 0, trace.name
