"""Transport-wide congestion feedback (draft-holmer-rmcat-transport-wide-cc-extensions-01 section 3.1).

    +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
    |        SSRC of sender         |         SSRC of media         |   (32 bits each)
    +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
    |     base sequence number      |      packet status count      |
    +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
    |    reference time, signed, in 64 ms           | feedback count|
    +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
    |  status chunks, 16 bits each  | deltas of 250 us, 8 or 16 bits each, zeros to 32 bits
    +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+

The first delta counts from the reference time, every other from the arrival before it.
"""

import struct

from rtc.rtp.rtcp.framing import FMT_TRANSPORT_WIDE, TRANSPORT_FEEDBACK, frame_packet
from rtc.rtp.rtcp.status_chunks import LARGE_DELTA, NOT_RECEIVED, SMALL_DELTA, parse_chunks, serialise_chunks
from rtc.values.errors import LocalMisuse, RemoteProtocolError
from rtc.values.feedback import TransportFeedback

DELTA_US = 250
REFERENCE_US = 64_000

_HEAD = struct.Struct("!IIHHI")
_LARGE = struct.Struct("!h")
_COUNT_BITS = 8
_COUNT_MASK = 0xFF
_REFERENCE_BITS = 24
_REFERENCE_MASK = (1 << _REFERENCE_BITS) - 1
_REFERENCE_LIMIT = 1 << (_REFERENCE_BITS - 1)
_MAX_ARRIVALS = 0xFFFF
_MAX_SMALL = 0xFF


def serialise_transport_feedback(feedback: TransportFeedback) -> bytes:
    """One RTCP packet; arrivals are cut to whole 250 us, and the cut never adds up.

    Raises LocalMisuse when two neighbouring arrivals are over 8.19 s apart: they belong in two messages.
    """
    arrivals = feedback.arrivals
    if not 1 <= len(arrivals) <= _MAX_ARRIVALS:
        raise LocalMisuse(f"transport-wide feedback on {len(arrivals)} packets: must be 1..{_MAX_ARRIVALS}")
    reference = next((arrival for arrival in arrivals if arrival is not None), 0) // REFERENCE_US
    symbols, deltas = _symbols_and_deltas(arrivals, reference * (REFERENCE_US // DELTA_US))
    head = _HEAD.pack(
        feedback.sender_ssrc,
        feedback.media_ssrc,
        feedback.base_sequence,
        len(arrivals),
        (reference & _REFERENCE_MASK) << _COUNT_BITS | feedback.feedback_count & _COUNT_MASK,
    )
    return frame_packet(TRANSPORT_FEEDBACK, FMT_TRANSPORT_WIDE, head + serialise_chunks(symbols) + deltas)


def parse_transport_feedback(body: bytes) -> TransportFeedback:
    """The feedback in a body. Never holds more than 65535 arrivals, whatever the chunks say."""
    if len(body) < _HEAD.size:
        raise RemoteProtocolError(f"transport-wide feedback of {len(body)} bytes: its head alone is {_HEAD.size}")
    sender_ssrc, media_ssrc, base_sequence, count, reference_and_count = _HEAD.unpack_from(body)
    if count == 0:
        raise RemoteProtocolError("transport-wide feedback on 0 packets: must be on one at least")
    reference = reference_and_count >> _COUNT_BITS
    if reference >= _REFERENCE_LIMIT:
        reference -= 1 << _REFERENCE_BITS
    symbols, position = parse_chunks(body, _HEAD.size, count)
    return TransportFeedback(
        sender_ssrc=sender_ssrc,
        media_ssrc=media_ssrc,
        base_sequence=base_sequence,
        arrivals=_arrivals(body, position, symbols, reference * REFERENCE_US),
        feedback_count=reference_and_count & _COUNT_MASK,
    )


def _symbols_and_deltas(arrivals: tuple[int | None, ...], previous: int) -> tuple[list[int], bytes]:
    """Statuses and delta bytes; `previous` is the reference time in 250 us."""
    symbols = []
    deltas = bytearray()
    for arrival in arrivals:
        if arrival is None:
            symbols.append(NOT_RECEIVED)
            continue
        ticks = arrival // DELTA_US
        delta = ticks - previous
        previous = ticks
        if 0 <= delta <= _MAX_SMALL:
            symbols.append(SMALL_DELTA)
            deltas.append(delta)
            continue
        symbols.append(LARGE_DELTA)
        try:
            deltas += _LARGE.pack(delta)
        except struct.error:
            raise LocalMisuse(
                f"arrivals {delta * DELTA_US} us apart: one message spans 8.19 s between neighbours; start another"
            ) from None
    return symbols, bytes(deltas)


def _arrivals(body: bytes, position: int, symbols: list[int], now_us: int) -> tuple[int | None, ...]:
    needed = position + symbols.count(SMALL_DELTA) + _LARGE.size * symbols.count(LARGE_DELTA)
    if needed > len(body):
        raise RemoteProtocolError(f"transport-wide feedback of {len(body)} bytes: its arrival deltas need {needed}")
    arrivals: list[int | None] = []
    for symbol in symbols:
        if symbol == NOT_RECEIVED:
            arrivals.append(None)
            continue
        if symbol == SMALL_DELTA:
            now_us += body[position] * DELTA_US
            position += 1
        else:
            now_us += _LARGE.unpack_from(body, position)[0] * DELTA_US
            position += _LARGE.size
        arrivals.append(now_us)
    return tuple(arrivals)
