"""From an encoded frame to datagrams and back: packetizer, datagram writer, depacketizer."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rtc.call.config import MAX_DATAGRAM_BYTES, StreamIdentity
from rtc.call.datagram_writer import DatagramWriter
from rtc.call.depacketizer import Depacketizer, encoded_frame
from rtc.call.feedback_datagrams import feedback_datagrams
from rtc.call.packetizer import Packetizer
from rtc.call.payload_types import PayloadTypeMap, PayloadTypes
from rtc.rtp.packet import parse
from rtc.values.errors import RemoteProtocolError
from rtc.values.feedback import Nack, PictureLossIndication
from rtc.values.formats import Codec
from rtc.values.frames import EncodedFrame, FrameMetadata, FrameType
from rtc.values.packets import AssembledFrame
from rtc.values.trace_events import PacketKind
from tests.support.fake_codec import encoded_bytes

TYPES = PayloadTypeMap(PayloadTypes())


def frame_of(frame_id, codec=Codec.AV1, *, size=5_000, references=(), rtp_timestamp=None, **described):
    metadata = FrameMetadata(
        frame_id=frame_id,
        codec=codec,
        frame_type=FrameType.DELTA if references else FrameType.KEY,
        references=references,
        rtp_timestamp=frame_id * 3_000 if rtp_timestamp is None else rtp_timestamp,
        **described,
    )
    return EncodedFrame(
        metadata=metadata, payload=encoded_bytes(codec, is_key=not references, size=size, seed=frame_id)
    )


class Stream:
    """A sender's and a receiver's ends of one stream."""

    def __init__(self, first_sequence=0):
        identity = StreamIdentity(media_ssrc=1, retransmission_ssrc=2, first_sequence=first_sequence)
        self.packetizer = Packetizer(1, TYPES, first_sequence)
        self.writer = DatagramWriter(identity, TYPES)
        self.depacketizer = Depacketizer(identity, TYPES, tuple(Codec))

    def through(self, frame, kind=PacketKind.MEDIA):
        outgoing = self.packetizer.packetize(frame)
        datagrams = [self.writer.write(kind, packet) for packet in outgoing]
        assert all(len(datagram.data) <= MAX_DATAGRAM_BYTES for datagram in datagrams)
        media = [self.depacketizer.read(parse(datagram.data), 5) for datagram in datagrams]
        assert [packet.unwrapped_sequence for packet in media] == [packet.unwrapped_sequence for packet in outgoing]
        return media


def reassembled(media):
    return encoded_frame(
        AssembledFrame(
            metadata=media[0].metadata,
            payloads=tuple(packet.payload for packet in media),
            first_sequence=media[0].unwrapped_sequence,
            last_sequence=media[-1].unwrapped_sequence,
            first_packet_at_us=5,
            assembled_at_us=5,
        )
    )


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(Codec),
    st.integers(1, 9_000),
    st.integers(0, 32_767),
    st.integers(0, 3),
    st.booleans(),
    st.sampled_from([PacketKind.MEDIA, PacketKind.RETRANSMISSION]),
)
def test_a_frame_comes_back_as_it_was(codec, size, first_sequence, layer, is_ltr, kind):  # noqa: PLR0917 - hypothesis fills them in
    stream = Stream(first_sequence)
    for frame_id, references in ((0, ()), (1, (0,)), (2, (1, 0))):
        frame = frame_of(
            frame_id,
            codec,
            size=size,
            references=references,
            temporal_layer=layer,
            is_long_term_reference=is_ltr,
        )
        media = stream.through(frame, kind)
        assert reassembled(media) == frame
        assert all(packet.metadata == frame.metadata for packet in media)
        assert [packet.starts_frame for packet in media] == [True] + [False] * (len(media) - 1)
        assert [packet.ends_frame for packet in media] == [False] * (len(media) - 1) + [True]
        assert all(packet.is_retransmission is (kind is PacketKind.RETRANSMISSION) for packet in media)


@pytest.mark.parametrize("codec", list(Codec))
def test_sequence_and_frame_numbers_and_timestamps_wrap_around(codec):
    stream = Stream(32_767)
    stream.packetizer = Packetizer(1, TYPES, 65_530)
    wrap = 65_536
    # The receiver follows from the start of the call, as half a range is the furthest it can tell.
    for frame_id in (30_000, 60_000, wrap - 2):
        stream.depacketizer.read(
            parse(
                stream.writer.write(
                    PacketKind.MEDIA,
                    stream.packetizer.packetize(frame_of(frame_id, rtp_timestamp=frame_id * 65_000))[0],
                ).data
            ),
            0,
        )
    for frame_id in range(wrap - 1, wrap + 4):
        references = () if frame_id == wrap - 1 else (frame_id - 1,)
        frame = frame_of(frame_id, codec, references=references, rtp_timestamp=frame_id * 65_600)
        media = stream.through(frame)
        assert reassembled(media) == frame
    assert stream.packetizer.highest_sequence > wrap
    assert frame.metadata.rtp_timestamp > 1 << 32


def test_each_datagram_has_the_next_place_in_the_transport_wide_sequence_and_retransmissions_their_own_numbers():
    stream = Stream(7)
    first, second = stream.packetizer.packetize(frame_of(0, size=1_500))
    kinds = (PacketKind.MEDIA, PacketKind.MEDIA, PacketKind.RETRANSMISSION, PacketKind.RETRANSMISSION)
    datagrams = [
        stream.writer.write(kind, packet) for kind, packet in zip(kinds, (first, second, first, second), strict=True)
    ]
    packets = [parse(datagram.data) for datagram in datagrams]
    assert [packet.extensions[0][1] for packet in packets] == [bytes([0, place]) for place in range(4)]
    assert [packet.sequence_number for packet in packets] == [7, 8, 0, 1]
    assert [packet.ssrc for packet in packets] == [1, 1, 2, 2]
    assert [packet.payload_type for packet in packets] == [96, 96, 97, 97]
    assert [datagram.unwrapped_sequence for datagram in datagrams] == [7, 8, 7, 8]
    assert stream.writer.media_packets == 2
    assert stream.writer.media_octets == sum(len(packet.payload) for packet in packets[:2])


def test_retransmissions_read_as_their_originals():
    stream = Stream(7)
    for packet in stream.packetizer.packetize(frame_of(0)):
        original = stream.depacketizer.read(parse(stream.writer.write(PacketKind.MEDIA, packet).data), 5)
        again = stream.depacketizer.read(parse(stream.writer.write(PacketKind.RETRANSMISSION, packet).data), 5)
        assert again.is_retransmission
        assert not original.is_retransmission
        assert (again.unwrapped_sequence, again.payload, again.metadata) == (
            original.unwrapped_sequence,
            original.payload,
            original.metadata,
        )


def test_a_codec_that_was_not_agreed_on_is_refused():
    stream = Stream()
    depacketizer = Depacketizer(StreamIdentity(media_ssrc=1, retransmission_ssrc=2), TYPES, (Codec.AV1,))
    (packet,) = stream.packetizer.packetize(frame_of(0, Codec.H264, size=100))
    for kind in (PacketKind.MEDIA, PacketKind.RETRANSMISSION):
        with pytest.raises(RemoteProtocolError, match="was not agreed on"):
            depacketizer.read(parse(stream.writer.write(kind, packet).data), 0)


def test_the_payload_types_of_media_and_retransmissions_are_all_different():
    numbers = [TYPES.media(codec) for codec in Codec] + [TYPES.retransmission(codec) for codec in Codec]
    assert len(set(numbers)) == len(numbers)
    for codec in Codec:
        assert TYPES.codec_of_media(TYPES.media(codec)) is codec
        assert TYPES.codec_of_retransmission(TYPES.retransmission(codec)) is codec
        assert TYPES.codec_of_media(TYPES.retransmission(codec)) is None
        assert TYPES.codec_of_retransmission(TYPES.media(codec)) is None


def test_messages_share_a_datagram_until_it_is_full():
    request = PictureLossIndication(sender_ssrc=1, media_ssrc=2)
    scattered = Nack(sender_ssrc=1, media_ssrc=2, sequences=tuple(range(0, 256 * 17, 17)))
    assert [len(datagram.data) for datagram in feedback_datagrams([request, request])] == [24]
    sizes = [len(datagram.data) for datagram in feedback_datagrams([scattered, request, scattered, request, scattered])]
    assert sizes == [12 + 256 * 4 + 12] * 2 + [12 + 256 * 4]
    assert list(feedback_datagrams([])) == []
