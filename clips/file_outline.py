"""How long a video file says it is, read from its own outline: a file that is shorter was cut off."""

from collections.abc import Iterator
from typing import BinaryIO

_MOST_ENTRIES = 200_000
"""Outlines are followed this far, so that no file takes long; what comes later is taken as it is."""

_MP4_FIRST = frozenset({b"ftyp", b"styp", b"moov", b"moof", b"mdat", b"free", b"skip", b"wide", b"pnot"})
_MP4_WANTED = frozenset({b"moov", b"moof", b"mdat"})
"""Boxes that pictures need; junk behind them, or a box of remarks that is cut, does no harm."""
_MP4_HEADER_BYTES = 8

_EBML, _SEGMENT, _CLUSTER = 0x1A45DFA3, 0x18538067, 0x1F43B675
_RIFF_HEADER_BYTES = 8
_STREAMED_RIFF = frozenset({0, 0xFFFFFFFF})
"""Lengths that a writer leaves which could not go back to fill them in."""


def declared_bytes(file: BinaryIO, size: int) -> int | None:
    """Where the pictures end as the outline of an mp4, mov, mkv, webm or avi file of `size` bytes has it.

    None for other files, and for an outline that does not say. More than `size` means that the file is cut off.
    Reads headers only and seeks over what they hold. Sources: ISO/IEC 14496-12 section 4.2, RFC 8794 and RFC 9559,
    the RIFF and OpenDML formats. Not seen: a fragmented mp4 cut exactly between two fragments.
    """
    head = _at(file, 0, 12)
    if head[4:8] in _MP4_FIRST:
        return max(_mp4_ends(file, size), default=None)
    if int.from_bytes(head[:4]) == _EBML:
        return max(_matroska_ends(file, size), default=None)
    if head[:4] == b"RIFF" and head[8:] == b"AVI ":
        return max(_avi_ends(file, size), default=None)
    return None


def _at(file: BinaryIO, offset: int, count: int) -> bytes:
    file.seek(offset)
    return file.read(count)


def _mp4_ends(file: BinaryIO, size: int) -> Iterator[int]:
    at = 0
    for _ in range(_MOST_ENTRIES):
        header = _at(file, at, 2 * _MP4_HEADER_BYTES)
        length, kind = int.from_bytes(header[:4]), header[4:8]
        if length == 1:  # a 64-bit length follows
            length = int.from_bytes(header[8:])
        elif length == 0:  # the last box, to the end of the file
            return
        if length < _MP4_HEADER_BYTES:
            return
        at += length
        if kind in _MP4_WANTED:
            yield at
        if at >= size:
            return


def _matroska_ends(file: BinaryIO, size: int) -> Iterator[int]:
    """The segment's end, or, when it was written without its length (a live recording), those of its elements."""
    at = 0
    for _ in range(_MOST_ENTRIES):
        header = _at(file, at, 12)
        kind, length, header_bytes = _ebml_header(header)
        if not header_bytes:
            return
        at += header_bytes
        if length is None and kind in (_SEGMENT, _CLUSTER):
            continue
        if length is None:
            return
        at += length
        yield at
        if at >= size:
            return


def _ebml_header(header: bytes) -> tuple[int, int | None, int]:
    """Identifier, length (None: unknown) and bytes of an element's header; no bytes when it is none or cut."""
    if not header or not header[0] >> 4:
        return 0, None, 0
    id_bytes = 9 - header[0].bit_length()
    rest = header[id_bytes:]
    if not rest or not rest[0]:
        return 0, None, 0
    length_bytes = 9 - rest[0].bit_length()
    bits = 7 * length_bytes
    length = int.from_bytes(rest[:length_bytes]) & ((1 << bits) - 1)
    known = None if length == (1 << bits) - 1 else length
    return int.from_bytes(header[:id_bytes]), known, id_bytes + length_bytes


def _avi_ends(file: BinaryIO, size: int) -> Iterator[int]:
    """Ends of the lists of pictures and of the index; the length of the whole is not held to, some writers miss it."""
    at = 0
    for _ in range(_MOST_ENTRIES):
        header = _at(file, at, 12)
        kind, length, holds = header[:4], int.from_bytes(header[4:8], "little"), header[8:]
        if kind == b"RIFF":
            at += 12
            continue
        if kind == b"LIST" and holds == b"movi" and length in _STREAMED_RIFF:
            return
        at += _RIFF_HEADER_BYTES + length
        if kind == b"idx1" or holds == b"movi":
            yield at
        at += length % 2
        if at >= size:
            return
