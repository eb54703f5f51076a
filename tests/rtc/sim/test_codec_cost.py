import pytest

from rtc.sim.codec_cost import AffineCost, CodecCostModel, CodecCostTable, FrameCosts
from rtc.values.errors import LocalMisuse
from rtc.values.formats import Codec, FrameSize

SIZE = FrameSize(640, 360)


def test_a_cost_is_fixed_plus_pixels_plus_bytes_rounded_up():
    cost = AffineCost(fixed_ns=500, per_pixel_ps=1_500, per_byte_ns=7)
    assert cost.time_us(1_000, 100) == 3  # 500 + 1500 + 700 ns
    assert AffineCost(fixed_ns=0, per_pixel_ps=0, per_byte_ns=0).time_us(1_000, 100) == 0


def test_key_and_delta_frames_and_both_directions_have_costs_of_their_own():
    def costs(base: int) -> FrameCosts:
        key, delta = (AffineCost(fixed_ns=us * 1_000, per_pixel_ps=0, per_byte_ns=0) for us in (base, base + 1))
        return FrameCosts(key=key, delta=delta)

    table = CodecCostTable(
        method="typed in",
        conditions="none",
        worst_relative_error={},
        encode={Codec.AV1: {10: costs(10)}},
        decode={Codec.AV1: costs(20)},
    )
    model = CodecCostModel(table)
    assert [model.encode_time_us(Codec.AV1, 10, SIZE, is_key=key, encoded_bytes=1) for key in (True, False)] == [10, 11]
    assert [model.decode_time_us(Codec.AV1, SIZE, is_key=key, encoded_bytes=1) for key in (True, False)] == [20, 21]


def test_the_committed_table_covers_every_speed_an_encoder_takes():
    model = CodecCostModel.load()
    for codec, speeds in ((Codec.AV1, range(5, 12)), (Codec.H264, range(3))):
        for is_key in (True, False):
            times = [model.encode_time_us(codec, speed, SIZE, is_key=is_key, encoded_bytes=800) for speed in speeds]
            assert all(100 < time_us < 100_000 for time_us in times)
            assert times[-1] < times[0]
            assert 100 < model.decode_time_us(codec, SIZE, is_key=is_key, encoded_bytes=800) < 10_000


def test_an_unknown_speed_is_refused():
    with pytest.raises(LocalMisuse, match="speed 4"):
        CodecCostModel.load().encode_time_us(Codec.AV1, 4, SIZE, is_key=False, encoded_bytes=1)
