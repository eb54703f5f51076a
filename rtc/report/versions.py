"""Versions of all that shapes a call's figures."""

import platform
from collections.abc import Callable
from importlib import metadata
from typing import Any

import av

from rtc.codecs.libaom_binding import loader as libaom
from rtc.codecs.openh264_binding import loader as openh264
from rtc.values.errors import CodecError

PROJECT = "rtc-codec-control"
PACKAGES = ("av", "numpy", "opencv-python-headless", "scikit-image", "pyarrow")
MISSING = "missing"


def versions() -> dict[str, str]:
    """By name; the same on every machine with the same packages."""
    found = {"rtc": metadata.version(PROJECT), "python": ".".join(platform.python_version_tuple()[:2])}
    found |= {package: metadata.version(package) for package in PACKAGES}
    found["libavcodec"] = ".".join(map(str, av.library_versions["libavcodec"]))
    found["libaom"] = _library_version(libaom.load).removeprefix("v")
    found["openh264"] = _library_version(openh264.load)
    return found


def _library_version(load: Callable[[], Any]) -> str:
    """A call over one codec does not need the other's library."""
    try:
        return str(load().version)
    except CodecError:
        return MISSING
