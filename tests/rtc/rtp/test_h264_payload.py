import pytest
from aiortc.codecs.h264 import H264PayloadDescriptor
from hypothesis import given, settings
from hypothesis import strategies as st

from rtc.rtp.h264_payload import depacketize, packetize, split_annex_b
from rtc.values.errors import LocalMisuse, RemoteProtocolError
from tests.rtc.rtp.hostile import mutations, parses_or_raises_the_remote_error
from tests.rtc.rtp.vectors import vectors

VECTORS = vectors("h264")

# Bodies without zeros: no start code can hide in them, as emulation prevention promises of real ones.
bodies = st.binary(max_size=40).map(lambda body: body.replace(b"\x00", b"\x01")) | st.integers(1, 4000).map(
    lambda size: b"\x55" * size
)
nals = st.builds(lambda header, body: bytes((header,)) + body, st.integers(1, 23).map(lambda kind: 0x60 | kind), bodies)
nal_lists = st.lists(nals, min_size=1, max_size=6)


def annex_b(parts):
    return b"".join(b"\x00\x00\x00\x01" + part for part in parts)


def test_small_nal_units_share_one_golden_packet():
    assert packetize(VECTORS["key_unit"], 1200) == (VECTORS["key_payload"],)
    assert depacketize([VECTORS["key_payload"]]) == VECTORS["key_back"]


def test_a_large_nal_unit_becomes_golden_fragments():
    fragments = (VECTORS["large_first"], VECTORS["large_second"])
    assert packetize(VECTORS["large_unit"], 5) == fragments
    assert depacketize(fragments) == VECTORS["large_unit"]


@given(nal_lists, st.integers(3, 1300))
@settings(deadline=None)
def test_any_access_unit_comes_back_whole_from_payloads_within_the_limit(parts, max_payload):
    payloads = packetize(annex_b(parts), max_payload)
    assert depacketize(payloads) == annex_b(parts)
    assert all(len(payload) <= max_payload for payload in payloads)


# aiortc takes a NAL unit of one byte, its header alone, for malformed.
@given(st.lists(nals.filter(lambda nal: len(nal) > 1), min_size=1, max_size=6), st.integers(40, 1300))
@settings(deadline=None)
def test_aiortc_depacketizes_to_the_same_bytes(parts, max_payload):
    theirs = b"".join(H264PayloadDescriptor.parse(payload)[1] for payload in packetize(annex_b(parts), max_payload))
    assert theirs == annex_b(parts)


@given(st.integers(1, 20_000), st.integers(100, 1300))
@settings(deadline=None)
def test_fragments_are_the_fewest_and_nearly_one_size(size, max_payload):
    payloads = packetize(annex_b([b"\x65" + b"\x55" * size]), max_payload)
    if len(payloads) > 1:
        assert len(payloads) == -(-size // (max_payload - 2))
        assert max(map(len, payloads)) - min(map(len, payloads)) < len(payloads)


def test_parameter_sets_share_a_packet_before_a_large_picture():
    first, *rest = packetize(annex_b([b"\x67\x42", b"\x68\xce", b"\x65" + b"\x55" * 300]), 200)
    assert first.hex() == "78" + "0002" + "6742" + "0002" + "68ce"
    assert [payload[0] & 0x1F for payload in rest] == [28, 28]


def test_start_codes_of_both_lengths_and_trailing_zeros_split_alike():
    stream = b"\x00\x00\x01\x67\x42\x00\x00\x00\x00\x01\x68\xce\x00\x00\x01\x65\x88\x00\x00"
    assert split_annex_b(stream) == [b"\x67\x42", b"\x68\xce", b"\x65\x88"]


@pytest.mark.parametrize(
    ("stream", "max_payload", "reason"),
    [
        (b"", 1200, "does not begin"),
        (b"\x65\x88", 1200, "does not begin"),
        (b"\x07\x00\x00\x01\x65", 1200, "does not begin"),
        (b"\x00\x00\x01", 1200, "must not be empty"),
        (b"\x00\x00\x01\x00\x00\x01\x65", 1200, "must not be empty"),
        (b"\x00\x00\x01\x7c\x85", 1200, r"type must be 1\.\.23"),
        (b"\x00\x00\x01\xe5\x88", 1200, "NAL unit at byte 3"),
        (b"\x00\x00\x01\x65\x88", 2, r"must be 3\.\."),
        (b"\x00\x00\x01\x65\x88", 65536, r"must be 3\.\."),
    ],
)
def test_what_cannot_be_sent_is_our_own_mistake(stream, max_payload, reason):
    with pytest.raises(LocalMisuse, match=reason):
        packetize(stream, max_payload)


@pytest.mark.parametrize(
    ("payloads", "reason"),
    [
        ([], "hold none"),
        ([b""], "type 0"),
        ([b"\x79\x00\x00\x00"], "type 25"),
        ([b"\x7c"], "FU-A of 1 byte"),
        ([b"\x7c\x05a"], "out of place"),
        ([b"\x7c\xc5a"], "out of place"),
        ([b"\x7c\x85a"], "end inside"),
        ([b"\x7c\x85a", b"\x7c\x85b"], "out of place"),
        ([b"\x7c\x85a", b"\x7c\x41b"], "must go on"),
        ([b"\x7c\x85a", b"\x65b"], "must go on"),
        ([b"\x7c\x9ca", b"\x7c\x5cb"], r"must be 1\.\.23"),
        ([b"\x78"], "without a NAL unit"),
        ([b"\x78\x00\x00"], "empty"),
        ([b"\x78\x00\x02\x65"], "cut off"),
        ([b"\x78\x00"], "empty"),
        ([b"\x78\x00\x01\x78"], r"not of type 1\.\.23"),
    ],
)
def test_what_is_malformed_says_why(payloads, reason):
    with pytest.raises(RemoteProtocolError, match=reason):
        depacketize(payloads)


@given(st.lists(st.binary(max_size=24) | mutations(list(VECTORS.values())), max_size=5))
@settings(deadline=None, max_examples=400)
def test_any_payloads_depacketize_or_raise_the_remote_error(payloads):
    parses_or_raises_the_remote_error(lambda _: depacketize(payloads), b"")
