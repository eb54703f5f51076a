"""CSV to `RateSteps`: with a header that names a rate column, or without one and the unit beside each value."""

import csv
import enum
import re
from collections.abc import Sequence
from dataclasses import dataclass

from netem.capacity_trace import RateSteps
from netem.trace_steps import rate_bps, steps, steps_from_times, time_us
from netem.trace_text import TIME_COLUMN, durations_of, number_or_none, rate_unit_bps, seen, time_unit_us
from rtc.values.errors import LocalMisuse
from rtc.values.units import US_PER_S

_BARE_RATE_COLUMN = re.compile(r"(.*[_ ])?(bit ?_?rate|throughput|bandwidth|rate|capacity|value)$", re.IGNORECASE)
_DOWN = re.compile(r"(^|[_ ])(dl|down|downlink|download)([_ ]|$)", re.IGNORECASE)
_UP = re.compile(r"(^|[_ ])(ul|up|uplink|upload)([_ ]|$)", re.IGNORECASE)
_KBPS = 1_000
"""Unit of a bare `DL_bitrate` in phone logs (G-NetTrack and the data sets made with it)."""
_NO_VALUE = {"", "-"}


class TraceDirection(enum.Enum):
    """Which column to take where a file has both."""

    DOWN = "down"
    UP = "up"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Columns:
    """Where a header says things are."""

    rate: int
    unit_bps: int
    """Of the rate column; of no meaning when there is a unit column."""
    unit: int | None
    time: int | None
    time_unit_us: int


def steps_from_csv(lines: Sequence[tuple[int, str]], *, direction: TraceDirection) -> RateSteps:
    """The steps of a CSV file, given as numbered lines."""
    rows = [(number, _cells(number, line)) for number, line in lines]
    first = rows[0][1]
    if number_or_none(first[0]) is None:
        return _with_header(rows[1:], _columns_of(first, direction=direction))
    if rate_unit_bps(first[-1]) is not None:
        return _value_and_unit(rows)
    if all(number_or_none(cell) is not None for cell in first) and len(first) == 2:  # noqa: PLR2004 - time and rate
        pairs = [(number, *_exactly_two(number, cells)) for number, cells in rows]
        return steps_from_times(pairs, unit_us=US_PER_S, unit_bps=1_000_000)
    raise LocalMisuse(
        f"not a capacity trace: CSV that begins with {seen(lines[0][1])}; "
        "need a header that names a rate column, `value,unit`, or `time_s,rate_Mbps`"
    )


def _cells(number: int, line: str) -> list[str]:
    try:
        return [cell.strip() for cell in next(csv.reader([line]))]
    except csv.Error as error:
        raise LocalMisuse(f"line {number}: not CSV ({error})") from None


def _exactly_two(number: int, cells: Sequence[str]) -> tuple[str, str]:
    if len(cells) != 2:  # noqa: PLR2004 - the columns of this format
        raise LocalMisuse(f"line {number}: {len(cells)} columns; need 2, as in the first line")
    return cells[0], cells[1]


def _value_and_unit(rows: Sequence[tuple[int, Sequence[str]]]) -> RateSteps:
    """One line a second, each with its own unit (NYU-METS)."""
    rates = []
    for number, cells in rows:
        value, unit = _exactly_two(number, cells)
        rates.append(rate_bps(value, line=number, unit_bps=_unit_of(unit, line=number)))
    return steps([US_PER_S] * len(rates), rates)


def _unit_of(cell: str, *, line: int) -> int:
    unit_bps = rate_unit_bps(cell)
    if unit_bps is None:
        raise LocalMisuse(
            f"line {line}: unit {seen(cell)} is unknown; need bits/sec, Kbits/sec, Mbits/sec or Gbits/sec"
        )
    return unit_bps


def _columns_of(header: Sequence[str], *, direction: TraceDirection) -> _Columns:
    unit = next((index for index, name in enumerate(header) if name.lower() in {"unit", "units"}), None)
    rates = {index: unit_bps for index, name in enumerate(header) if (unit_bps := _rate_column_unit(name)) is not None}
    wanted, other = (_DOWN, _UP) if direction is TraceDirection.DOWN else (_UP, _DOWN)
    chosen = [index for index in rates if wanted.search(header[index])]
    chosen = chosen or [index for index in rates if not other.search(header[index])] or list(rates)
    if not chosen:
        hint = "it looks like a delay trace" if any("rtt" in name.lower() for name in header) else "no column is a rate"
        raise LocalMisuse(
            f"not a capacity trace: CSV with the header {seen(','.join(header))}, {hint}; "
            "need a column such as kbps, bandwidth_mbps, DL_bitrate, or throughput beside unit"
        )
    if len(chosen) > 1:
        names = " and ".join(header[index] for index in chosen)
        raise LocalMisuse(f"not a capacity trace: {names} both look like the rate; need one such column")
    time = next((index for index, name in enumerate(header) if TIME_COLUMN.match(name)), None)
    return _Columns(
        rate=chosen[0],
        unit_bps=rates[chosen[0]],
        unit=unit,
        time=time,
        time_unit_us=US_PER_S if time is None else time_unit_us(header[time]),
    )


def _rate_column_unit(name: str) -> int | None:
    named = rate_unit_bps(name.rstrip(")] "))
    if named is not None:
        return named
    return _KBPS if _BARE_RATE_COLUMN.fullmatch(name) else None


def _with_header(rows: Sequence[tuple[int, Sequence[str]]], columns: _Columns) -> RateSteps:
    if not rows:
        raise LocalMisuse("not a capacity trace: CSV with a header and no lines below it")
    rates: list[int] = []
    for number, cells in rows:
        cell = _cell(cells, columns.rate, line=number)
        unit_bps = columns.unit_bps
        if columns.unit is not None:
            unit_bps = _unit_of(_cell(cells, columns.unit, line=number), line=number)
        if cell in _NO_VALUE:
            # A logger that missed a second says nothing of the link: what it last said is the best guess.
            rates.append(rates[-1] if rates else 0)
        else:
            rates.append(rate_bps(cell, line=number, unit_bps=unit_bps))
    return steps(_durations(rows, columns), rates)


def _durations(rows: Sequence[tuple[int, Sequence[str]]], columns: _Columns) -> Sequence[int]:
    """From the times where they are numbers; else a second a line (phone logs write dates, and repeat some)."""
    first = rows[0][1]
    if columns.time is None or columns.time >= len(first) or number_or_none(first[columns.time]) is None:
        return [US_PER_S] * len(rows)
    numbers = [row[0] for row in rows]
    starts = [
        time_us(_cell(cells, columns.time, line=number), line=number, unit_us=columns.time_unit_us)
        for number, cells in rows
    ]
    return durations_of(starts, numbers)


def _cell(cells: Sequence[str], column: int, *, line: int) -> str:
    if column >= len(cells):
        raise LocalMisuse(f"line {line}: {len(cells)} columns; need {column + 1} or more, as in the header")
    return cells[column]
