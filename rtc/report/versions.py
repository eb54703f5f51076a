"""Versions of all that shapes a call's figures."""

from importlib import metadata

import av

from rtc.codecs.capabilities import library_versions

PROJECT = "rtc-codec-control"
PACKAGES = ("av", "numpy", "opencv-python-headless", "scikit-image", "pyarrow")


def versions() -> dict[str, str]:
    """By name; the same on every machine with the same packages. Python's own shapes nothing and is in `run.json`."""
    found = {"rtc": metadata.version(PROJECT)}
    found |= {package: metadata.version(package) for package in PACKAGES}
    found["libavcodec"] = ".".join(map(str, av.library_versions["libavcodec"]))
    return found | {name.lower(): version for name, version in library_versions().items()}
