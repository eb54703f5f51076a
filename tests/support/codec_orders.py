"""Orders and pictures for the tests that run real codecs."""

import numpy as np

from rtc.values.encoding import ConstantQuantizer, EncodedAs, FrameEncodeSettings, NativeCbr
from rtc.values.formats import FrameSize
from rtc.values.frames import VideoFrame

ALL_SLOTS = frozenset(range(8))
SIZE = FrameSize(320, 192)


def key_order(
    *, rate: ConstantQuantizer | NativeCbr | None = None, size: FrameSize = SIZE, speed: int = 10
) -> FrameEncodeSettings:
    return FrameEncodeSettings(
        encode_as=EncodedAs.KEY,
        rate=rate or ConstantQuantizer(quantizer=30),
        references=(),
        update_slots=ALL_SLOTS,
        coded_size=size,
        speed=speed,
        duration_us=33_333,
    )


def delta_order(
    *references: int,
    update: set[int] | frozenset[int] = frozenset({0}),
    rate: ConstantQuantizer | NativeCbr | None = None,
    size: FrameSize = SIZE,
    speed: int = 10,
    layer: int = 0,
) -> FrameEncodeSettings:
    return FrameEncodeSettings(
        encode_as=EncodedAs.DELTA,
        rate=rate or ConstantQuantizer(quantizer=30),
        references=references or (0,),
        update_slots=frozenset(update),
        temporal_layer=layer,
        coded_size=size,
        speed=speed,
        duration_us=33_333,
    )


def moving_pictures(count: int, size: FrameSize = SIZE) -> list[VideoFrame]:
    """Smooth blobs that drift a pixel a frame: what they show differs from frame to frame, and predicts well."""
    rng = np.random.default_rng(7)
    small = rng.integers(60, 200, (size.height // 16 + 2, size.width // 16 + 2)).astype(float)
    texture = np.kron(small, np.ones((16, 16)))[: size.height, : size.width]
    for axis in (0, 1) * 4:
        texture = (texture + np.roll(texture, 2, axis) + np.roll(texture, -2, axis)) / 3
    pictures = []
    for index in range(count):
        luma = np.roll(texture, index, axis=1).astype(np.uint8)
        chroma = np.full(size.pixels // 2, 128, np.uint8)
        chroma[: size.pixels // 4] += luma[::2, ::2].ravel() // 16
        pictures.append(VideoFrame(size=size, data=memoryview(np.concatenate([luma.ravel(), chroma]))))
    return pictures


def psnr_y(one: VideoFrame, other: VideoFrame) -> float:
    a, b = (np.frombuffer(frame.data, np.uint8)[: frame.size.pixels].astype(float) for frame in (one, other))
    return float(10 * np.log10(255**2 / max(1e-9, float(np.mean((a - b) ** 2)))))


def noise_pictures(count: int, size: FrameSize = SIZE) -> list[VideoFrame]:
    """Every sample of its own, and another one in the next picture: nothing predicts them."""
    rng = np.random.default_rng(11)
    return [
        VideoFrame(size=size, data=memoryview(rng.integers(0, 256, size.i420_bytes, dtype=np.uint8)))
        for _ in range(count)
    ]
