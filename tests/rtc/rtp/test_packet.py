import pytest
from aiortc.rtp import RtpPacket as AiortcPacket
from aiortc.rtp import unpack_header_extensions
from hypothesis import given, settings
from hypothesis import strategies as st

from rtc.rtp.packet import RtpPacket, is_rtcp, parse, serialise
from rtc.values.errors import LocalMisuse, RemoteProtocolError
from tests.rtc.rtp.hostile import hostile_bytes, parses_or_raises_the_remote_error
from tests.rtc.rtp.vectors import vectors

VECTORS = vectors("rtp")


def packet(**changes):
    fields = {"payload_type": 96, "marker": False, "sequence_number": 1, "timestamp": 2, "ssrc": 3, "payload": b"\xaa"}
    return RtpPacket(**fields | changes)


GOLDEN = {
    "plain": packet(payload=b"\xaa\xbb"),
    "two_extensions": packet(
        marker=True,
        sequence_number=0x1234,
        timestamp=90_000,
        ssrc=0xDECAFBAD,
        extensions=((3, b"\x01\x02"), (5, b"\x81\x04\xd2\x01")),
        payload=b"\xaa\xbb",
    ),
    "long_extension": packet(extensions=((3, bytes(range(17))),)),
    "csrc_and_padding": packet(contributing_sources=(10, 11), payload=b"\xaa\xbb", padding=3),
}

extension_elements = st.lists(
    st.tuples(st.integers(1, 14), st.binary(min_size=1, max_size=20))
    | st.tuples(st.integers(1, 255), st.binary(max_size=20)),
    max_size=6,
)
packets = st.builds(
    RtpPacket,
    payload_type=st.integers(0, 127),
    marker=st.booleans(),
    sequence_number=st.integers(0, 0xFFFF),
    timestamp=st.integers(0, 0xFFFFFFFF),
    ssrc=st.integers(0, 0xFFFFFFFF),
    extensions=extension_elements.map(tuple),
    payload=st.binary(max_size=40),
    padding=st.integers(0, 255),
    contributing_sources=st.lists(st.integers(0, 0xFFFFFFFF), max_size=15).map(tuple),
)


@pytest.mark.parametrize("name", GOLDEN)
def test_packets_serialise_to_the_golden_bytes(name):
    assert serialise(GOLDEN[name]).hex() == VECTORS[name].hex()


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_bytes_parse_to_the_packets(name):
    assert parse(VECTORS[name]) == GOLDEN[name]


@given(packets)
@settings(deadline=None)
def test_what_is_serialised_parses_back(original):
    assert parse(serialise(original)) == original


@given(packets)
@settings(deadline=None)
def test_aiortc_reads_the_same_fields(original):
    theirs = AiortcPacket.parse(serialise(original))
    assert (theirs.payload_type, theirs.marker, theirs.sequence_number, theirs.timestamp, theirs.ssrc) == (
        original.payload_type,
        original.marker,
        original.sequence_number,
        original.timestamp,
        original.ssrc,
    )
    assert (theirs.payload, theirs.padding_size) == (original.payload, original.padding)
    assert theirs.csrc == list(original.contributing_sources)


@given(extension_elements.filter(bool))
@settings(deadline=None)
def test_aiortc_reads_the_same_header_extensions(elements):
    data = serialise(packet(extensions=tuple(elements), payload=b""))
    assert unpack_header_extensions(int.from_bytes(data[12:14], "big"), data[16:]) == elements


@given(hostile_bytes(list(VECTORS.values())))
@settings(deadline=None, max_examples=300)
def test_any_bytes_parse_or_raise_the_remote_error(data):
    parses_or_raises_the_remote_error(parse, data)


@pytest.mark.parametrize(
    ("hex_digits", "reason"),
    [
        ("8060000100000002000000", "11 bytes"),
        ("406000010000000200000003", "version 1"),
        ("8f6000010000000200000003", "15 contributing sources"),
        ("906000010000000200000003bede", "before its header extension"),
        ("906000010000000200000003bede0001", "4 bytes where 0"),
        ("a06000010000000200000003", "3 bytes of RTP padding where 0"),
        ("a0600001000000020000000300", "0 bytes of RTP padding"),
        ("a060000100000002000000030003", "3 bytes of RTP padding where 2"),
    ],
)
def test_what_is_no_rtp_packet_says_why(hex_digits, reason):
    with pytest.raises(RemoteProtocolError, match=reason):
        parse(bytes.fromhex(hex_digits))


@pytest.mark.parametrize(
    "changes",
    [
        {"payload_type": 128},
        {"payload_type": -1},
        {"sequence_number": 65536},
        {"timestamp": 1 << 32},
        {"ssrc": -1},
        {"padding": 256},
        {"padding": -1},
        {"contributing_sources": (1,) * 16},
        {"contributing_sources": (1 << 32,)},
        {"extensions": ((0, b"a"),)},
        {"extensions": ((256, b"a"),)},
        {"extensions": ((1, bytes(256)),)},
    ],
)
def test_a_field_that_does_not_fit_is_our_own_mistake(changes):
    with pytest.raises(LocalMisuse):
        serialise(packet(**changes))


def test_an_extension_is_found_by_its_id():
    assert GOLDEN["two_extensions"].extension(5) == b"\x81\x04\xd2\x01"
    assert GOLDEN["two_extensions"].extension(4) is None
    assert GOLDEN["two_extensions"].extension(None) is None


@pytest.mark.parametrize(
    ("second_byte", "expected"), [(191, False), (192, True), (200, True), (206, True), (223, True), (224, False)]
)
def test_the_second_byte_tells_rtcp_from_rtp(second_byte, expected):
    assert is_rtcp(bytes((0x80, second_byte))) is expected


def test_one_byte_is_not_rtcp():
    assert not is_rtcp(b"\x80")
