"""Packet status chunks of transport-wide feedback (draft-holmer-rmcat-transport-wide-cc-extensions-01 section 3.1).

run length                          one-bit vector                      two-bit vector
+-+---+-------------------------+   +-+-+---------------------------+   +-+-+---------------------------+
|0| S |   13 bits: how often    |   |1|0|   14 x (0 or 1)           |   |1|1|   7 x S                   |
+-+---+-------------------------+   +-+-+---------------------------+   +-+-+---------------------------+
"""

import struct
from collections.abc import Sequence

from rtc.values.errors import RemoteProtocolError

NOT_RECEIVED = 0
SMALL_DELTA = 1
"""Received; its delta takes one byte, 0..255."""
LARGE_DELTA = 2
"""Received; its delta takes two bytes, signed."""
RESERVED = 3

_CHUNK = struct.Struct("!H")
_VECTOR = 0x8000
_TWO_BIT = 0x4000
_MAX_RUN = 0x1FFF
_RUN_SHIFT = 13
_ONE_BIT_SYMBOLS = 14
_TWO_BIT_SYMBOLS = 7
_TWO_BIT_SHIFTS = range(12, -1, -2)
_ONE_BIT_SHIFTS = range(13, -1, -1)


def serialise_chunks(symbols: Sequence[int]) -> bytes:
    """Chunks for the statuses, each time the one that covers most of what is left."""
    parts = []
    position = 0
    while position < len(symbols):
        chunk, covered = _widest_chunk(symbols, position)
        parts.append(_CHUNK.pack(chunk))
        position += covered
    return b"".join(parts)


def parse_chunks(body: bytes, position: int, count: int) -> tuple[list[int], int]:
    """Exactly `count` statuses, and where the chunks end. Raises RemoteProtocolError when the body ends before."""
    symbols: list[int] = []
    while len(symbols) < count:
        if position + _CHUNK.size > len(body):
            raise RemoteProtocolError(f"transport-wide feedback ends after {len(symbols)} of {count} packet statuses")
        (chunk,) = _CHUNK.unpack_from(body, position)
        position += _CHUNK.size
        if not chunk & _VECTOR:
            symbols += [chunk >> _RUN_SHIFT] * min(chunk & _MAX_RUN, count - len(symbols))
        elif chunk & _TWO_BIT:
            symbols += [chunk >> shift & RESERVED for shift in _TWO_BIT_SHIFTS]
        else:
            symbols += [chunk >> shift & 1 for shift in _ONE_BIT_SHIFTS]
    del symbols[count:]
    if RESERVED in symbols:
        raise RemoteProtocolError("transport-wide feedback uses packet status 3, which is reserved")
    return symbols, position


def _widest_chunk(symbols: Sequence[int], position: int) -> tuple[int, int]:
    """A chunk, and how many statuses it covers."""
    run = _run_length(symbols, position)
    window = symbols[position : position + _ONE_BIT_SYMBOLS]
    # A vector that is not full may only stand at the end, where the count cuts it.
    one_bit = len(window) if LARGE_DELTA not in window else 0
    two_bit = min(len(window), _TWO_BIT_SYMBOLS)
    if run >= max(one_bit, two_bit):
        return symbols[position] << _RUN_SHIFT | run, run
    if one_bit >= two_bit:
        return _VECTOR | _vector(window, _ONE_BIT_SHIFTS), one_bit
    return _VECTOR | _TWO_BIT | _vector(window[:_TWO_BIT_SYMBOLS], _TWO_BIT_SHIFTS), two_bit


def _run_length(symbols: Sequence[int], position: int) -> int:
    symbol = symbols[position]
    end = min(len(symbols), position + _MAX_RUN)
    after = position + 1
    while after < end and symbols[after] == symbol:
        after += 1
    return after - position


def _vector(symbols: Sequence[int], shifts: range) -> int:
    bits = 0
    for symbol, shift in zip(symbols, shifts, strict=False):
        bits |= symbol << shift
    return bits
