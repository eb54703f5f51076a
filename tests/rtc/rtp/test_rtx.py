import pytest

from rtc.rtp import rtx
from rtc.rtp.packet import parse, serialise
from rtc.values.errors import RemoteProtocolError
from tests.rtc.rtp.vectors import vectors

VECTORS = vectors("rtp")


def test_a_wrapped_packet_has_the_golden_bytes():
    wrapped = rtx.wrap(parse(VECTORS["plain"]), payload_type=97, ssrc=4, sequence_number=7)
    assert serialise(wrapped) == VECTORS["rtx"]


@pytest.mark.parametrize("name", ["plain", "two_extensions", "long_extension"])
def test_unwrapping_gives_the_original_back(name):
    original = parse(VECTORS[name])
    wrapped = rtx.wrap(original, payload_type=97, ssrc=4, sequence_number=7)
    assert rtx.unwrap(wrapped, payload_type=original.payload_type, ssrc=original.ssrc) == original


def test_padding_of_the_original_is_not_sent_again():
    wrapped = rtx.wrap(parse(VECTORS["csrc_and_padding"]), payload_type=97, ssrc=4, sequence_number=7)
    assert wrapped.padding == 0


def test_extensions_can_be_fresh_ones():
    wrapped = rtx.wrap(
        parse(VECTORS["two_extensions"]), payload_type=97, ssrc=4, sequence_number=7, extensions=((3, b"\x00\x09"),)
    )
    assert wrapped.extensions == ((3, b"\x00\x09"),)


def test_a_payload_without_its_sequence_number_is_refused():
    carrier = parse(VECTORS["plain"][:13])
    with pytest.raises(RemoteProtocolError, match="original sequence number"):
        rtx.unwrap(carrier, payload_type=96, ssrc=3)
