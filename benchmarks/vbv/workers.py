"""Jobs spread over processes, one a core; results arrive as each is done."""

import concurrent.futures
import multiprocessing
import os
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool

from benchmarks.vbv.matrix import Job
from benchmarks.vbv.measurement import Failure, Row
from benchmarks.vbv.work import work
from rtc.values.errors import CodecError


def results(jobs: Sequence[Job]) -> Iterator[tuple[Row | Failure, ...]]:
    """What each job gave, in the order they end; whoever stops asking stops the jobs.

    Raises:
        CodecError: a process died, which is how a codec library ends that aborts.

    """
    executor = concurrent.futures.ProcessPoolExecutor(
        min(os.cpu_count() or 1, len(jobs)),
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_leave_signals_to_parent,
    )
    try:
        futures = [executor.submit(work, job) for job in jobs]
        for future in concurrent.futures.as_completed(futures):
            yield future.result()
    except BrokenProcessPool as error:
        raise CodecError("a process of the bench died; did a codec library abort? Run the rest with --only") from error
    finally:
        executor.shutdown(wait=False, cancel_futures=True)
        for process in multiprocessing.active_children():
            process.terminate()


def _leave_signals_to_parent() -> None:
    """Ctrl-C reaches every process of the terminal; the parent ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
