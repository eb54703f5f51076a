"""Clips of one scene, and of several with hard cuts between them."""

from collections.abc import Iterator

import numpy as np

from clips.clip import Clip
from clips.frames import new_picture
from clips.noise import SensorNoise
from clips.scenes import HandheldScene, HeadScene, Scene
from rtc.values.formats import FrameSize
from rtc.values.frames import VideoFrame
from rtc.values.randomness import RandomStream

_FINE_NOISE = (1.0, 0.5)
"""Standard deviation, luma and chroma, that a webcam's own denoising leaves in good light."""
_COARSE_NOISE = (4.0, 2.0)
"""That of a small sensor at high gain."""
_SHOT_US = (2_500_000, 3_500_000)
_PHOTOGRAPHS = ("coffee", "motorcycle_left", "chelsea")


class SceneClip(Clip):
    """One scene without end."""

    def __init__(self, scene: Scene, *, name: str, size: FrameSize, fps: int) -> None:
        super().__init__(name=name, size=size, fps=fps)
        self._scene = scene

    def _render(self, index: int) -> VideoFrame:
        picture, into = new_picture(self.size)
        self._scene.draw(self.instant_us(index), into)
        return picture


class SceneCutClip(Clip):
    """Several scenes in turn, each for about three seconds, with nothing between them."""

    def __init__(
        self, scenes: tuple[Scene, ...], *, name: str, size: FrameSize, fps: int, stream: RandomStream
    ) -> None:
        super().__init__(name=name, size=size, fps=fps)
        self._shots = _shots(scenes, stream)
        self._scene, self._until_us = next(self._shots)

    def _render(self, index: int) -> VideoFrame:
        at_us = self.instant_us(index)
        while at_us >= self._until_us:
            self._scene, self._until_us = next(self._shots)
        picture, into = new_picture(self.size)
        self._scene.draw(at_us, into)
        return picture


def talking_head(*, size: FrameSize, fps: int, seed: int) -> Clip:
    """A person in good light."""
    stream = RandomStream.of_seed(seed, "clip/talking_head")
    return SceneClip(HeadScene(size=size, noise=_FINE_NOISE, stream=stream), name="talking_head", size=size, fps=fps)


def low_light(*, size: FrameSize, fps: int, seed: int) -> Clip:
    """The same person in a dim room, before a small sensor at high gain."""
    luma = np.arange(256)
    dim = (24 + (luma - 16) * (luma + 110) // 760).clip(16, 235).astype(np.uint8)
    stream = RandomStream.of_seed(seed, "clip/low_light")
    scene = HeadScene(size=size, noise=_COARSE_NOISE, stream=stream, lighting=dim)
    return SceneClip(scene, name="low_light", size=size, fps=fps)


def scene_cut(*, size: FrameSize, fps: int, seed: int) -> Clip:
    """The person and three hand-held scenes in turn."""
    stream = RandomStream.of_seed(seed, "clip/scene_cut")
    noise = SensorNoise(size=size, luma=_FINE_NOISE[0], chroma=_FINE_NOISE[1], stream=stream.substream("noise"))
    scenes: list[Scene] = [HeadScene(size=size, noise=_FINE_NOISE, stream=stream.substream("head"))]
    scenes += [
        HandheldScene(photo=photo, size=size, noise=noise, stream=stream.substream(photo)) for photo in _PHOTOGRAPHS
    ]
    shots = stream.substream("shots")
    shots.shuffle(scenes)
    return SceneCutClip(tuple(scenes), name="scene_cut", size=size, fps=fps, stream=shots)


def _shots(scenes: tuple[Scene, ...], stream: RandomStream) -> Iterator[tuple[Scene, int]]:
    """Each scene in turn with the time it ends at, without end."""
    until_us = 0
    while True:
        for scene in scenes:
            until_us += stream.randrange(*_SHOT_US)
            yield scene, until_us
