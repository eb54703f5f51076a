import pytest
from aiortc.rtp import RtcpPacket
from hypothesis import given, settings
from hypothesis import strategies as st

from rtc.rtp.rtcp.compound import parse_compound, serialise_compound
from rtc.values.errors import LocalMisuse, RemoteProtocolError
from rtc.values.feedback import (
    FullIntraRequest,
    Nack,
    PictureLossIndication,
    ReceiverReport,
    ReferencePictureSelection,
    ReportBlock,
    SenderReport,
    TransportFeedback,
    UnrecognisedRtcp,
)
from tests.rtc.rtp.hostile import hostile_bytes, parses_or_raises_the_remote_error
from tests.rtc.rtp.vectors import vectors

VECTORS = vectors("rtcp")
SSRCS = {"sender_ssrc": 1, "media_ssrc": 2}

GOLDEN = {
    "sender_report": SenderReport(
        sender_ssrc=1, ntp_timestamp=3 << 32 | 1 << 31, rtp_timestamp=43_200, packet_count=10, octet_count=10_000
    ),
    "receiver_report": ReceiverReport(
        sender_ssrc=1,
        reports=(
            ReportBlock(
                media_ssrc=2,
                fraction_lost=64,
                cumulative_lost=-2,
                highest_sequence=65536 + 100,
                jitter=10,
                last_sender_report=0x12345678,
                delay_since_last_sender_report=65536,
            ),
        ),
    ),
    "nack": Nack(**SSRCS, sequences=(10, 11, 26, 65535, 0)),
    "pli": PictureLossIndication(**SSRCS),
    "fir": FullIntraRequest(**SSRCS, command_sequence=7),
    "rpsi": ReferencePictureSelection(**SSRCS, payload_type=96, frame_number=70),
    "twcc_two_bit": TransportFeedback(
        **SSRCS, base_sequence=65533, arrivals=(961_000, None, 1_061_000, 1_060_000, None), feedback_count=7
    ),
    "twcc_run": TransportFeedback(**SSRCS, base_sequence=0, arrivals=(960_000,) * 16, feedback_count=0),
    "twcc_one_bit": TransportFeedback(
        **SSRCS,
        base_sequence=0,
        arrivals=(960_000, None, 960_250, None, 960_500, None, 960_750, None),
        feedback_count=0,
    ),
}

u8, u16, u32 = st.integers(0, 0xFF), st.integers(0, 0xFFFF), st.integers(0, 0xFFFFFFFF)
blocks = st.lists(
    st.builds(
        ReportBlock,
        media_ssrc=u32,
        fraction_lost=u8,
        cumulative_lost=st.integers(-(1 << 23), (1 << 23) - 1),
        highest_sequence=u32,
        jitter=u32,
        last_sender_report=u32,
        delay_since_last_sender_report=u32,
    ),
    max_size=3,
).map(tuple)
pair = {"sender_ssrc": u32, "media_ssrc": u32}
reports = st.builds(
    SenderReport,
    sender_ssrc=u32,
    ntp_timestamp=st.integers(0, (1 << 64) - 1),
    rtp_timestamp=u32,
    packet_count=u32,
    octet_count=u32,
    reports=blocks,
) | st.builds(ReceiverReport, sender_ssrc=u32, reports=blocks)
requests = (
    st.builds(PictureLossIndication, **pair)
    | st.builds(FullIntraRequest, **pair, command_sequence=u8)
    | st.builds(ReferencePictureSelection, **pair, payload_type=st.integers(0, 127), frame_number=u16)
)


@pytest.mark.parametrize("name", GOLDEN)
def test_messages_serialise_to_the_golden_bytes(name):
    assert serialise_compound([GOLDEN[name]]).hex() == VECTORS[name].hex()


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_bytes_parse_to_the_messages(name):
    assert parse_compound(VECTORS[name]) == (GOLDEN[name],)


def test_a_type_not_read_here_is_skipped_and_told():
    assert parse_compound(VECTORS["sdes_then_pli"]) == (
        UnrecognisedRtcp(packet_type=202, format=1),
        PictureLossIndication(**SSRCS),
    )


@given(st.lists(reports | requests, min_size=1, max_size=5).map(tuple))
@settings(deadline=None)
def test_a_compound_parses_back(messages):
    assert parse_compound(serialise_compound(messages)) == messages


@given(st.lists(u16, min_size=1, max_size=50, unique=True))
@settings(deadline=None)
def test_a_nack_names_the_same_packets_when_it_comes_back(sequences):
    (nack,) = parse_compound(serialise_compound([Nack(**SSRCS, sequences=tuple(sequences))]))
    assert sorted(nack.sequences) == sorted(sequences)


@given(u16, st.lists(st.integers(1, 40), max_size=30))
@settings(deadline=None)
def test_ascending_sequences_keep_their_order_over_the_wrap_around(first, steps):
    sequences = [first]
    for step in steps:
        sequences.append((sequences[-1] + step) & 0xFFFF)
    (nack,) = parse_compound(serialise_compound([Nack(**SSRCS, sequences=tuple(sequences))]))
    assert list(nack.sequences) == sequences


@given(reports)
@settings(deadline=None)
def test_aiortc_reads_the_same_reports(message):
    (theirs,) = RtcpPacket.parse(serialise_compound([message]))
    assert theirs.ssrc == message.sender_ssrc
    assert [
        (r.ssrc, r.fraction_lost, r.packets_lost, r.highest_sequence, r.jitter, r.lsr, r.dlsr) for r in theirs.reports
    ] == [
        (
            block.media_ssrc,
            block.fraction_lost,
            block.cumulative_lost,
            block.highest_sequence,
            block.jitter,
            block.last_sender_report,
            block.delay_since_last_sender_report,
        )
        for block in message.reports
    ]


def test_aiortc_reads_the_same_nack_and_picture_loss():
    nack, loss = RtcpPacket.parse(VECTORS["nack"][:16].replace(b"\x00\x04", b"\x00\x03", 1) + VECTORS["pli"])
    assert nack.lost == [10, 11, 26]
    assert (loss.fmt, loss.ssrc, loss.media_ssrc) == (1, 1, 2)


def test_a_full_intra_request_with_two_entries_becomes_two_messages():
    data = bytes.fromhex("84ce0006 00000001 00000000 00000002 07000000 00000005 08000000".replace(" ", ""))
    assert parse_compound(data) == (
        FullIntraRequest(sender_ssrc=1, media_ssrc=2, command_sequence=7),
        FullIntraRequest(sender_ssrc=1, media_ssrc=5, command_sequence=8),
    )


def test_a_profile_extension_behind_report_blocks_is_skipped():
    data = bytes.fromhex("80c90002" + "00000001" + "deadbeef")
    assert parse_compound(data) == (ReceiverReport(sender_ssrc=1),)


def test_a_loss_count_beyond_24_bits_stays_at_the_limit():
    block = ReportBlock(
        media_ssrc=2,
        fraction_lost=0,
        cumulative_lost=1 << 30,
        highest_sequence=0,
        jitter=0,
        last_sender_report=0,
        delay_since_last_sender_report=0,
    )
    (report,) = parse_compound(serialise_compound([ReceiverReport(sender_ssrc=1, reports=(block,))]))
    assert report.reports[0].cumulative_lost == (1 << 23) - 1


@given(hostile_bytes(list(VECTORS.values())))
@settings(deadline=None, max_examples=500)
def test_any_bytes_parse_or_raise_the_remote_error(data):
    parses_or_raises_the_remote_error(parse_compound, data)


@given(
    st.sampled_from([(200, 0), (200, 2), (201, 1), (205, 1), (205, 15), (206, 1), (206, 3), (206, 4)]),
    st.binary(max_size=60),
)
@settings(deadline=None, max_examples=500)
def test_any_body_of_a_known_type_parses_or_raises_the_remote_error(kind, body):
    packet_type, count_or_format = kind
    body += bytes(-len(body) % 4)
    head = bytes((0x80 | count_or_format, packet_type)) + (len(body) // 4).to_bytes(2, "big")
    parses_or_raises_the_remote_error(parse_compound, head + body)


@pytest.mark.parametrize(
    ("hex_digits", "reason"),
    [
        ("", "0 bytes"),
        ("81ce00", "inside a header"),
        ("41ce000200000001", "version 1"),
        ("81ce000200000001", "8 bytes where 4"),
        ("a1ce000200000001000000ff", "255 bytes of RTCP padding"),
        ("a1ce000200000001000000" + "00", "0 bytes of RTCP padding"),
        ("a1ce0000", "0 bytes of RTCP padding"),
        ("81ce0000", "PLI of 0"),
        ("81cd00020000000100000002", "NACK of 8"),
        ("84ce0003000000010000000200000003", "FIR of 12"),
        ("83ce0003000000010000000208600046", "8 padding bits"),
        ("83ce000400000001000000020060004600000000", "RPSI of 16"),
        ("81c9000100000001", "with 1 blocks it takes 28"),
        ("80c8000100000001", "with 0 blocks it takes 24"),
    ],
)
def test_what_is_malformed_says_why(hex_digits, reason):
    with pytest.raises(RemoteProtocolError, match=reason):
        parse_compound(bytes.fromhex(hex_digits))


def test_a_nack_of_more_packets_than_there_are_numbers_is_refused():
    body = bytes(8) + b"\x00\x00\xff\xff" * 4000
    data = b"\x81\xcd" + (len(body) // 4).to_bytes(2, "big") + body
    with pytest.raises(RemoteProtocolError, match="65536 sequence numbers"):
        parse_compound(data)


@pytest.mark.parametrize(
    "messages",
    [
        [],
        [Nack(**SSRCS, sequences=())],
        [Nack(**SSRCS, sequences=(65536,))],
        [Nack(**SSRCS, sequences=tuple(range(0, 1 << 16, 17)) * 20)],
        [PictureLossIndication(sender_ssrc=-1, media_ssrc=2)],
        [FullIntraRequest(**SSRCS, command_sequence=256)],
        [ReferencePictureSelection(**SSRCS, payload_type=128, frame_number=1)],
        [ReferencePictureSelection(**SSRCS, payload_type=96, frame_number=65536)],
        [ReceiverReport(sender_ssrc=1, reports=GOLDEN["receiver_report"].reports * 32)],
        [UnrecognisedRtcp(packet_type=202, format=1)],
    ],
)
def test_what_cannot_be_sent_is_our_own_mistake(messages):
    with pytest.raises(LocalMisuse):
        serialise_compound(messages)
