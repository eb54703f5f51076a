"""RTP packets to described media packets, and whole frames to what a decoder takes."""

from collections.abc import Sequence
from typing import Final

from rtc.call.config import StreamIdentity
from rtc.call.payload_types import EXTENSIONS, PayloadTypeMap
from rtc.rtp import av1_payload, frame_metadata_extension, h264_payload, rtx
from rtc.rtp.header_extensions import ExtensionUri
from rtc.rtp.packet import RtpPacket
from rtc.rtp.sequence import SequenceUnwrapper
from rtc.values.errors import RemoteProtocolError
from rtc.values.formats import Codec
from rtc.values.frames import EncodedFrame, FrameMetadata
from rtc.values.packets import AssembledFrame, MediaPacket

_METADATA_ID: Final = EXTENSIONS.id_of(ExtensionUri.FRAME_METADATA)
_TIMESTAMP_BITS: Final = 32


class Depacketizer:
    """Reads the packets of one peer's video and of its retransmissions, unwrapping every counter.

    RemoteProtocolError when a packet is of no stream agreed on or does not say what frame it is of.
    """

    def __init__(self, peer: StreamIdentity, types: PayloadTypeMap, codecs: Sequence[Codec]) -> None:
        self._media_ssrc = peer.media_ssrc
        self._retransmission_ssrc = peer.retransmission_ssrc
        self._types = types
        self._codecs = frozenset(codecs)
        self._sequences = SequenceUnwrapper()
        self._frame_numbers = SequenceUnwrapper()
        self._timestamps = SequenceUnwrapper(_TIMESTAMP_BITS)

    def read(self, packet: RtpPacket, now_us: int) -> MediaPacket:
        """The media packet that `packet` is, or carries as a retransmission."""
        original, codec = self._original(packet)
        extension = _metadata_extension(original)
        frame_id = self._frame_numbers.unwrap(extension.frame_number)
        return MediaPacket(
            unwrapped_sequence=self._sequences.unwrap(original.sequence_number),
            payload=original.payload,
            starts_frame=extension.starts_frame,
            ends_frame=extension.ends_frame,
            metadata=FrameMetadata(
                frame_id=frame_id,
                codec=codec,
                frame_type=extension.frame_type,
                references=tuple(frame_id - diff for diff in extension.reference_diffs),
                temporal_layer=extension.temporal_layer,
                is_long_term_reference=extension.is_long_term_reference,
                rtp_timestamp=self._timestamps.unwrap(original.timestamp),
            ),
            received_at_us=now_us,
            is_retransmission=original is not packet,
        )

    def _original(self, packet: RtpPacket) -> tuple[RtpPacket, Codec]:
        if packet.ssrc == self._media_ssrc:
            return packet, self._agreed(self._types.codec_of_media(packet.payload_type), packet)
        if packet.ssrc == self._retransmission_ssrc:
            codec = self._agreed(self._types.codec_of_retransmission(packet.payload_type), packet)
            return rtx.unwrap(packet, payload_type=self._types.media(codec), ssrc=self._media_ssrc), codec
        raise RemoteProtocolError(f"packet of unknown stream {packet.ssrc}")

    def _agreed(self, codec: Codec | None, packet: RtpPacket) -> Codec:
        if codec is None or codec not in self._codecs:
            raise RemoteProtocolError(f"payload type {packet.payload_type} was not agreed on")
        return codec


def encoded_frame(frame: AssembledFrame) -> EncodedFrame:
    """The frame as its encoder wrote it; RemoteProtocolError when its payloads do not follow their format."""
    if frame.metadata.codec is Codec.AV1:
        payload = av1_payload.depacketize(frame.payloads)
    else:
        payload = h264_payload.depacketize(frame.payloads)
    return EncodedFrame(metadata=frame.metadata, payload=payload)


def _metadata_extension(packet: RtpPacket) -> frame_metadata_extension.FrameMetadataExtension:
    data = packet.extension(_METADATA_ID)
    if data is None:
        raise RemoteProtocolError("media packet without frame metadata")
    return frame_metadata_extension.parse(data)
