"""H.264 access units to RTP payloads and back (RFC 6184, packetization-mode 1: single NAL unit, STAP-A, FU-A).

NAL header          STAP-A (section 5.7.1)                       FU-A (section 5.8)
+-+-+-+-+-+-+-+-+   +--------+----------+-----+----------+---   +--------------+-+-+-+-+-+-+-+-+------
|F|NRI|  type   |   | F NRI  | 16-bit   | NAL | 16-bit   |      | F NRI        |S|E|R|  type   | part
+-+-+-+-+-+-+-+-+   | type 24| size     |     | size     |      | type 28      |1st|last|      | of NAL
                    +--------+----------+-----+----------+---   +--------------+-+-+-+-+-+-+-+-+------
"""

from collections.abc import Iterator, Sequence

from rtc.values.errors import LocalMisuse, RemoteProtocolError

MIN_PAYLOAD = 3
"""An FU-A with one byte of its NAL unit."""
MAX_PAYLOAD = 0xFFFF
"""What an IP packet can hold, and the size field of a STAP-A can say."""

_START_CODE = b"\x00\x00\x01"
_LONG_START_CODE = b"\x00\x00\x00\x01"
_TYPE_MASK = 0x1F
_FORBIDDEN = 0x80
_IMPORTANCE = 0x60
_SINGLE_TYPES = range(1, 24)
_STAP_A = 24
_FU_A = 28
_FU_START = 0x80
_FU_END = 0x40
_FU_HEADERS = 2
_STAP_SIZE = 2


def packetize(access_unit: bytes, max_payload: int) -> tuple[bytes, ...]:
    """RTP payloads of at most `max_payload` bytes for one Annex B access unit (start codes of 3 or 4 bytes).

    NAL units that fit together share a STAP-A; one that fits in no packet becomes FU-As of near equal size. The RTP
    marker belongs on the last packet. Raises LocalMisuse when the access unit is malformed or empty.
    """
    if not MIN_PAYLOAD <= max_payload <= MAX_PAYLOAD:
        raise LocalMisuse(f"payloads of {max_payload} bytes: must be {MIN_PAYLOAD}..{MAX_PAYLOAD}")
    payloads: list[bytes] = []
    waiting: list[bytes] = []
    room = max_payload - 1
    for nal in split_annex_b(access_unit):
        if waiting and len(nal) + _STAP_SIZE > room:
            payloads.append(_aggregate(waiting))
            waiting, room = [], max_payload - 1
        if len(nal) > max_payload:
            payloads.extend(_fragment(nal, max_payload))
        else:
            waiting.append(nal)
            room -= len(nal) + _STAP_SIZE
    if waiting:
        payloads.append(_aggregate(waiting))
    return tuple(payloads)


def depacketize(payloads: Sequence[bytes]) -> bytes:
    """The Annex B access unit (start codes of 4 bytes) that payloads, complete and in order, carry.

    Raises RemoteProtocolError when a payload is malformed or a fragment is missing.
    """
    parts: list[bytes] = []
    fragmented: int | None = None
    """Header of the NAL unit whose fragments are coming in."""
    for payload in payloads:
        kind = payload[0] & _TYPE_MASK if payload else 0
        if kind == _FU_A:
            fragmented = _take_fragment(parts, fragmented, payload)
            continue
        if fragmented is not None:
            raise RemoteProtocolError(f"H.264 payload of type {kind} where a fragmented NAL unit must go on")
        if kind in _SINGLE_TYPES:
            parts += (_LONG_START_CODE, payload)
        elif kind == _STAP_A:
            _take_aggregate(parts, payload)
        else:
            raise RemoteProtocolError(f"H.264 payload of type {kind}: packetization-mode 1 has 1..23, 24 and 28")
    if fragmented is not None or not parts:
        raise RemoteProtocolError(f"{len(payloads)} H.264 payloads end inside a NAL unit, or hold none")
    return b"".join(parts)


def split_annex_b(access_unit: bytes) -> list[bytes]:
    """The NAL units of an Annex B byte stream (H.264 annex B). Raises LocalMisuse when it is not one."""
    start = access_unit.find(_START_CODE)
    if start < 0 or access_unit[:start].strip(b"\x00"):
        raise LocalMisuse(f"access unit of {len(access_unit)} bytes does not begin with a start code")
    nals = []
    while start >= 0:
        following = access_unit.find(_START_CODE, start + 3)
        nal = access_unit[start + 3 : following if following >= 0 else len(access_unit)]
        # A NAL unit never ends in 0; zeros there belong to the next start code or pad the stream.
        if nal.endswith(b"\x00"):
            nal = nal.rstrip(b"\x00")
        if not nal or nal[0] & _FORBIDDEN or nal[0] & _TYPE_MASK not in _SINGLE_TYPES:
            raise LocalMisuse(f"NAL unit at byte {start + 3}: must not be empty and its type must be 1..23")
        nals.append(nal)
        start = following
    return nals


def _aggregate(nals: list[bytes]) -> bytes:
    if len(nals) == 1:
        return nals[0]
    # Section 5.7: as important as the most important NAL unit in it.
    parts = [bytes((max(nal[0] & _IMPORTANCE for nal in nals) | _STAP_A,))]
    for nal in nals:
        parts += (len(nal).to_bytes(_STAP_SIZE, "big"), nal)
    return b"".join(parts)


def _fragment(nal: bytes, max_payload: int) -> Iterator[bytes]:
    """FU-As of a NAL unit longer than `max_payload`; its header byte travels in theirs."""
    indicator, kind = nal[0] & ~_TYPE_MASK | _FU_A, nal[0] & _TYPE_MASK
    body = len(nal) - 1
    count = -(-body // (max_payload - _FU_HEADERS))
    size = -(-body // count)
    for start in range(1, len(nal), size):
        flags = _FU_START if start == 1 else 0
        if start + size >= len(nal):
            flags |= _FU_END
        yield bytes((indicator, flags | kind)) + nal[start : start + size]


def _take_fragment(parts: list[bytes], fragmented: int | None, payload: bytes) -> int | None:
    """Append an FU-A; returns the header of the NAL unit that must go on, or None when it is whole."""
    if len(payload) < _FU_HEADERS:
        raise RemoteProtocolError("FU-A of 1 byte: its headers alone are 2")
    flags = payload[1]
    header = payload[0] & ~_TYPE_MASK | flags & _TYPE_MASK
    is_start = flags & _FU_START != 0
    if is_start is not (fragmented is None) or (is_start and flags & _FU_END):
        raise RemoteProtocolError("FU-A out of place: a NAL unit needs one start, then one end")
    if is_start:
        if flags & _TYPE_MASK not in _SINGLE_TYPES:
            raise RemoteProtocolError(f"FU-A of a NAL unit of type {flags & _TYPE_MASK}: must be 1..23")
        parts += (_LONG_START_CODE, bytes((header,)))
    elif header != fragmented:
        raise RemoteProtocolError(f"FU-A of NAL header {header:#04x} where {fragmented:#04x} must go on")
    parts.append(payload[_FU_HEADERS:])
    return None if flags & _FU_END else header


def _take_aggregate(parts: list[bytes], payload: bytes) -> None:
    """Append the NAL units of a STAP-A."""
    position, end = 1, len(payload)
    if end == 1:
        raise RemoteProtocolError("STAP-A without a NAL unit")
    while position < end:
        start = position + _STAP_SIZE
        size = int.from_bytes(payload[position:start], "big")
        position = start + size
        if size == 0 or position > end or payload[start] & _TYPE_MASK not in _SINGLE_TYPES:
            raise RemoteProtocolError(
                f"STAP-A of {end} bytes: a NAL unit in it is empty, cut off, or not of type 1..23"
            )
        parts += (_LONG_START_CODE, payload[start:position])
