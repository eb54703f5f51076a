"""Which benchmarks there are.

Each lives in a module of its own, imported only when it runs, that offers `run(quick: bool) -> BenchReport`.
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
}


def runner(name: str) -> Callable[..., BenchReport]:
    """The `run` of a benchmark; raises LocalMisuse, listing them all, for a name that is none."""
    if name not in BENCHES:
        raise LocalMisuse(f"benchmark {name!r} is not known; there are {', '.join(BENCHES)}")
    run: Callable[..., BenchReport] = importlib.import_module(BENCHES[name].module).run
    return run
