import pytest

from rtc.call.negotiation import EVERYTHING, negotiate
from rtc.values.errors import LocalMisuse
from rtc.values.formats import Codec, CodecEligibility

AV1, H264 = Codec.AV1, Codec.H264


def able(encode, decode):
    return CodecEligibility(may_encode=frozenset(encode), may_decode=frozenset(decode))


@pytest.mark.parametrize(
    ("local", "remote", "may_send", "may_receive"),
    [
        (EVERYTHING, EVERYTHING, (AV1, H264), (AV1, H264)),
        (able({H264}, {AV1, H264}), EVERYTHING, (H264,), (AV1, H264)),
        (EVERYTHING, able({H264}, {AV1, H264}), (AV1, H264), (H264,)),
        (able({AV1, H264}, {H264}), able({H264}, {AV1}), (AV1,), (H264,)),
        (EVERYTHING, able({H264}, {H264}), (H264,), (H264,)),
    ],
)
def test_each_direction_has_what_its_sender_encodes_and_its_receiver_decodes(local, remote, may_send, may_receive):
    agreed = negotiate(local=local, remote=remote)
    assert (agreed.may_send, agreed.may_receive) == (may_send, may_receive)
    assert agreed.send_first is may_send[0]


@pytest.mark.parametrize("local", [EVERYTHING, able({H264}, {AV1, H264}), able({AV1, H264}, {H264})])
@pytest.mark.parametrize("remote", [EVERYTHING, able({H264}, {AV1, H264}), able({AV1, H264}, {H264})])
def test_what_one_side_may_send_the_other_must_expect(local, remote):
    here, there = negotiate(local=local, remote=remote), negotiate(local=remote, remote=local)
    assert here.may_send == there.may_receive
    assert here.may_receive == there.may_send


def test_sides_without_a_codec_in_common_are_told_what_each_can():
    with pytest.raises(LocalMisuse) as refused:
        negotiate(local=able({AV1}, {AV1}), remote=able({AV1, H264}, {H264}))
    assert str(refused.value) == "no codec in common: the sender encodes av1, the receiver decodes h264"
    with pytest.raises(LocalMisuse, match="the receiver decodes nothing"):
        negotiate(local=EVERYTHING, remote=able({AV1}, set()))
