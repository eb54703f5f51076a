"""How much a call costs beside its codecs: wall time against the bare encoding and decoding of the same frames."""

import contextlib
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pyarrow.parquet as pq

from benchmarks.report import BenchReport, Verdict
from rtc.call.reference_planning import ReferencePlanner
from rtc.codecs.interface import open_decoder, open_encoder
from rtc.report.call_folder import run_call
from rtc.sim.assembly import open_side_clip
from rtc.sim.networks import load_network
from rtc.sim.scenario import Scenario
from rtc.sim.sides import Side
from rtc.values.encoding import FrameEncodeSettings, NativeCbr
from rtc.values.formats import Codec
from rtc.values.frames import VideoFrame
from rtc.values.randomness import RandomStream
from rtc.values.units import US_PER_S

TARGET_KBPS: Final = 300
SPEED: Final = 10
PLAIN_GOAL: Final = 1.3
SCORED_GOAL: Final = 1.8
ALONE: Final = "encode + decode alone"
CALL: Final = "call"
SCORED: Final = "call with PSNR and SSIM"


def run(*, quick: bool) -> BenchReport:
    """Interleaved rounds of codecs alone, a call, and a call with scores; then one bare `rtc call`."""
    seconds, rounds = (10, 3) if quick else (20, 7)
    plain = _scenario(seconds, quality=False)
    scored = _scenario(seconds, quality=True)
    frames = _frames(plain)
    contenders: dict[str, Callable[[], int]] = {
        ALONE: lambda: _codecs_alone(plain, frames),
        CALL: lambda: _call(plain),
        SCORED: lambda: _call(scored),
    }
    encoded_bytes = {name: contender() for name, contender in contenders.items()}  # warm-up, and the same work?
    walls: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, contender in contenders.items():
            walls[name].append(_wall(contender))
    bare_wall = _wall(_bare_call)
    rows = [_row(name, times, walls[ALONE], len(frames)) for name, times in walls.items()]
    rows.append({"what": "rtc call, bare, 20 s both ways", "median s": round(bare_wall, 3)})
    return BenchReport(
        name="speed",
        goal="a call takes little more wall time than its codecs",
        rows=tuple(rows),
        verdicts=_verdicts(encoded_bytes, walls, bare_wall),
        notes=(
            f"640x360p30, AV1 speed {SPEED}, one way, perfect network, {seconds} s a call.",
            f"{TARGET_KBPS} kbps by libaom's own rate control, so that codecs alone are given the very same orders.",
            f"{rounds} interleaved rounds after one warm-up; ratios are medians of the ratios round by round.",
            "Codecs alone: frames rendered before; encoder and decoder opened, each frame encoded and decoded, closed.",
            "A call: all from its scenario to its folder, so rendering the clip, network, trace, tables and summary.",
            "A call encodes in one thread and renders, decodes and scores in others; codecs alone take turns in one.",
            "The bare call is a process of its own, start of the interpreter included.",
        ),
    )


def _verdicts(encoded_bytes: dict[str, int], walls: dict[str, list[float]], bare_wall: float) -> tuple[Verdict, ...]:
    plain_ratio, scored_ratio = (_median_ratio(walls[name], walls[ALONE]) for name in (CALL, SCORED))
    bare_lasts = Scenario.of({}).duration
    return (
        Verdict(
            goal="all three code the very same frames to the same number of bytes",
            measured=", ".join(f"{name}: {size}" for name, size in encoded_bytes.items()),
            met=len(set(encoded_bytes.values())) == 1,
        ),
        Verdict(
            goal=f"call without scores, film and page at most {PLAIN_GOAL} x codecs alone",
            measured=f"{plain_ratio:.3f} x",
            met=plain_ratio <= PLAIN_GOAL,
        ),
        Verdict(
            goal=f"call with PSNR and SSIM at most {SCORED_GOAL} x codecs alone",
            measured=f"{scored_ratio:.3f} x",
            met=scored_ratio <= SCORED_GOAL,
        ),
        Verdict(
            goal="a bare `rtc call` finishes faster than the call lasts",
            measured=f"{bare_wall:.1f} s for {bare_lasts:g} s",
            met=bare_wall < bare_lasts,
        ),
    )


def _scenario(seconds: int, *, quality: bool) -> Scenario:
    return Scenario.of(
        {
            "duration": seconds,
            "codec": "av1",
            "network": "perfect",
            "target_kbps": TARGET_KBPS,
            "rate_control": "native",
            "one_way": True,
            "quality": quality,
            "video": False,
            "report": False,
        }
    )


def _frames(scenario: Scenario) -> list[VideoFrame]:
    """The pictures that side A's camera delivers in this call."""
    clip = open_side_clip(scenario, Side.A, RandomStream.of_seed(scenario.seed))
    with contextlib.closing(clip):
        return [clip.frame(index) for index in range(round(scenario.duration * scenario.fps))]


def _codecs_alone(scenario: Scenario, frames: list[VideoFrame]) -> int:
    """Encode and decode to the orders that the call gives; the bytes encoded."""
    planner = ReferencePlanner()
    size_bytes = 0
    with (
        open_encoder(Codec.AV1, scenario.size) as encoder,
        open_decoder(Codec.AV1) as decoder,
    ):
        for frame_id, frame in enumerate(frames):
            plan = planner.plan(key=frame_id == 0, size=scenario.size)
            settings = FrameEncodeSettings(
                encode_as=plan.encode_as,
                rate=NativeCbr(target_bps=TARGET_KBPS * 1000),
                references=plan.references,
                update_slots=plan.update_slots,
                coded_size=scenario.size,
                speed=SPEED,
                duration_us=US_PER_S // scenario.fps,
            )
            encoded = encoder.encode(frame, settings)
            planner.commit(plan, frame_id)
            decoder.decode(encoded.payload)
            size_bytes += len(encoded.payload)
    return size_bytes


def _call(scenario: Scenario) -> int:
    """Run a whole call into a folder; the bytes its encoder made."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "call"
        run_call(scenario, load_network(scenario.network), out)
        encoded: list[int | None] = pq.read_table(out / "frames.parquet")["encoded_bytes"].to_pylist()
        return sum(size or 0 for size in encoded)


def _bare_call() -> None:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "rtc", "call", "--out", str(Path(folder) / "call")]
        subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - our own command


def _wall(contender: Callable[[], object]) -> float:
    began = time.perf_counter()
    contender()
    return time.perf_counter() - began


def _median_ratio(times: list[float], base: list[float]) -> float:
    return statistics.median(time_s / base_s for time_s, base_s in zip(times, base, strict=True))


def _row(what: str, times: list[float], base: list[float], frames: int) -> dict[str, Any]:
    return {
        "what": what,
        "median s": round(statistics.median(times), 3),
        "min s": round(min(times), 3),
        "max s": round(max(times), 3),
        "ms a frame": round(statistics.median(times) / frames * 1000, 3),
        "x codecs alone": round(_median_ratio(times, base), 3),
    }
