"""Our frame-metadata header extension: what the receiver must know of a frame without parsing its bitstream.

It is on every packet of a frame, so any packet that arrives tells which frame is missing and what depends on it.

     0                   1                   2
     0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3
    +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+----------------------+
    |S|E|R|L|TID| C |         frame number          | C reference diffs ... |
    +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+----------------------+

    S    first packet of the frame
    E    last packet of the frame
    R    recovery frame: predicted from an acknowledged long-term reference (LTRP)
    L    the encoder keeps this frame as a long-term reference (LTR)
    TID  temporal layer, 0..3
    C    how many frames it is predicted from, 0..3; 0 is a key frame, and only a key frame has 0

A reference diff is this frame's number minus the reference's (modulo 65536): 1..127 in one byte, 128..32767 in two.

    +-+-+-+-+-+-+-+-+      +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
    |0|    diff     |      |1|            diff             |
    +-+-+-+-+-+-+-+-+      +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+

A delta frame with one near reference takes 4 bytes, the longest frame 9: both fit the one-byte form of RFC 8285.
"""

from dataclasses import dataclass

from rtc.values.errors import LocalMisuse, RemoteProtocolError
from rtc.values.frames import FrameType

MAX_REFERENCE_DIFF = 0x7FFF
MAX_REFERENCES = 3
MAX_TEMPORAL_LAYER = 3

_STARTS = 0x80
_ENDS = 0x40
_RECOVERY = 0x20
_LONG_TERM = 0x10
_LAYER_SHIFT = 2
_COUNT_MASK = 3
_FIXED_SIZE = 3
_LONG_DIFF = 0x80
"""Set in the first byte of a two-byte diff; also the first diff that needs two bytes."""
_MAX_FRAME_NUMBER = 0xFFFF


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameMetadataExtension:
    """The extension's fields; `reference_diffs` is empty exactly for key frames."""

    frame_number: int
    """The low 16 bits of the frame id."""
    starts_frame: bool
    ends_frame: bool
    frame_type: FrameType
    is_long_term_reference: bool = False
    temporal_layer: int = 0
    reference_diffs: tuple[int, ...] = ()
    """How many frames back each reference is, 1..32767."""


def serialise(extension: FrameMetadataExtension) -> bytes:
    """3 to 9 bytes. Raises LocalMisuse when a field does not fit."""
    diffs = extension.reference_diffs
    _check(extension)
    flags = extension.temporal_layer << _LAYER_SHIFT | len(diffs)
    if extension.starts_frame:
        flags |= _STARTS
    if extension.ends_frame:
        flags |= _ENDS
    if extension.frame_type is FrameType.RECOVERY:
        flags |= _RECOVERY
    if extension.is_long_term_reference:
        flags |= _LONG_TERM
    parts = [flags, extension.frame_number >> 8, extension.frame_number & 0xFF]
    for diff in diffs:
        if diff >= _LONG_DIFF:
            parts.append(_LONG_DIFF | diff >> 8)
        parts.append(diff & 0xFF)
    return bytes(parts)


def parse(data: bytes) -> FrameMetadataExtension:
    """The fields of an extension. Raises RemoteProtocolError when the bytes are not one of ours."""
    if len(data) < _FIXED_SIZE:
        raise RemoteProtocolError(f"frame metadata of {len(data)} bytes: at least {_FIXED_SIZE} are needed")
    flags = data[0]
    diffs = _parse_diffs(data, flags & _COUNT_MASK)
    if flags & _RECOVERY:
        if not diffs:
            raise RemoteProtocolError("frame metadata of a recovery frame with no reference: it must have at least one")
        frame_type = FrameType.RECOVERY
    else:
        frame_type = FrameType.DELTA if diffs else FrameType.KEY
    return FrameMetadataExtension(
        frame_number=data[1] << 8 | data[2],
        starts_frame=flags >= _STARTS,
        ends_frame=flags & _ENDS != 0,
        frame_type=frame_type,
        is_long_term_reference=flags & _LONG_TERM != 0,
        temporal_layer=flags >> _LAYER_SHIFT & MAX_TEMPORAL_LAYER,
        reference_diffs=diffs,
    )


def _parse_diffs(data: bytes, count: int) -> tuple[int, ...]:
    if count == 1 and len(data) == _FIXED_SIZE + 1 and 0 < data[_FIXED_SIZE] < _LONG_DIFF:
        return (data[_FIXED_SIZE],)  # nearly every packet
    diffs = []
    position = _FIXED_SIZE
    for _ in range(count):
        head = data[position : position + 1]
        size = 2 if head >= b"\x80" else 1
        diff = int.from_bytes(data[position : position + size], "big") & MAX_REFERENCE_DIFF
        # One value, one form: a two-byte diff below 128 is refused, as is a frame that refers to itself.
        if diff < (1, _LONG_DIFF)[size - 1] or position + size > len(data):
            raise RemoteProtocolError(f"frame metadata {data[:16].hex()}: its {count} reference diffs are malformed")
        diffs.append(diff)
        position += size
    if position != len(data):
        raise RemoteProtocolError(f"frame metadata of {len(data)} bytes: its fields take {position}")
    return tuple(diffs)


def _check(extension: FrameMetadataExtension) -> None:
    diffs = extension.reference_diffs
    if (extension.frame_type is FrameType.KEY) != (not diffs) or len(diffs) > MAX_REFERENCES:
        raise LocalMisuse(
            f"{extension.frame_type.value} frame with {len(diffs)} references: key frames have none, others 1..3"
        )
    for diff in diffs:
        if not 1 <= diff <= MAX_REFERENCE_DIFF:
            raise LocalMisuse(f"reference {diff} frames back: must be 1..{MAX_REFERENCE_DIFF}")
    if not 0 <= extension.temporal_layer <= MAX_TEMPORAL_LAYER:
        raise LocalMisuse(f"temporal layer {extension.temporal_layer}: must be 0..{MAX_TEMPORAL_LAYER}")
    if not 0 <= extension.frame_number <= _MAX_FRAME_NUMBER:
        raise LocalMisuse(f"frame number {extension.frame_number}: must be 0..{_MAX_FRAME_NUMBER} on the wire")
