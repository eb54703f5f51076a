"""Prints digests of everything that makes or compares pixels; run on one CPU's instructions, then on fewer."""

import ctypes
import hashlib
import sys
from pathlib import Path

import av
import numpy as np

from clips.catalogue import catalogue, open_clip
from clips.frames import from_planes
from rtc.metrics.quality import quality_scores
from rtc.values.formats import FrameSize
from rtc.values.frames import VideoFrame

FRAMES = 25


def main(video: str, *, plain_ffmpeg: bool) -> None:
    if plain_ffmpeg:
        _forbid_ffmpeg_simd()
    digests = [
        _clip_digest(name, size)
        for name in (*(entry.name for entry in catalogue()), video)
        for size in (FrameSize(640, 360), FrameSize(322, 182))
    ]
    sys.stdout.write("\n".join([*digests, _quality_digest()]))


def _forbid_ffmpeg_simd() -> None:
    folders = (Path(av.__file__).parents[1] / "av.libs", Path(av.__file__).parent / ".dylibs")
    libraries = [file for folder in folders if folder.is_dir() for file in folder.glob("libavutil*")]
    ctypes.CDLL(str(libraries[0])).av_force_cpu_flags(0)


def _clip_digest(name: str, size: FrameSize) -> str:
    digest = hashlib.sha256()
    with open_clip(name, size=size, fps=30, seed=7) as clip:
        for index in range(FRAMES):
            digest.update(clip.frame(index).data)
    return digest.hexdigest()


def _quality_digest() -> str:
    draws = np.random.default_rng(3)
    scores = []
    for width, height in ((640, 360), (322, 182)):
        reference, small = _noise(draws, width, height), _noise(draws, width // 4 * 2, height // 4 * 2)
        near = _noise(draws, width, height)
        scores += [quality_scores(reference, near), quality_scores(reference, small), quality_scores(near, near)]
    return hashlib.sha256(repr(scores).encode()).hexdigest()


def _noise(draws: np.random.Generator, width: int, height: int) -> VideoFrame:
    shapes = ((height, width), (height // 2, width // 2), (height // 2, width // 2))
    return from_planes(*(draws.integers(0, 256, shape).astype(np.uint8) for shape in shapes))


if __name__ == "__main__":
    main(sys.argv[1], plain_ffmpeg=sys.argv[2] == "plain")
