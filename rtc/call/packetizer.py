"""An encoded frame to RTP packets, each with its frame metadata."""

from dataclasses import dataclass
from typing import Final

from rtc.call.config import MAX_DATAGRAM_BYTES
from rtc.call.payload_types import EXTENSIONS, PayloadTypeMap
from rtc.rtp import av1_payload, frame_metadata_extension, h264_payload
from rtc.rtp.frame_metadata_extension import FrameMetadataExtension
from rtc.rtp.header_extensions import ExtensionUri
from rtc.rtp.packet import RtpPacket
from rtc.values.formats import Codec
from rtc.values.frames import EncodedFrame, FrameMetadata, FrameType

RTP_HEADER_BYTES: Final = 12
EXTENSION_BYTES: Final = 20
"""Extension header, transport sequence number and the longest frame metadata, padded to words (RFC 8285)."""
RETRANSMISSION_BYTES: Final = 2
MAX_PAYLOAD_BYTES: Final = MAX_DATAGRAM_BYTES - RTP_HEADER_BYTES - EXTENSION_BYTES - RETRANSMISSION_BYTES

_METADATA_ID: Final = EXTENSIONS.id_of(ExtensionUri.FRAME_METADATA) or 0
_SEQUENCE_MASK: Final = 0xFFFF
_TIMESTAMP_MASK: Final = 0xFFFFFFFF


@dataclass(frozen=True, slots=True, kw_only=True)
class OutgoingPacket:
    """A media packet before it is given its place in the transport-wide sequence."""

    unwrapped_sequence: int
    frame_id: int
    packet: RtpPacket


class Packetizer:
    """Cuts frames into packets of one stream, numbering them on from `first_sequence`."""

    def __init__(self, ssrc: int, types: PayloadTypeMap, first_sequence: int) -> None:
        self._ssrc = ssrc
        self._types = types
        self._next_sequence = first_sequence

    @property
    def highest_sequence(self) -> int:
        """Unwrapped sequence of the newest packet."""
        return self._next_sequence - 1

    def packetize(self, frame: EncodedFrame) -> list[OutgoingPacket]:
        """The frame's packets, in order."""
        metadata = frame.metadata
        payloads = _payloads(frame)
        last = len(payloads) - 1
        packets = []
        for index, payload in enumerate(payloads):
            packets.append(
                OutgoingPacket(
                    unwrapped_sequence=self._next_sequence,
                    frame_id=metadata.frame_id,
                    packet=RtpPacket(
                        payload_type=self._types.media(metadata.codec),
                        marker=index == last,
                        sequence_number=self._next_sequence & _SEQUENCE_MASK,
                        timestamp=metadata.rtp_timestamp & _TIMESTAMP_MASK,
                        ssrc=self._ssrc,
                        extensions=((_METADATA_ID, _extension(metadata, starts=index == 0, ends=index == last)),),
                        payload=payload,
                    ),
                )
            )
            self._next_sequence += 1
        return packets


def _payloads(frame: EncodedFrame) -> tuple[bytes, ...]:
    if frame.metadata.codec is Codec.AV1:
        return av1_payload.packetize(frame.payload, MAX_PAYLOAD_BYTES, frame.metadata.frame_type is FrameType.KEY)
    return h264_payload.packetize(frame.payload, MAX_PAYLOAD_BYTES)


def _extension(metadata: FrameMetadata, *, starts: bool, ends: bool) -> bytes:
    return frame_metadata_extension.serialise(
        FrameMetadataExtension(
            frame_number=metadata.frame_id & _SEQUENCE_MASK,
            starts_frame=starts,
            ends_frame=ends,
            frame_type=metadata.frame_type,
            is_long_term_reference=metadata.is_long_term_reference,
            temporal_layer=metadata.temporal_layer,
            reference_diffs=tuple(metadata.frame_id - reference for reference in metadata.references),
        )
    )
