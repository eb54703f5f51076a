"""How long does each codec take for a frame? Measures the table that simulated calls take their codec times from.

`rtc bench codec_cost` measures and compares with the committed table. `python -m benchmarks.codec_cost` measures and
writes the table anew, in about two minutes. Every simulated call changes with it, so do that only on purpose.
"""

import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
from scipy.optimize import nnls

from benchmarks.report import BenchReport, Verdict
from clips.catalogue import open_clip
from rtc.codecs.interface import open_decoder, open_encoder
from rtc.sim.codec_cost import TABLE_FILE, AffineCost, CodecCostModel, CodecCostTable, FrameCosts
from rtc.values.encoding import ConstantQuantizer, EncodedAs, FrameEncodeSettings
from rtc.values.formats import Codec, FrameSize
from rtc.values.frames import VideoFrame

SIZES: Final = (FrameSize(320, 180), FrameSize(640, 360), FrameSize(1280, 720))
SPEEDS: Final = {Codec.AV1: range(5, 12), Codec.H264: range(3)}
QUANTIZERS: Final = {Codec.AV1: (24, 34, 44, 54), Codec.H264: (22, 28, 34, 40)}
CLIPS: Final = ("talking_head", "motion")
FRAMES: Final = 24
KEY_EVERY: Final = 8
"""The first group warms the caches and is not counted."""
ALL_SLOTS: Final = frozenset(range(8))
TYPICAL_SIZE: Final = FrameSize(640, 360)
TYPICAL_BYTES: Final = 800
"""A frame of a 200 kbit/s call at 30 frames a second."""
MAX_RATIO: Final = 4.0
"""Simulated calls stay credible on machines this much slower or faster than the one that was measured."""
METHOD: Final = (
    "CPU time of the one thread that encodes or decodes, at constant quantizers "
    + "; ".join(f"{codec.value} {', '.join(map(str, values))}" for codec, values in QUANTIZERS.items())
    + f", sizes {', '.join(map(str, SIZES))}, on the clips {', '.join(CLIPS)}, {FRAMES} frames, a key frame every "
    f"{KEY_EVERY}; medians by clip, size, quantizer, speed and kind of frame, the smaller of two runs; fitted by "
    "non-negative least squares on relative errors; decoding over the streams of every speed"
)
CONDITIONS: Final = "2 shared x86-64 cores, the libraries inside PyAV 16.1's wheel, one thread each"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """The median of one kind of frame in one run."""

    codec: Codec
    speed: int
    is_key: bool
    pixels: int
    encoded_bytes: float
    encode_ns: float
    decode_ns: float


def run(*, quick: bool) -> BenchReport:
    """Measure on this machine, and compare with the committed table at a typical frame; writes nothing."""
    here, committed = CodecCostModel(measure_table(SIZES[:2] if quick else SIZES)), CodecCostModel.load()
    rows, ratios = [], []
    for codec, speeds in SPEEDS.items():
        for speed in speeds:
            times = [
                model.encode_time_us(codec, speed, TYPICAL_SIZE, is_key=False, encoded_bytes=TYPICAL_BYTES)
                for model in (here, committed)
            ]
            ratios.append(times[0] / times[1])
            rows.append(
                {
                    "codec": codec.value,
                    "speed": speed,
                    "here, us": times[0],
                    "committed, us": times[1],
                    "here / committed": round(ratios[-1], 2),
                }
            )
    ratio = statistics.median(ratios)
    verdict = Verdict(
        goal=f"the median ratio to the committed table is from {1 / MAX_RATIO:.2f} to {MAX_RATIO:.2f}",
        measured=f"the median ratio is {ratio:.2f}",
        met=1 / MAX_RATIO <= ratio <= MAX_RATIO,
    )
    return BenchReport(
        name="codec_cost",
        goal=f"what encoding a {TYPICAL_SIZE} delta frame of {TYPICAL_BYTES} bytes costs, here and in simulated calls",
        rows=tuple(rows),
        verdicts=(verdict,),
        notes=(METHOD,),
    )


def measure_table(sizes: tuple[FrameSize, ...] = SIZES) -> CodecCostTable:
    """Measure and fit everything."""
    samples = [_faster(*pair) for size in sizes for pair in zip(_samples(size), _samples(size), strict=True)]
    errors: dict[str, float] = {}
    encode: dict[Codec, dict[int, FrameCosts]] = {}
    decode: dict[Codec, FrameCosts] = {}
    for codec, speeds in SPEEDS.items():
        of_codec = [sample for sample in samples if sample.codec is codec]
        encode[codec] = {}
        for speed in speeds:
            at_speed = [sample for sample in of_codec if sample.speed == speed]
            encode[codec][speed] = _fit_kinds(
                at_speed, lambda sample: sample.encode_ns, errors, f"encode-{codec.value}-{speed}"
            )
        decode[codec] = _fit_kinds(of_codec, lambda sample: sample.decode_ns, errors, f"decode-{codec.value}")
    return CodecCostTable(
        method=METHOD, conditions=CONDITIONS, worst_relative_error=errors, encode=encode, decode=decode
    )


def _faster(one: Sample, other: Sample) -> Sample:
    """The same work twice: what a busy neighbour cost is left out."""
    return replace(one, encode_ns=min(one.encode_ns, other.encode_ns), decode_ns=min(one.decode_ns, other.decode_ns))


def _samples(size: FrameSize) -> Iterator[Sample]:
    for clip in [_pictures(name, size) for name in CLIPS]:
        for codec, speeds in SPEEDS.items():
            for speed in speeds:
                for quantizer in QUANTIZERS[codec]:
                    yield from _measure(codec, speed, quantizer, clip)


def _measure(codec: Codec, speed: int, quantizer: int, clip: list[VideoFrame]) -> Iterator[Sample]:
    rows: dict[bool, list[tuple[int, int, int]]] = {True: [], False: []}
    size = clip[0].size
    with open_encoder(codec, size) as encoder, open_decoder(codec) as decoder:
        for index, frame in enumerate(clip):
            is_key = index % KEY_EVERY == 0
            settings = _order(size, speed, quantizer, is_key=is_key)
            start = time.thread_time_ns()
            picture = encoder.encode(frame, settings)
            encoded = time.thread_time_ns()
            decoder.decode(picture.payload)
            decoded = time.thread_time_ns()
            if index >= KEY_EVERY:
                rows[is_key].append((len(picture.payload), encoded - start, decoded - encoded))
    for is_key, measured in rows.items():
        encoded_bytes, encode_ns, decode_ns = (statistics.median(column) for column in zip(*measured, strict=True))
        yield Sample(
            codec=codec,
            speed=speed,
            is_key=is_key,
            pixels=size.pixels,
            encoded_bytes=encoded_bytes,
            encode_ns=encode_ns,
            decode_ns=decode_ns,
        )


def _order(size: FrameSize, speed: int, quantizer: int, *, is_key: bool) -> FrameEncodeSettings:
    return FrameEncodeSettings(
        encode_as=EncodedAs.KEY if is_key else EncodedAs.DELTA,
        rate=ConstantQuantizer(quantizer=quantizer),
        references=() if is_key else (0,),
        update_slots=ALL_SLOTS if is_key else frozenset({0}),
        coded_size=size,
        speed=speed,
        duration_us=33_333,
    )


def _fit_kinds(
    samples: list[Sample], time_ns: Callable[[Sample], float], errors: dict[str, float], name: str
) -> FrameCosts:
    """Key and delta frames apart; notes how well each is fitted."""
    kinds: dict[str, AffineCost] = {}
    for kind, is_key in (("key", True), ("delta", False)):
        rows = [sample for sample in samples if sample.is_key is is_key]
        kinds[kind], errors[f"{name}-{kind}"] = _fit(rows, [time_ns(sample) for sample in rows])
    return FrameCosts(**kinds)


def _fit(rows: list[Sample], times_ns: list[float]) -> tuple[AffineCost, float]:
    """Non-negative coefficients that keep relative errors small, and the largest of those errors."""
    parts = np.array([[1.0, sample.pixels, sample.encoded_bytes] for sample in rows])
    times = np.array(times_ns)
    weights, _ = nnls(parts / times[:, None], np.ones(len(rows)))
    cost = AffineCost(
        fixed_ns=round(float(weights[0])),
        per_pixel_ps=round(float(weights[1]) * 1_000),
        per_byte_ns=round(float(weights[2])),
    )
    worst = float(np.abs(parts @ weights / times - 1).max())
    return cost, round(worst, 2)


def _pictures(name: str, size: FrameSize) -> list[VideoFrame]:
    with open_clip(name, size=size, fps=30, seed=0) as clip:
        return [clip.frame(index) for index in range(FRAMES)]


def main() -> None:
    """Measure, and write the table beside the model that reads it."""
    path = Path(__file__).resolve().parent.parent / "rtc" / "sim" / TABLE_FILE
    path.write_text(measure_table().model_dump_json(indent=1) + "\n", encoding="utf-8")
    print(f"wrote {path.name}")


if __name__ == "__main__":
    main()
