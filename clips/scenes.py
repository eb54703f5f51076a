"""Scenes that clips are made of: each draws itself at any time since the clip began."""

from typing import Protocol

import numpy as np

from clips.frames import Plane, Planes
from clips.head_motion import HeadMotion
from clips.head_warp import HeadWarp
from clips.noise import SensorNoise
from clips.photographs import photograph
from clips.portrait import Portrait
from clips.supersampled import PannedPicture, clamped, cover_crop, enlarged, sub_pixel_steps
from clips.waves import random_wave
from rtc.values.formats import FrameSize
from rtc.values.randomness import RandomStream

_HAND_SPARE = 1.08
"""How much larger than the frame a hand-held scene is, each way."""


class Scene(Protocol):
    """Something to look at."""

    def draw(self, at_us: int, into: Planes) -> None:
        """Fill the planes with how it looks at a time since the clip began; calls come in order of time."""


class HeadScene:
    """The photograph `astronaut` made to sway, nod, talk and blink before a still background, with sensor noise."""

    def __init__(
        self, *, size: FrameSize, noise: tuple[float, float], stream: RandomStream, lighting: Plane | None = None
    ) -> None:
        self._noise = SensorNoise(size=size, luma=noise[0], chroma=noise[1], stream=stream.substream("noise"))
        self._motion = HeadMotion(stream.substream("motion"))
        self._warp = HeadWarp(Portrait(size, headroom=self._noise.headroom, lighting=lighting), size)

    def draw(self, at_us: int, into: Planes) -> None:
        """See `Scene`."""
        self._warp.draw(self._motion.at(at_us), into)
        self._noise.add(into)


class HandheldScene:
    """A photograph seen through a camera held in a hand."""

    def __init__(self, *, photo: str, size: FrameSize, noise: SensorNoise, stream: RandomStream) -> None:
        steps = sub_pixel_steps(size)
        whole = photograph(photo)
        rows, columns = whole.y.shape
        crop = cover_crop(whole, aspect=size, centre=(columns // 2, rows // 2), margin=0)
        width, height = (int(side * _HAND_SPARE) * steps & ~1 for side in (size.width, size.height))
        self._picture = PannedPicture(
            clamped(enlarged(whole, crop, width=width, height=height), noise.headroom), steps=steps
        )
        self._noise = noise
        self._reach = np.subtract((self._picture.width, self._picture.height), (size.width + 2, size.height + 2))
        self._across = random_wave(stream.substream("across"), (0.7, 4_100_000), (0.3, 1_100_000))
        self._down = random_wave(stream.substream("down"), (0.7, 3_300_000), (0.3, 870_000))

    def draw(self, at_us: int, into: Planes) -> None:
        """See `Scene`."""
        across, down = (max(int(reach), 0) / 2 for reach in self._reach)
        self._picture.copy_window(
            into, left=across * (1 + self._across.at(at_us)), top=down * (1 + self._down.at(at_us))
        )
        self._noise.add(into)
