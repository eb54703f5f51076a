"""Runs the `rtc` command with FFmpeg and dav1d kept to plain C as well, which no environment variable can do."""

import ctypes
import sys
from pathlib import Path

import av

from rtc.cli.app import main


def _library(name: str) -> ctypes.CDLL:
    folders = (Path(av.__file__).parents[1] / "av.libs", Path(av.__file__).parent / ".dylibs")
    return ctypes.CDLL(str(next(file for folder in folders for file in folder.glob(f"{name}*"))))


if __name__ == "__main__":
    _library("libavutil").av_force_cpu_flags(0)
    _library("libdav1d").dav1d_set_cpu_flags_mask(0)
    sys.argv[0] = "rtc"
    main()
