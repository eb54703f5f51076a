"""A camera that shows pure noise: frames larger than OpenH264 has room for are coded coarser, and the call goes on."""

import pytest

from clips.y4m import Y4mWriter
from rtc.metrics.direction_summary import summarise_direction
from rtc.values.formats import FrameSize
from tests.support.calls import small_direction
from tests.support.codec_orders import noise_pictures

SIZE = FrameSize(160, 90)


@pytest.fixture(scope="module")
def noise(tmp_path_factory):
    path = tmp_path_factory.mktemp("clips") / "noise.y4m"
    with path.open("wb") as file:
        writer = Y4mWriter(file, size=SIZE, fps=30)
        for picture in noise_pictures(30, SIZE):
            writer.write(picture)
    return path


@pytest.mark.parametrize("codec", ["av1", "h264"])
@pytest.mark.parametrize("rate_control", ["ours", "native"])
@pytest.mark.parametrize("target_kbps", [300, 100_000])
def test_a_call_with_pure_noise_shows_what_was_sent(noise, codec, rate_control, target_kbps):
    direction = small_direction(
        clip=str(noise),
        codec=codec,
        rate_control=rate_control,
        target_kbps=target_kbps,
        capacity_kbps=200_000,
        network="perfect",
        duration=1,
    )

    summary = summarise_direction(direction)
    assert summary.frames_encoded > 0
    assert summary.frames_encoded + summary.frames_dropped == summary.frames_captured
    assert summary.frames_displayed == summary.frames_encoded
    assert summary.frames_drifted == 0
