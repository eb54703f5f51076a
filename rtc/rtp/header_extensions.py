"""RTP header extensions (RFC 8285): elements to bytes and back, and which URI got which id.

One-byte form (profile 0xBEDE) holds ids 1..14 and 1..16 bytes; two-byte form (0x1000) ids 1..255 and 0..255 bytes:

     0 1 2 3 4 5 6 7                0                   1
    +-+-+-+-+-+-+-+-+               0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5
    |  ID   |  len-1 | data...     |      ID       |      len      | data...
    +-+-+-+-+-+-+-+-+
"""

import enum
from collections.abc import Mapping

from rtc.values.errors import LocalMisuse, RemoteProtocolError

ONE_BYTE_PROFILE = 0xBEDE
TWO_BYTE_PROFILE = 0x1000
_TWO_BYTE_MASK = 0xFFF0
"""The low 4 bits of the two-byte profile are for the application and mean nothing to us (section 4.3)."""

_ONE_BYTE_MAX_ID = 14
_ONE_BYTE_MAX_SIZE = 16
_STOP_ID = 15
_MAX_ID = 255
_MAX_SIZE = 255

Extensions = tuple[tuple[int, bytes], ...]
"""Elements in wire order: (id, data)."""


class ExtensionUri(enum.Enum):
    """The header extensions this project knows, by the URI that SDP negotiates."""

    TRANSPORT_SEQUENCE = "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"
    MEDIA_ID = "urn:ietf:params:rtp-hdrext:sdes:mid"
    DEPENDENCY_DESCRIPTOR = "https://aomediacodec.github.io/av1-rtp-spec/#dependency-descriptor-rtp-header-extension"
    ABSOLUTE_CAPTURE_TIME = "http://www.webrtc.org/experiments/rtp-hdrext/abs-capture-time"
    PLAYOUT_DELAY = "http://www.webrtc.org/experiments/rtp-hdrext/playout-delay"
    FRAME_ACKNOWLEDGEMENT = "urn:ietf:params:rtp-hdrext:frame-acknowledgement"
    """draft-ietf-avtcore-frame-acknowledgement-00; named here, not yet spoken."""
    FRAME_METADATA = "urn:x-rtc-codec-control:frame-metadata"
    """Ours: `rtc.rtp.frame_metadata_extension`."""
    FRAME_ACK = "urn:x-rtc-codec-control:frame-ack"
    """Ours: `rtc.rtp.frame_ack_extension`."""


class ExtensionMap:
    """The ids that one negotiation gave to the URIs; never changes."""

    __slots__ = ("_id_of", "_uri_of")

    def __init__(self, ids: Mapping[ExtensionUri, int]) -> None:
        self._id_of = dict(ids)
        self._uri_of = {extension_id: uri for uri, extension_id in ids.items()}
        if len(self._uri_of) != len(self._id_of):
            raise LocalMisuse(f"header extension ids {sorted(ids.values())}: each URI needs an id of its own")
        for uri, extension_id in ids.items():
            if not 1 <= extension_id <= _MAX_ID or extension_id == _STOP_ID:
                raise LocalMisuse(f"header extension id {extension_id} of {uri.value}: must be 1..14 or 16..255")

    def id_of(self, uri: ExtensionUri) -> int | None:
        """The id of a URI, or None when it was not negotiated."""
        return self._id_of.get(uri)

    def uri_of(self, extension_id: int) -> ExtensionUri | None:
        """The URI of an id, or None when the id stands for nothing we know."""
        return self._uri_of.get(extension_id)


def serialise_extensions(extensions: Extensions) -> tuple[int, bytes]:
    """Profile and data, padded to 32 bits; two-byte form exactly when an element does not fit the one-byte form."""
    parts = []
    for extension_id, data in extensions:
        size = len(data)
        if not (1 <= extension_id <= _ONE_BYTE_MAX_ID and 1 <= size <= _ONE_BYTE_MAX_SIZE):
            return TWO_BYTE_PROFILE, _serialise_two_byte(extensions)
        parts.append(bytes((extension_id << 4 | size - 1,)))
        parts.append(data)
    return ONE_BYTE_PROFILE, _padded(b"".join(parts))


def parse_extensions(profile: int, data: bytes) -> Extensions:
    """The elements of a header extension; none when the profile is neither RFC 8285 form.

    Raises RemoteProtocolError when an element runs past the end.
    """
    if profile == ONE_BYTE_PROFILE:
        return _parse_one_byte(data)
    if profile & _TWO_BYTE_MASK == TWO_BYTE_PROFILE:
        return _parse_two_byte(data)
    return ()


def _serialise_two_byte(extensions: Extensions) -> bytes:
    parts = []
    for extension_id, data in extensions:
        if not 1 <= extension_id <= _MAX_ID or len(data) > _MAX_SIZE:
            raise LocalMisuse(
                f"header extension {extension_id} of {len(data)} bytes: ids are 1..{_MAX_ID}, sizes 0..{_MAX_SIZE}"
            )
        parts.append(bytes((extension_id, len(data))))
        parts.append(data)
    return _padded(b"".join(parts))


def _padded(data: bytes) -> bytes:
    excess = len(data) & 3
    return data + bytes(4 - excess) if excess else data


def _parse_one_byte(data: bytes) -> Extensions:
    elements = []
    position, end = 0, len(data)
    while position < end:
        head = data[position]
        position += 1
        if head == 0:
            continue
        extension_id = head >> 4
        # Section 4.2: id 15, and id 0 with a length, end the whole extension; what came before counts.
        if extension_id in (0, _STOP_ID):
            break
        after = position + (head & 0x0F) + 1
        if after > end:
            raise _truncated(extension_id, after - position, end - position)
        elements.append((extension_id, data[position:after]))
        position = after
    return tuple(elements)


def _parse_two_byte(data: bytes) -> Extensions:
    elements = []
    position, end = 0, len(data)
    while position < end:
        extension_id = data[position]
        position += 1
        if extension_id == 0:
            continue
        if position == end:
            raise _truncated(extension_id, 1, 0)
        after = position + 1 + data[position]
        position += 1
        if after > end:
            raise _truncated(extension_id, after - position, end - position)
        elements.append((extension_id, data[position:after]))
        position = after
    return tuple(elements)


def _truncated(extension_id: int, wanted: int, left: int) -> RemoteProtocolError:
    return RemoteProtocolError(f"header extension {extension_id} wants {wanted} bytes where {left} are left")
