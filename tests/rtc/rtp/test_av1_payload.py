import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from rtc.rtp.av1_payload import depacketize, packetize, starts_coded_video_sequence
from rtc.rtp.leb128 import leb128, leb128_size, read_leb128
from rtc.values.errors import LocalMisuse, RemoteProtocolError
from tests.rtc.rtp.hostile import mutations, parses_or_raises_the_remote_error
from tests.rtc.rtp.vectors import vectors

VECTORS = vectors("av1")
TEMPORAL_DELIMITER = b"\x12\x00"
SENT_TYPES = [1, 3, 4, 5, 6, 7]


def obu(kind, body, layer=None):
    """One OBU with a size field; `layer` is its extension byte."""
    head = kind << 3 | 2 | (0 if layer is None else 4)
    return bytes((head,)) + (b"" if layer is None else bytes((layer,))) + leb128(len(body)) + body


obus = st.builds(
    obu,
    st.sampled_from(SENT_TYPES),
    st.binary(max_size=40)
    | st.integers(0, 3000).map(lambda size: bytes(range(256)) * (size // 256) + bytes(size % 256)),
    st.sampled_from([None, 0x00, 0x20]),
)
temporal_units = st.lists(obus, min_size=1, max_size=7).map(lambda parts: TEMPORAL_DELIMITER + b"".join(parts))


def layers_in(payload):
    """Extension bytes of the OBUs that begin in a payload of counted elements."""
    count = payload[0] >> 4 & 3
    elements, position = [], 1
    while position < len(payload):
        if count and len(elements) == count - 1:
            elements.append(payload[position:])
            break
        size, position = read_leb128(payload, position)
        elements.append(payload[position : position + size])
        position += size
    starts = elements[1:] if payload[0] & 0x80 else elements
    return {element[1] for element in starts if element and element[0] & 4 and len(element) > 1}


@pytest.mark.parametrize(
    ("unit", "payloads", "size", "new_sequence"),
    [
        ("key_unit", ["key_payload"], 1200, True),
        ("delta_unit", ["delta_first", "delta_second"], 5, False),
        ("four_unit", ["four_payload"], 1200, False),
    ],
)
def test_temporal_units_and_golden_payloads_agree(unit, payloads, size, new_sequence):
    expected = tuple(VECTORS[name] for name in payloads)
    assert packetize(VECTORS[unit], size, new_sequence) == expected
    assert depacketize(expected) == VECTORS[unit]


@given(temporal_units, st.integers(3, 1300), st.booleans())
@example(TEMPORAL_DELIMITER + obu(6, bytes(5000)), 3, True)
@settings(deadline=None)
def test_any_temporal_unit_comes_back_whole_from_payloads_within_the_limit(unit, max_payload, new_sequence):
    payloads = packetize(unit, max_payload, new_sequence)
    assert depacketize(payloads) == unit
    assert all(len(payload) <= max_payload for payload in payloads)
    assert [starts_coded_video_sequence(payload) for payload in payloads] == [new_sequence] + [False] * (
        len(payloads) - 1
    )
    assert all(len(layers_in(payload)) <= 1 for payload in payloads)


@given(st.integers(1, 20_000), st.integers(100, 1300))
@settings(deadline=None)
def test_a_large_frame_makes_the_fewest_packets_all_of_nearly_one_size(size, max_payload):
    unit = TEMPORAL_DELIMITER + obu(1, bytes(10)) + obu(6, bytes(size))
    payloads = packetize(unit, max_payload, True)
    assert len(payloads) == -(-(12 + 1 + size) // (max_payload - 1))
    assert max(map(len, payloads)) - min(map(len, payloads)) <= len(payloads)


def test_temporal_delimiters_tile_lists_and_padding_are_not_sent():
    unit = TEMPORAL_DELIMITER + obu(8, b"tiles") + obu(6, b"frame") + obu(15, b"padding")
    assert packetize(unit, 1200, False) == (b"\x10\x30frame",)


def test_temporal_delimiters_tile_lists_and_padding_are_ignored_when_received():
    assert depacketize((b"\x00\x01\x10\x02\x40a\x06\x30frame\x02\x78b",)) == TEMPORAL_DELIMITER + obu(6, b"frame")


def test_a_last_obu_without_size_field_runs_to_the_end():
    assert packetize(TEMPORAL_DELIMITER + b"\x30frame", 1200, False) == (b"\x10\x30frame",)


def test_a_size_field_that_came_over_rtp_is_accepted():
    assert depacketize((b"\x10\x32\x05frame",)) == TEMPORAL_DELIMITER + obu(6, b"frame")


@pytest.mark.parametrize(
    ("unit", "max_payload", "reason"),
    [
        (b"", 1200, "no OBU"),
        (TEMPORAL_DELIMITER, 1200, "no OBU"),
        (b"\x32\x05four", 1200, "malformed or runs past"),
        (b"\x36", 1200, "OBU at byte 0"),
        (b"\x34", 1200, "malformed or runs past"),
        (b"\xb2\x01a", 1200, "malformed"),
        (b"\x32\xff\xff", 1200, "leb128"),
        (b"\x32\x01a", 2, "at least 3"),
    ],
)
def test_what_cannot_be_sent_is_our_own_mistake(unit, max_payload, reason):
    with pytest.raises(LocalMisuse, match=reason):
        packetize(unit, max_payload, False)


@pytest.mark.parametrize(
    ("payloads", "reason"),
    [
        ([], "hold no OBU"),
        ([b""], "0 bytes"),
        ([b"\x10"], "1 bytes"),
        ([b"\x90\x30a"], "fragment is missing"),
        ([b"\x50\x30a"], "another fragment"),
        ([b"\x50\x30a", b"\x10\x30b"], "fragment is missing"),
        ([b"\x20\x05\x30a"], "do not fill it"),
        ([b"\x20\x02\x30a"], "do not fill it"),
        ([b"\x00\x09\x30a"], "do not fill it"),
        ([b"\x00\xff\xff\xff"], "leb128"),
        ([b"\x10\xb0a"], "valid header"),
        ([b"\x00\x00"], "valid header"),
        ([b"\x10\x34"], "extension header"),
        ([b"\x10\x32\x09a"], "states 9 bytes where 1"),
        ([b"\x10\x10"], "hold no OBU"),
    ],
)
def test_what_is_malformed_says_why(payloads, reason):
    with pytest.raises(RemoteProtocolError, match=reason):
        depacketize(payloads)


@given(st.lists(st.binary(max_size=24) | mutations(list(VECTORS.values())), max_size=5))
@settings(deadline=None, max_examples=400)
def test_any_payloads_depacketize_or_raise_the_remote_error(payloads):
    parses_or_raises_the_remote_error(lambda _: depacketize(payloads), b"")


@given(temporal_units, st.integers(3, 200), st.data())
@settings(deadline=None)
def test_a_lost_packet_that_begins_or_ends_an_obu_in_fragments_is_noticed(unit, max_payload, data):
    payloads = packetize(unit, max_payload, False)
    # The middle of an OBU alone cannot be missed here: that is what sequence numbers are for.
    telling = [index for index, payload in enumerate(payloads) if payload[0] >> 6 in (0b01, 0b10)]
    assume(telling)
    lost = data.draw(st.sampled_from(telling))
    with pytest.raises(RemoteProtocolError):
        depacketize(payloads[:lost] + payloads[lost + 1 :])


@given(st.integers(0, (1 << 56) - 1), st.binary(max_size=3))
def test_leb128_numbers_come_back(value, tail):
    data = leb128(value)
    assert read_leb128(data + tail, 0) == (value, len(data))
    assert leb128_size(value) == len(data)
