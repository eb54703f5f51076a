"""Our frame-ACK header extension: frames the sender of this packet has decoded, so its peer may predict from them.

    +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-------------------------------+
    |        frame number 1         | ... up to 8 frame numbers ... |
    +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-------------------------------+

Frame numbers are those of the peer's frame-metadata extension, 16 bits each. Eight of them are 16 bytes, the most that
the one-byte form of RFC 8285 holds; a sender repeats recent ones, so that one lost packet loses no acknowledgement.
"""

import struct

from rtc.values.errors import LocalMisuse, RemoteProtocolError

MAX_ACKS = 8

_FORMATS = tuple(struct.Struct(f"!{count}H") for count in range(MAX_ACKS + 1))


def serialise(frame_numbers: tuple[int, ...]) -> bytes:
    """2 bytes a frame number. Raises LocalMisuse unless there are 1..8 of 16 bits."""
    if not 1 <= len(frame_numbers) <= MAX_ACKS:
        raise LocalMisuse(f"{len(frame_numbers)} acknowledged frames: one extension carries 1..{MAX_ACKS}")
    try:
        return _FORMATS[len(frame_numbers)].pack(*frame_numbers)
    except struct.error:
        raise LocalMisuse(f"acknowledged frame numbers {frame_numbers}: each must be 0..65535 on the wire") from None


def parse(data: bytes) -> tuple[int, ...]:
    """The acknowledged frame numbers. Raises RemoteProtocolError unless the bytes are 1..8 of them."""
    count, odd = divmod(len(data), 2)
    if odd or not 1 <= count <= MAX_ACKS:
        raise RemoteProtocolError(f"frame ACK of {len(data)} bytes: must be 2, 4, ... {2 * MAX_ACKS}")
    return _FORMATS[count].unpack(data)
