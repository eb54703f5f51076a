import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtc.rtp.frame_ack_extension import parse, serialise
from rtc.values.errors import LocalMisuse, RemoteProtocolError
from tests.rtc.rtp.hostile import parses_or_raises_the_remote_error
from tests.rtc.rtp.vectors import vectors


def test_golden_bytes_and_values_agree():
    golden = vectors("extensions")["ack"]
    assert serialise((1, 65534)) == golden
    assert parse(golden) == (1, 65534)


@given(st.lists(st.integers(0, 65535), min_size=1, max_size=8).map(tuple))
def test_what_is_serialised_parses_back(numbers):
    assert parse(serialise(numbers)) == numbers


@given(st.binary(max_size=20))
def test_any_bytes_parse_or_raise_the_remote_error(data):
    parses_or_raises_the_remote_error(parse, data)


@pytest.mark.parametrize("size", [0, 1, 3, 18])
def test_other_sizes_are_refused(size):
    with pytest.raises(RemoteProtocolError, match=f"{size} bytes"):
        parse(bytes(size))


@pytest.mark.parametrize("numbers", [(), (1,) * 9, (65536,), (-1,)])
def test_what_does_not_fit_is_our_own_mistake(numbers):
    with pytest.raises(LocalMisuse):
        serialise(numbers)
