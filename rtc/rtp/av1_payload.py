"""AV1 temporal units to RTP payloads and back (RTP Payload Format For AV1 v1.0.0, sections 4 and 5).

+-+-+-+-+-+-+-+-+
|Z|Y| W |N|-|-|-|  [size] OBU element  [size] OBU element ...
+-+-+-+-+-+-+-+-+

Z  the first element continues an OBU of the packet before
Y  the last element continues in the next packet
W  number of elements, the last without a size; 0: any number, each with a size
N  first packet of a coded video sequence; Chromium decodes nothing until it sees one
"""

from collections.abc import Iterator, Sequence

from rtc.rtp.leb128 import leb128, leb128_size, read_leb128
from rtc.rtp.obu import TEMPORAL_DELIMITER, layer_of, split_temporal_unit, with_size_field
from rtc.values.errors import LocalMisuse, RemoteProtocolError

MIN_PAYLOAD = 3
"""Aggregation header, and an element of one byte with a size."""

_CONTINUES = 0x80
_CONTINUED = 0x40
_COUNT_SHIFT = 4
_COUNT_MASK = 3
_NEW_SEQUENCE = 0x08
_MAX_COUNTED = 3
"""Most elements that W can count."""
_MIN_FRAGMENT = 16
"""An OBU is not begun with fewer bytes than this at the end of a packet."""


def packetize(temporal_unit: bytes, max_payload: int, new_sequence: bool) -> tuple[bytes, ...]:  # noqa: FBT001 - the N bit
    """RTP payloads of at most `max_payload` bytes, near equal in size, for one temporal unit of OBUs with size fields.

    `new_sequence` is True for a key frame and marks its first packet. The RTP marker belongs on the last packet. Raises
    LocalMisuse when the temporal unit is malformed or holds nothing to send.
    """
    if max_payload < MIN_PAYLOAD:
        raise LocalMisuse(f"payloads of {max_payload} bytes: at least {MIN_PAYLOAD} are needed")
    obus = split_temporal_unit(temporal_unit)
    if not obus:
        raise LocalMisuse(f"temporal unit of {len(temporal_unit)} bytes holds no OBU to send")
    payloads = []
    flags = _NEW_SEQUENCE if new_sequence else 0
    for elements, continued in _fill_packets(obus, _balanced_size(obus, max_payload)):
        payloads.append(_join_elements(flags | _CONTINUED if continued else flags, elements))
        flags = _CONTINUES if continued else 0
    return tuple(payloads)


def depacketize(payloads: Sequence[bytes]) -> bytes:
    """The temporal unit that payloads, complete and in order, carry: a temporal delimiter, then OBUs with size fields.

    Raises RemoteProtocolError when a payload is malformed or a fragment is missing.
    """
    obus = [with_size_field(obu) for obu in _join_fragments(payloads)]
    if not any(obus):
        raise RemoteProtocolError(f"{len(payloads)} AV1 payloads of a temporal unit hold no OBU")
    return TEMPORAL_DELIMITER + b"".join(obus)


def starts_coded_video_sequence(payload: bytes) -> bool:
    """Whether a payload is the first of a key frame, by its N bit."""
    return len(payload) > 0 and payload[0] & _NEW_SEQUENCE != 0


def _balanced_size(obus: list[bytes], max_payload: int) -> int:
    """The payload size that spreads the OBUs evenly over the fewest packets."""
    total = sum(len(obu) + leb128_size(len(obu)) for obu in obus)
    if len(obus) <= _MAX_COUNTED:
        total -= leb128_size(len(obus[-1]))
    packets = -(-total // (max_payload - 1))
    return 1 + -(-total // packets)


def _fill_packets(obus: list[bytes], payload_size: int) -> Iterator[tuple[list[bytes], bool]]:
    """Elements of each packet, and whether the last of them continues in the next packet."""
    elements: list[bytes] = []
    room = payload_size - 1  # when every element so far has its size in front
    layer: int | None = None
    for obu in obus:
        obu_layer = layer_of(obu)
        # Section 5: OBUs of different layers never share a packet.
        layers_differ = obu_layer is not None and layer is not None and obu_layer != layer
        start, left = 0, len(obu)
        while left:
            fits = room if len(elements) < _MAX_COUNTED else room - leb128_size(max(room, 0))
            if elements and (layers_differ or fits < min(left, _MIN_FRAGMENT)):
                yield elements, False
                elements, room, layer, layers_differ = [], payload_size - 1, None, False
                continue
            element = obu[start : start + fits] if start or fits < left else obu
            elements.append(element)
            start += len(element)
            left -= len(element)
            room -= len(element) + leb128_size(len(element))
            layer = layer if obu_layer is None else obu_layer
            if left:
                yield elements, True
                elements, room = [], payload_size - 1
    yield elements, False


def _join_elements(flags: int, elements: list[bytes]) -> bytes:
    count = len(elements)
    if count == 1:
        return bytes((flags | 1 << _COUNT_SHIFT,)) + elements[0]
    stated = count if count <= _MAX_COUNTED else 0
    parts = [bytes((flags | stated << _COUNT_SHIFT,))]
    for element in elements:
        parts.append(leb128(len(element)))
        parts.append(element)
    if stated:
        del parts[-2]  # the last element has no size
    return b"".join(parts)


def _join_fragments(payloads: Sequence[bytes]) -> Iterator[bytes]:
    """Whole OBUs, as they were before fragmentation."""
    fragments: list[bytes] = []
    continued = False
    for payload in payloads:
        elements = _split_elements(payload)
        if payload[0] & _CONTINUES != (_CONTINUES if continued else 0):
            raise RemoteProtocolError("AV1 payload does not go on where the one before ended: a fragment is missing")
        continued = payload[0] & _CONTINUED != 0
        if payload[0] & _CONTINUES:
            fragments.append(elements.pop(0))
            if continued and not elements:
                continue  # the middle of a large OBU
            yield b"".join(fragments)
            fragments = []
        if continued:
            fragments = [elements.pop()]
        yield from elements
    if continued:
        raise RemoteProtocolError("last AV1 payload of the temporal unit promises another fragment")


def _split_elements(payload: bytes) -> list[bytes]:
    """At least one element. Raises RemoteProtocolError when sizes and count do not fit the payload."""
    if len(payload) <= 1:
        raise RemoteProtocolError(f"AV1 payload of {len(payload)} bytes: needs an aggregation header and an element")
    count = payload[0] >> _COUNT_SHIFT & _COUNT_MASK
    if count == 1:
        return [payload[1:]]
    elements: list[bytes] = []
    position, end = 1, len(payload)
    while position < end and (not count or len(elements) < count - 1):
        size, position = read_leb128(payload, position)
        elements.append(payload[position : position + size])
        position += size
    if count and position < end:
        elements.append(payload[position:])
        position = end
    if position != end or (count and len(elements) != count):
        raise RemoteProtocolError(f"AV1 payload of {end} bytes: its elements do not fill it as its header says")
    return elements
