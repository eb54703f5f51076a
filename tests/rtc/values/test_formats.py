import pytest

from rtc.values.errors import LocalMisuse
from rtc.values.formats import MAX_SIDE, FrameSize
from rtc.values.units import seconds_to_us


@pytest.mark.parametrize("size", [(0, 16), (16, 14), (641, 360), (640, 361), (MAX_SIDE + 2, 16), (-640, 360)])
def test_a_size_no_codec_takes_is_refused_in_one_line(size):
    with pytest.raises(LocalMisuse) as refused:
        FrameSize(*size)
    assert "must be even and from 16 to 8192" in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("size", [(16, 16), (640, 360), (MAX_SIDE, MAX_SIDE)])
def test_a_size_tells_its_samples_and_its_bytes(size):
    frame = FrameSize(*size)
    assert frame.pixels == size[0] * size[1]
    assert frame.i420_bytes * 2 == frame.pixels * 3
    assert str(frame) == f"{size[0]}x{size[1]}"


def test_sizes_compare_by_width_first_and_serve_as_keys():
    assert FrameSize(320, 180) < FrameSize(640, 16)
    assert {FrameSize(320, 180): 1}[FrameSize(320, 180)] == 1


def test_units_convert_at_the_edge():
    assert seconds_to_us(0.0333333) == 33_333
