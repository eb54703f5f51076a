"""Text to `DelayTrace`: pings or one-way delays over time; an empty value (or -1, or a dash) is a loss."""

import enum
import re
from collections.abc import Sequence
from dataclasses import dataclass

from netem.delay import MAX_DELAY_US, DelayTrace
from netem.trace_steps import time_us
from netem.trace_text import (
    TIME_COLUMN,
    content_lines,
    durations_of,
    non_negative,
    number_or_none,
    scaled,
    seen,
    time_unit_us,
)
from rtc.values.errors import LocalMisuse
from rtc.values.units import US_PER_MS, US_PER_S

_ROUND_TRIP = re.compile(r"(rtt|round_?trip)", re.IGNORECASE)
_ONE_WAY = re.compile(r"(owd|one_?way|delay|latency)", re.IGNORECASE)
_NO_REPLY = {"", "-", "-1"}
"""What ping loggers write for a probe that was not answered; every other negative value is refused."""
_NEED = "need CSV with a time and an rtt_ms or one_way_ms column, or two columns of time in s and delay in ms"


class DelayMeaning(enum.Enum):
    """What the delays of a file without a header are; a header's names win."""

    ROUND_TRIP = "round_trip"
    """Half of it is taken for each direction."""
    ONE_WAY = "one_way"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Columns:
    time: int
    time_unit_us: int
    delay: int
    delay_unit_us: int
    meaning: DelayMeaning
    run: int | None


def parse_delay_trace(text: str, *, meaning: DelayMeaning = DelayMeaning.ROUND_TRIP) -> DelayTrace:
    """The one-way delays a text holds, or LocalMisuse with one line.

    CSV with a header (`t_s,seq,rtt_ms`; `run,seq,t_s,rtt_ms`, the runs one after another), or two columns without.
    """
    lines = content_lines(text.removeprefix("\ufeff"), kind="delay trace")
    rows = [(number, _cells(line)) for number, line in lines]
    if number_or_none(rows[0][1][0]) is not None:
        if len(rows[0][1]) != 2:  # noqa: PLR2004 - time and delay
            raise LocalMisuse(f"not a delay trace: line {rows[0][0]} is {seen(lines[0][1])}; {_NEED}")
        columns = _Columns(time=0, time_unit_us=US_PER_S, delay=1, delay_unit_us=US_PER_MS, meaning=meaning, run=None)
    else:
        columns = _columns_of(rows[0][1])
        rows = rows[1:]
    if not rows:
        raise LocalMisuse("not a delay trace: a header and no lines below it")
    return _trace(rows, columns)


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.split(",")] if "," in line else line.split()


def _columns_of(header: Sequence[str]) -> _Columns:
    def first(pattern: re.Pattern[str]) -> int | None:
        return next((index for index, name in enumerate(header) if pattern.match(name)), None)

    time, round_trip, one_way = first(TIME_COLUMN), first(_ROUND_TRIP), first(_ONE_WAY)
    delay = one_way if round_trip is None else round_trip
    if time is None or delay is None:
        raise LocalMisuse(f"not a delay trace: it begins with {seen(','.join(header))}; {_NEED}")
    return _Columns(
        time=time,
        time_unit_us=time_unit_us(header[time]),
        delay=delay,
        delay_unit_us=US_PER_MS if header[delay].lower() in {"rtt", "owd", "delay"} else time_unit_us(header[delay]),
        meaning=DelayMeaning.ONE_WAY if round_trip is None else DelayMeaning.ROUND_TRIP,
        run=header.index("run") if "run" in header else None,
    )


def _trace(rows: Sequence[tuple[int, Sequence[str]]], columns: _Columns) -> DelayTrace:
    starts: list[int] = []
    delays: list[int | None] = []
    begins_us = 0
    for run in _runs(rows, columns):
        times = [time_us(_time_cell(row, columns), line=row[0], unit_us=columns.time_unit_us) for row in run]
        lengths = durations_of(times, [row[0] for row in run])
        for row, length_us in zip(run, lengths, strict=True):
            if length_us:
                starts.append(begins_us)
                delays.append(_delay_us(row, columns))
                begins_us += length_us
    return DelayTrace(starts_us=tuple(starts), delays_us=tuple(delays), duration_us=begins_us)


def _runs(rows: Sequence[tuple[int, Sequence[str]]], columns: _Columns) -> list[list[tuple[int, Sequence[str]]]]:
    """Rows of one run each; each run's times begin anew."""
    if columns.run is None:
        return [list(rows)]
    runs: list[list[tuple[int, Sequence[str]]]] = []
    latest: str | None = None
    for number, cells in rows:
        name = cells[columns.run] if columns.run < len(cells) else ""
        if name != latest:
            runs.append([])
        runs[-1].append((number, cells))
        latest = name
    return runs


def _time_cell(row: tuple[int, Sequence[str]], columns: _Columns) -> str:
    number, cells = row
    if columns.time >= len(cells):
        raise LocalMisuse(f"line {number}: {len(cells)} columns and no time; need as many as in the first line")
    return cells[columns.time]


def _delay_us(row: tuple[int, Sequence[str]], columns: _Columns) -> int | None:
    number, cells = row
    cell = cells[columns.delay] if columns.delay < len(cells) else ""
    if cell in _NO_REPLY:
        return None
    value = non_negative(cell, line=number, what="delay")
    delay_us = scaled(value, columns.delay_unit_us, line=number, what="delay", most=MAX_DELAY_US)
    return delay_us // 2 if columns.meaning is DelayMeaning.ROUND_TRIP else delay_us
