"""Compound RTCP packets to values and back (RFC 3550 section 6.1; RFC 5506 allows any message to go alone)."""

import struct
from collections.abc import Callable, Iterable

from rtc.rtp.rtcp.framing import (
    FMT_FULL_INTRA,
    FMT_NACK,
    FMT_PICTURE_LOSS,
    FMT_REFERENCE_PICTURE,
    FMT_TRANSPORT_WIDE,
    PAYLOAD_FEEDBACK,
    RECEIVER_REPORT,
    SENDER_REPORT,
    TRANSPORT_FEEDBACK,
    split_packets,
)
from rtc.rtp.rtcp.nack import parse_nack, serialise_nack
from rtc.rtp.rtcp.picture_requests import (
    parse_full_intra,
    parse_picture_loss,
    parse_reference_picture,
    serialise_full_intra,
    serialise_picture_loss,
    serialise_reference_picture,
)
from rtc.rtp.rtcp.reports import (
    parse_receiver_report,
    parse_sender_report,
    serialise_receiver_report,
    serialise_sender_report,
)
from rtc.rtp.rtcp.transport_feedback import parse_transport_feedback, serialise_transport_feedback
from rtc.values.errors import LocalMisuse
from rtc.values.feedback import (
    FullIntraRequest,
    Nack,
    PictureLossIndication,
    ReceiverReport,
    ReferencePictureSelection,
    RtcpMessage,
    SenderReport,
    TransportFeedback,
    UnrecognisedRtcp,
)


def parse_compound(data: bytes) -> tuple[RtcpMessage, ...]:
    """The messages of one RTCP datagram, in order.

    A packet of a type not read here becomes an `UnrecognisedRtcp`, so that the caller can count it. Raises
    RemoteProtocolError when any packet is malformed; then the whole datagram is to be dropped.
    """
    messages: list[RtcpMessage] = []
    for packet_type, count_or_format, body in split_packets(data):
        messages += _parse_packet(packet_type, count_or_format, body)
    return tuple(messages)


def serialise_compound(messages: Iterable[RtcpMessage]) -> bytes:
    """One datagram of messages, in order. Raises LocalMisuse when there are none or a field does not fit."""
    try:
        data = b"".join([_serialise_message(message) for message in messages])
    except struct.error as error:
        raise LocalMisuse(f"RTCP message: a field does not fit its bits: {error}") from None
    if not data:
        raise LocalMisuse("RTCP datagram of no messages: give one at least")
    return data


_FEEDBACK_PARSERS: dict[tuple[int, int], Callable[[bytes], RtcpMessage]] = {
    (TRANSPORT_FEEDBACK, FMT_NACK): parse_nack,
    (TRANSPORT_FEEDBACK, FMT_TRANSPORT_WIDE): parse_transport_feedback,
    (PAYLOAD_FEEDBACK, FMT_PICTURE_LOSS): parse_picture_loss,
    (PAYLOAD_FEEDBACK, FMT_REFERENCE_PICTURE): parse_reference_picture,
}


def _parse_packet(packet_type: int, count_or_format: int, body: bytes) -> tuple[RtcpMessage, ...]:
    parser = _FEEDBACK_PARSERS.get((packet_type, count_or_format))
    if parser is not None:
        return (parser(body),)
    if (packet_type, count_or_format) == (PAYLOAD_FEEDBACK, FMT_FULL_INTRA):
        return parse_full_intra(body)
    if packet_type == SENDER_REPORT:
        return (parse_sender_report(body, count_or_format),)
    if packet_type == RECEIVER_REPORT:
        return (parse_receiver_report(body, count_or_format),)
    return (UnrecognisedRtcp(packet_type=packet_type, format=count_or_format),)


def _serialise_message(message: RtcpMessage) -> bytes:  # noqa: PLR0911 - a table, one line a message
    match message:
        case TransportFeedback():
            return serialise_transport_feedback(message)
        case Nack():
            return serialise_nack(message)
        case ReceiverReport():
            return serialise_receiver_report(message)
        case SenderReport():
            return serialise_sender_report(message)
        case PictureLossIndication():
            return serialise_picture_loss(message)
        case FullIntraRequest():
            return serialise_full_intra(message)
        case ReferencePictureSelection():
            return serialise_reference_picture(message)
        case UnrecognisedRtcp():
            raise LocalMisuse(
                f"RTCP type {message.packet_type} format {message.format} was only received: no bytes kept"
            )
