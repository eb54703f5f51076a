"""Photographs that scikit-image ships, read from its folder without importing it."""

import functools
from importlib import resources

import cv2
import numpy as np
from numpy.typing import NDArray

from clips.frames import Planes, full_chroma_planes
from rtc.values.errors import LocalMisuse

_PNG_SIGNATURE_BYTES = 8
_PNG_CHUNK_OVERHEAD = 12
"""Length, type and checksum around a chunk's data (PNG specification, section 5.3)."""


@functools.cache
def photograph(name: str) -> Planes:
    """Y, Cb and Cr planes, all at full size, of one of scikit-image's PNG photographs.

    Raises:
        LocalMisuse: the installed scikit-image has no such picture.

    """
    file = resources.files("skimage") / "data" / f"{name}.png"
    if not file.is_file():
        raise LocalMisuse(f"scikit-image has no data/{name}.png here: install scikit-image from its wheel")
    picture = cv2.imdecode(np.frombuffer(_pixels_only(file.read_bytes()), np.uint8), cv2.IMREAD_COLOR)
    if picture is None:
        raise LocalMisuse(f"scikit-image's data/{name}.png cannot be decoded: install scikit-image again")
    photo = full_chroma_planes(_as_bytes(picture))
    for plane in photo:
        plane.flags.writeable = False  # every clip of the process shares it
    return photo


def _as_bytes(picture: object) -> NDArray[np.uint8]:
    return np.asarray(picture, np.uint8)


def _pixels_only(png: bytes) -> bytes:
    """The PNG without its ancillary chunks (lower-case first letter): libpng complains aloud about some profiles."""
    kept = [png[:_PNG_SIGNATURE_BYTES]]
    at = _PNG_SIGNATURE_BYTES
    while at < len(png):
        size = int.from_bytes(png[at : at + 4], "big") + _PNG_CHUNK_OVERHEAD
        if png[at + 4 : at + 5].isupper():
            kept.append(png[at : at + size])
        at += size
    return b"".join(kept)
