"""Strong motion: a fast hand-held pan over a detailed scene, with spinning balls flying through it."""

from dataclasses import dataclass

import numpy as np

from clips.clip import Clip
from clips.frames import Plane, Planes, halved
from clips.noise import SensorNoise
from clips.photographs import photograph
from clips.scene_clips import SceneClip
from clips.sprites import SpinningBall
from clips.supersampled import Crop, PannedPicture, clamped, enlarged, sub_pixel_steps
from clips.waves import Wave, random_wave
from rtc.values.formats import FrameSize
from rtc.values.randomness import RandomStream
from rtc.values.units import US_PER_S

_BACKGROUND = "motorcycle_left"
_TEXTURES = ("coffee", "chelsea", "grass", "brick")
_SPARE = 0.10
"""How much larger than the frame the scene is in height, for the hand to shake in."""
_PANORAMA_WIDTHS = 1.55
"""Width of the scene in frame widths."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Flight:
    """One ball and its way, both coordinates in parts of the frame from -1 to 1."""

    ball: SpinningBall
    across: Wave
    down: Wave
    spin_us: int


class MotionScene:
    """Pans at up to some 1 % of the picture's width a frame at 30 fps, and never stands still for long."""

    def __init__(self, *, size: FrameSize, stream: RandomStream) -> None:
        self._size = size
        self._noise = SensorNoise(size=size, luma=1.0, chroma=0.5, stream=stream.substream("noise"))
        self._scene = _panorama(size, self._noise.headroom)
        self._pan = random_wave(stream.substream("pan"), (0.72, 8_300_000), (0.28, 3_100_000))
        self._shake = random_wave(stream.substream("shake"), (0.75, 2_300_000), (0.25, 710_000))
        self._flights = tuple(_flight(texture, size, stream.substream(texture)) for texture in _TEXTURES)

    def draw(self, at_us: int, into: Planes) -> None:
        """See `Scene`."""
        self._scene.copy_window(
            into,
            left=(self._scene.width - self._size.width - 2) * (1 + self._pan.at(at_us)) / 2,
            top=max(self._scene.height - self._size.height - 2, 0) * (1 + self._shake.at(at_us)) / 2,
        )
        for flight in self._flights:
            self._put(flight, at_us, into)
        self._noise.add(into)

    def _put(self, flight: _Flight, at_us: int, onto: Planes) -> None:
        flight.ball.put(
            onto,
            left=round(self._size.width * (1 + flight.across.at(at_us)) / 2) - flight.ball.diameter // 2,
            top=round(self._size.height * (1 + flight.down.at(at_us)) / 2) - flight.ball.diameter // 2,
            turns=at_us / flight.spin_us,
        )


def motion(*, size: FrameSize, fps: int, seed: int) -> Clip:
    """A fast pan with spinning balls."""
    stream = RandomStream.of_seed(seed, "clip/motion")
    return SceneClip(MotionScene(size=size, stream=stream), name="motion", size=size, fps=fps)


def _flight(texture: str, size: FrameSize, stream: RandomStream) -> _Flight:
    diameter = max(min(size.width, size.height) * stream.randrange(18, 34) // 100, 8)
    return _Flight(
        ball=SpinningBall(texture=texture, diameter=diameter),
        across=random_wave(stream, (0.9, 4_700_000), (0.3, 1_900_000)),
        down=random_wave(stream, (0.7, 2_900_000), (0.2, 1_300_000)),
        spin_us=stream.randrange(US_PER_S, 2 * US_PER_S),
    )


def _panorama(size: FrameSize, headroom: int) -> PannedPicture:
    """A photograph and its mirror image side by side, over and over: seamless, and detailed everywhere."""
    photo = _softened(photograph(_BACKGROUND))
    steps = sub_pixel_steps(size)
    rows, columns = photo.y.shape
    height = int(size.height * (1 + _SPARE) * steps) & ~1
    width = int(height * columns / rows) & ~1
    tile = clamped(enlarged(photo, Crop(0, 0, columns, rows), width=width, height=height), headroom)
    needed = int(size.width * _PANORAMA_WIDTHS * steps)
    sides = (needed, needed // 2, needed // 2)
    return PannedPicture(
        Planes(*(_mirrored(plane, side) for plane, side in zip(tile, sides, strict=True))), steps=steps
    )


def _softened(photo: Planes) -> Planes:
    """The mean of each 2x2 pixels, which stands for the blur of a shutter open while the camera moves."""
    return Planes(*(halved(plane) for plane in photo))


def _mirrored(plane: Plane, columns: int) -> Plane:
    pair = np.hstack((plane, plane[:, ::-1]))
    return np.ascontiguousarray(np.tile(pair, (1, columns // pair.shape[1] + 1))[:, :columns])
