from rtc.metrics.codec import codec_figures
from rtc.values.formats import Codec
from tests.support.direction_records import encoded_frame


def test_a_codec_holds_until_the_next_encoded_frame_and_the_last_one_to_the_end() -> None:
    frames = [
        encoded_frame(0, 0, 100, encode_time_us=3_000, decode_time_us=500),
        encoded_frame(1, 100_000, 0, encoded_bytes=None),
        encoded_frame(2, 200_000, 100, codec=Codec.H264, speed=1, encode_time_us=1_000, encodes=1),
        encoded_frame(3, 300_000, 100, codec=Codec.H264, speed=2, encode_time_us=2_000, decode_time_us=300, encodes=2),
    ]
    figures = codec_figures(frames, 1_000_000)
    assert figures.codec_seconds == {"av1": 0.2, "h264": 0.8}
    assert (figures.codec_switches, figures.speed_changes, figures.frames_encoded_again) == (1, 1, 1)
    assert (figures.encode_ms.mean, figures.encode_ms.p95) == (2.0, 3.0)
    assert (figures.decode_ms.mean, figures.decode_ms.p95) == (0.4, 0.5)
    assert figures.cpu_ms_per_frame == 2.267


def test_nothing_encoded_costs_nothing() -> None:
    figures = codec_figures([encoded_frame(0, 0, 0, encoded_bytes=None)], 1_000_000)
    assert figures.codec_seconds == {"av1": 0.0, "h264": 0.0}
    assert (figures.codec_switches, figures.cpu_ms_per_frame, figures.encode_ms.mean) == (0, None, None)
