"""Which benchmarks there are.

Each lives in a module of its own, imported only when it runs, that offers `run(quick: bool) -> BenchReport`. Its `run`
may take more by keyword; `Bench.options` names what.
"""

import importlib
from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.report import BenchReport
from rtc.values.errors import LocalMisuse


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """One benchmark."""

    module: str
    question: str
    options: frozenset[str] = frozenset()
    """What its `run` takes besides `quick`: options of the command line by name (`clip`, `only`, `vmaf`, `plots`), and
    `out`, the file that the report goes to, for one that writes further files beside it."""


BENCHES: dict[str, Bench] = {
    "netem": Bench(
        module="benchmarks.netem",
        question="how many packets a second the emulator alone passes, and how true its rate is",
    ),
    "speed": Bench(
        module="benchmarks.speed",
        question="how much longer a call takes than the bare encoding and decoding of its frames",
    ),
    "codec_cost": Bench(
        module="benchmarks.codec_cost", question="what encoding and decoding cost, by codec, size and speed"
    ),
    "bdrate": Bench(
        module="benchmarks.bdrate",
        question="how many fewer bits AV1 takes than H.264 at equal quality, and at what CPU time, speed by speed",
    ),
    "vbv": Bench(
        module="benchmarks.vbv.bench",
        question="how well rate control keeps VBV delay and target, and what that costs in quality and time",
        options=frozenset({"clip", "only", "vmaf", "plots", "out"}),
    ),
}


def runner(name: str) -> Callable[..., BenchReport]:
    """The `run` of a benchmark; raises LocalMisuse, listing them all, for a name that is none."""
    if name not in BENCHES:
        raise LocalMisuse(f"benchmark {name!r} is not known; there are {', '.join(BENCHES)}")
    run: Callable[..., BenchReport] = importlib.import_module(BENCHES[name].module).run
    return run
