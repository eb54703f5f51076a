"""Media packets to datagrams, each with its place in the transport-wide sequence."""

from typing import Final

from rtc.call.config import StreamIdentity
from rtc.call.outputs import SendDatagram
from rtc.call.packetizer import OutgoingPacket
from rtc.call.payload_types import EXTENSIONS, PayloadTypeMap
from rtc.rtp import rtx
from rtc.rtp.header_extensions import Extensions, ExtensionUri
from rtc.rtp.packet import RtpPacket, serialise
from rtc.values.errors import LocalMisuse
from rtc.values.trace_events import PacketKind

_TRANSPORT_ID: Final = EXTENSIONS.id_of(ExtensionUri.TRANSPORT_SEQUENCE) or 0
_MASK: Final = 0xFFFF


class DatagramWriter:
    """Numbers every media packet sent, first time or again, and counts them for sender reports."""

    def __init__(self, identity: StreamIdentity, types: PayloadTypeMap) -> None:
        self._identity = identity
        self._types = types
        self._transport_sequence = 0
        self._retransmission_sequence = 0
        self.media_packets = 0
        self.media_octets = 0
        """Payload bytes."""

    def write(self, kind: PacketKind, outgoing: OutgoingPacket) -> SendDatagram:
        """The datagram of a packet sent for the first time or again."""
        extensions = self._extensions(outgoing.packet)
        if kind is PacketKind.RETRANSMISSION:
            packet = self._retransmission(outgoing.packet, extensions)
        else:
            packet = _with_extensions(outgoing.packet, extensions)
            self.media_packets += 1
            self.media_octets += len(packet.payload)
        return SendDatagram(
            data=serialise(packet),
            kind=kind,
            frame_id=outgoing.frame_id,
            unwrapped_sequence=outgoing.unwrapped_sequence,
        )

    def _extensions(self, packet: RtpPacket) -> Extensions:
        sequence = self._transport_sequence & _MASK
        self._transport_sequence += 1
        return ((_TRANSPORT_ID, sequence.to_bytes(2, "big")), *packet.extensions)

    def _retransmission(self, original: RtpPacket, extensions: Extensions) -> RtpPacket:
        codec = self._types.codec_of_media(original.payload_type)
        if codec is None:
            raise LocalMisuse(f"payload type {original.payload_type} has no retransmissions")
        sequence = self._retransmission_sequence & _MASK
        self._retransmission_sequence += 1
        return rtx.wrap(
            original,
            payload_type=self._types.retransmission(codec),
            ssrc=self._identity.retransmission_ssrc,
            sequence_number=sequence,
            extensions=extensions,
        )


def _with_extensions(packet: RtpPacket, extensions: Extensions) -> RtpPacket:
    return RtpPacket(
        payload_type=packet.payload_type,
        marker=packet.marker,
        sequence_number=packet.sequence_number,
        timestamp=packet.timestamp,
        ssrc=packet.ssrc,
        extensions=extensions,
        payload=packet.payload,
    )
