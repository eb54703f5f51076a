import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rtc.rtp.header_extensions import (
    ONE_BYTE_PROFILE,
    TWO_BYTE_PROFILE,
    ExtensionMap,
    ExtensionUri,
    parse_extensions,
    serialise_extensions,
)
from rtc.values.errors import LocalMisuse, RemoteProtocolError
from tests.rtc.rtp.hostile import parses_or_raises_the_remote_error


@pytest.mark.parametrize(
    ("elements", "profile", "hex_digits"),
    [
        (((1, b"\xaa"),), ONE_BYTE_PROFILE, "10aa0000"),
        (((14, bytes(16)),), ONE_BYTE_PROFILE, "ef" + "00" * 16 + "000000"),
        (((15, b"\xaa"),), TWO_BYTE_PROFILE, "0f01aa00"),
        (((1, b""),), TWO_BYTE_PROFILE, "01000000"),
        (((1, b"\xaa"), (16, b"\xbb")), TWO_BYTE_PROFILE, "0101aa1001bb0000"),
        (((1, bytes(17)),), TWO_BYTE_PROFILE, "0111" + "00" * 17 + "00"),
    ],
)
def test_the_form_is_one_byte_until_an_element_does_not_fit(elements, profile, hex_digits):
    assert serialise_extensions(elements) == (profile, bytes.fromhex(hex_digits))
    assert parse_extensions(profile, bytes.fromhex(hex_digits)) == elements


@pytest.mark.parametrize(
    ("hex_digits", "elements"),
    [
        ("000010aa", ((1, b"\xaa"),)),  # padding before an element
        ("10aaf0bb20cc", ((1, b"\xaa"),)),  # id 15 ends it
        ("10aa01bb20cc", ((1, b"\xaa"),)),  # id 0 with a length ends it
        ("10aa0000", ((1, b"\xaa"),)),
    ],
)
def test_reserved_ids_of_the_one_byte_form_pad_or_stop(hex_digits, elements):
    assert parse_extensions(ONE_BYTE_PROFILE, bytes.fromhex(hex_digits)) == elements


def test_application_bits_of_the_two_byte_profile_are_ignored():
    assert parse_extensions(0x100F, bytes.fromhex("0101aa00")) == ((1, b"\xaa"),)


def test_an_unknown_profile_holds_no_elements_of_ours():
    assert parse_extensions(0x1234, bytes.fromhex("10aa0000")) == ()


@pytest.mark.parametrize(
    ("profile", "hex_digits"), [(ONE_BYTE_PROFILE, "11aa"), (TWO_BYTE_PROFILE, "01"), (TWO_BYTE_PROFILE, "0102aa")]
)
def test_an_element_past_the_end_is_refused(profile, hex_digits):
    with pytest.raises(RemoteProtocolError, match="header extension 1 wants"):
        parse_extensions(profile, bytes.fromhex(hex_digits))


@given(st.sampled_from([ONE_BYTE_PROFILE, TWO_BYTE_PROFILE, 0x100A, 0]), st.binary(max_size=64))
@settings(deadline=None)
def test_any_bytes_parse_or_raise_the_remote_error(profile, data):
    parses_or_raises_the_remote_error(lambda noise: parse_extensions(profile, noise), data)


def test_a_map_finds_ids_and_uris():
    ids = ExtensionMap({ExtensionUri.MEDIA_ID: 1, ExtensionUri.FRAME_METADATA: 16})
    assert ids.id_of(ExtensionUri.FRAME_METADATA) == 16
    assert ids.id_of(ExtensionUri.FRAME_ACK) is None
    assert ids.uri_of(1) is ExtensionUri.MEDIA_ID
    assert ids.uri_of(2) is None


@pytest.mark.parametrize("extension_id", [0, 15, 256, -1])
def test_a_map_refuses_ids_that_cannot_be_negotiated(extension_id):
    with pytest.raises(LocalMisuse, match=r"must be 1\.\.14 or 16\.\.255"):
        ExtensionMap({ExtensionUri.MEDIA_ID: extension_id})


def test_a_map_refuses_one_id_for_two_uris():
    with pytest.raises(LocalMisuse, match="an id of its own"):
        ExtensionMap({ExtensionUri.MEDIA_ID: 1, ExtensionUri.FRAME_ACK: 1})
