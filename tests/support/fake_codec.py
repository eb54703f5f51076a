"""A codec that costs nothing: deterministic bytes that the payload formats accept, and a decoder that checks them."""

from random import Random

from rtc.rtp.leb128 import leb128
from rtc.values.formats import Codec

_AV1_KEY_HEAD = b"\x12\x00\x0a\x04\x01\x02\x03\x04"
"""Temporal delimiter and a sequence header OBU of four bytes."""
_AV1_DELTA_HEAD = b"\x12\x00"
_AV1_FRAME = b"\x32"
"""Header of a frame OBU with a size field."""
_START = b"\x00\x00\x00\x01"
_H264_KEY_HEAD = _START + b"\x67\x42\xe0\x1f" + _START + b"\x68\xce\x3c\x80"
"""A sequence and a picture parameter set."""


def encoded_bytes(codec: Codec, *, is_key: bool, size: int, seed: int) -> bytes:
    """A frame with a body of `size` bytes; the same arguments give the same bytes."""
    body = Random(seed).randbytes(size)
    if codec is Codec.AV1:
        head = _AV1_KEY_HEAD if is_key else _AV1_DELTA_HEAD
        return head + _AV1_FRAME + leb128(size) + body
    # No zero in the body, so no start code and no trailing zero that a parser may strip.
    slice_data = body.replace(b"\x00", b"\x01")
    return (_H264_KEY_HEAD + _START + b"\x65" if is_key else _START + b"\x41") + slice_data
