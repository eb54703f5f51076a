"""RTP packets (RFC 3550 section 5.1) to bytes and back.

 0                   1                   2                   3
 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
|V=2|P|X|  CC   |M|     PT      |       sequence number         |
+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
|                           timestamp                           |
+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
|                             SSRC                              |
+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+
|  CSRCs (CC words)  |  profile, length, extensions (if X)  | payload, padding (if P)
+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
"""

import struct
from dataclasses import dataclass

from rtc.rtp.header_extensions import Extensions, parse_extensions, serialise_extensions
from rtc.values.errors import LocalMisuse, RemoteProtocolError

_HEADER = struct.Struct("!BBHII")
_EXTENSION_HEADER = struct.Struct("!HH")
_VERSION_2 = 0x80
_VERSION_MASK = 0xC0
_PADDING_FLAG = 0x20
_EXTENSION_FLAG = 0x10
_MARKER_FLAG = 0x80
_CSRC_COUNT_MASK = 0x0F
_PAYLOAD_TYPE_MASK = 0x7F
_MAX_CSRCS = 15
_MAX_PADDING = 255
_MAX_EXTENSION_WORDS = 0xFFFF

_RTCP_TYPES = range(192, 224)
"""Second byte of an RTCP packet: RTP payload types 64..95 are given up for it (RFC 5761 section 4)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RtpPacket:
    """One RTP packet; counters as wide as on the wire."""

    payload_type: int
    """0..127."""
    marker: bool
    """On the last packet of a frame, for every video payload format used here."""
    sequence_number: int
    """16 bits."""
    timestamp: int
    """32 bits, 90 kHz for video."""
    ssrc: int
    """32 bits."""
    extensions: Extensions = ()
    payload: bytes
    padding: int = 0
    """Bytes of padding behind the payload, 0..255; the last of them says how many."""
    contributing_sources: tuple[int, ...] = ()
    """CSRCs, at most 15."""

    def extension(self, extension_id: int | None) -> bytes | None:
        """The data of a header extension, or None when the packet has none of that id."""
        for candidate, data in self.extensions:
            if candidate == extension_id:
                return data
        return None


def serialise(packet: RtpPacket) -> bytes:
    """The packet's bytes. Raises LocalMisuse when a field does not fit."""
    flags = _VERSION_2
    tail = b""
    if packet.contributing_sources:
        flags |= len(packet.contributing_sources)
        tail = _serialise_csrcs(packet.contributing_sources)
    if packet.extensions:
        flags |= _EXTENSION_FLAG
        profile, data = serialise_extensions(packet.extensions)
        if len(data) >> 2 > _MAX_EXTENSION_WORDS:
            raise LocalMisuse(f"header extensions of {len(data)} bytes: at most {4 * _MAX_EXTENSION_WORDS} fit")
        tail += _EXTENSION_HEADER.pack(profile, len(data) >> 2) + data
    if packet.payload_type > _PAYLOAD_TYPE_MASK:
        raise LocalMisuse(f"payload type {packet.payload_type}: must be 0..127")
    try:
        head = _HEADER.pack(
            flags | _PADDING_FLAG if packet.padding else flags,
            packet.payload_type | _MARKER_FLAG if packet.marker else packet.payload_type,
            packet.sequence_number,
            packet.timestamp,
            packet.ssrc,
        )
    except struct.error as error:
        raise LocalMisuse(f"{packet.payload_type=} {packet.sequence_number=}: a field does not fit: {error}") from None
    if packet.padding:
        return head + tail + packet.payload + _serialise_padding(packet.padding)
    return head + tail + packet.payload


def parse(data: bytes) -> RtpPacket:
    """The packet that bytes stand for. Raises RemoteProtocolError when they are no RTP packet."""
    size = len(data)
    if size < _HEADER.size:
        raise RemoteProtocolError(f"RTP packet of {size} bytes: the header alone is {_HEADER.size}")
    flags, marker_and_type, sequence_number, timestamp, ssrc = _HEADER.unpack_from(data)
    if flags & _VERSION_MASK != _VERSION_2:
        raise RemoteProtocolError(f"RTP version {flags >> 6}: must be 2")
    position = _HEADER.size
    sources: tuple[int, ...] = ()
    if flags & _CSRC_COUNT_MASK:
        sources, position = _parse_csrcs(data, flags & _CSRC_COUNT_MASK)
    extensions: Extensions = ()
    if flags & _EXTENSION_FLAG:
        extensions, position = _parse_extension_block(data, position)
    padding = _parse_padding(data, position) if flags & _PADDING_FLAG else 0
    return RtpPacket(
        payload_type=marker_and_type & _PAYLOAD_TYPE_MASK,
        marker=marker_and_type >= _MARKER_FLAG,
        sequence_number=sequence_number,
        timestamp=timestamp,
        ssrc=ssrc,
        extensions=extensions,
        payload=data[position : size - padding],
        padding=padding,
        contributing_sources=sources,
    )


def is_rtcp(data: bytes) -> bool:
    """Whether a datagram of an RTP session is RTCP rather than RTP (RFC 5761 section 4)."""
    return len(data) > 1 and data[1] in _RTCP_TYPES


def _serialise_csrcs(sources: tuple[int, ...]) -> bytes:
    if len(sources) > _MAX_CSRCS:
        raise LocalMisuse(f"{len(sources)} contributing sources: at most {_MAX_CSRCS} fit")
    try:
        return struct.pack(f"!{len(sources)}I", *sources)
    except struct.error:
        raise LocalMisuse(f"contributing sources {sources}: each must be 0..2^32-1") from None


def _serialise_padding(padding: int) -> bytes:
    if not 0 < padding <= _MAX_PADDING:
        raise LocalMisuse(f"{padding} bytes of padding: must be 0..{_MAX_PADDING}")
    return bytes(padding - 1) + bytes((padding,))


def _parse_csrcs(data: bytes, count: int) -> tuple[tuple[int, ...], int]:
    """Contributing sources and where they end."""
    end = _HEADER.size + 4 * count
    if end > len(data):
        raise RemoteProtocolError(f"RTP packet of {len(data)} bytes ends inside its {count} contributing sources")
    return struct.unpack_from(f"!{count}I", data, _HEADER.size), end


def _parse_extension_block(data: bytes, position: int) -> tuple[Extensions, int]:
    """Header extensions and where they end."""
    start = position + _EXTENSION_HEADER.size
    if start > len(data):
        raise RemoteProtocolError(f"RTP packet of {len(data)} bytes ends before its header extension")
    profile, words = _EXTENSION_HEADER.unpack_from(data, position)
    end = start + 4 * words
    if end > len(data):
        raise RemoteProtocolError(f"header extension of {4 * words} bytes where {len(data) - start} are left")
    return parse_extensions(profile, data[start:end]), end


def _parse_padding(data: bytes, position: int) -> int:
    padding = data[-1]
    if not 0 < padding <= len(data) - position:
        raise RemoteProtocolError(
            f"{padding} bytes of RTP padding where {len(data) - position} bytes follow the header"
        )
    return padding
