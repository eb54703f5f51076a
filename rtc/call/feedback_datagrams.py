"""RTCP messages to datagrams, none larger than a path is sure to carry."""

from collections.abc import Iterable, Iterator

from rtc.call.config import MAX_DATAGRAM_BYTES
from rtc.call.outputs import SendDatagram
from rtc.rtp.rtcp.compound import serialise_compound
from rtc.values.feedback import RtcpMessage
from rtc.values.trace_events import PacketKind


def feedback_datagrams(messages: Iterable[RtcpMessage]) -> Iterator[SendDatagram]:
    """As few datagrams as the order of the messages allows; a message itself is never cut."""
    data = b""
    for message in messages:
        added = serialise_compound([message])
        if data and len(data) + len(added) > MAX_DATAGRAM_BYTES:
            yield SendDatagram(data=data, kind=PacketKind.FEEDBACK)
            data = b""
        data += added
    if data:
        yield SendDatagram(data=data, kind=PacketKind.FEEDBACK)
