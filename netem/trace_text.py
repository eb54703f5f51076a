"""What every text format of a trace is made of: lines, cells, exact numbers, units, and one-line complaints."""

import re
from collections.abc import Sequence
from decimal import Decimal

from rtc.values.errors import LocalMisuse
from rtc.values.units import US_PER_S

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?", re.ASCII)
_MAX_CELL = 40
"""No number is longer; what is shown of a bad line is not either."""
TIME_COLUMN = re.compile(r"(t|time|timestamp|elapsed|seconds?)([_ (].*)?$", re.IGNORECASE)
"""Names that a column of times goes by."""
_UNITS_BPS = {"": 1, "k": 1_000, "m": 1_000_000, "g": 1_000_000_000}
_RATE_UNIT = re.compile(r"([kmg]?)(?:bps|bits?\s*(?:/|per|_per_|p)\s*s(?:ec(?:ond)?)?)$", re.IGNORECASE)


def seen(text: str) -> str:
    """A piece of input as it may stand in a one-line message."""
    return repr(text if len(text) <= _MAX_CELL else text[: _MAX_CELL - 3] + "...")


def content_lines(text: str, *, kind: str) -> list[tuple[int, str]]:
    """The lines that are not blank, stripped, each with its number in the file, from 1."""
    if "\0" in text:
        raise LocalMisuse(f"not a {kind}: it holds binary data; need text")
    lines = [(number, stripped) for number, line in enumerate(text.splitlines(), 1) if (stripped := line.strip())]
    if not lines:
        raise LocalMisuse(f"not a {kind}: it has no lines")
    return lines


def number_or_none(cell: str) -> Decimal | None:
    """The exact finite decimal a cell holds, or None when it holds anything else."""
    return Decimal(cell) if len(cell) <= _MAX_CELL and _NUMBER.fullmatch(cell) else None


def non_negative(cell: str, *, line: int, what: str) -> Decimal:
    """The number a cell holds, which must be 0 or more."""
    value = number_or_none(cell)
    if value is None:
        raise LocalMisuse(f"line {line}: {seen(cell)} is no {what}; need a number of 0 or more")
    if value < 0:
        raise LocalMisuse(f"line {line}: {what} {seen(cell)} is negative; need 0 or more")
    return value


def scaled(value: Decimal, factor: int, *, line: int, what: str, most: int) -> int:
    """`value * factor` to the nearest whole number, refused above `most` before it can grow out of hand."""
    if value > most // factor + 1 or (whole := int((value * factor).to_integral_value())) > most:
        raise LocalMisuse(f"line {line}: {what} {seen(str(value))} is absurdly large; look at the unit")
    return whole


def rate_unit_bps(text: str) -> int | None:
    """Bits a second in one of the unit that a text ends with (`Mbits/sec`, `kbps`, `bandwidth_kbps`), or None."""
    found = _RATE_UNIT.search(text.strip())
    return None if found is None else _UNITS_BPS[found[1].lower()]


def time_unit_us(name: str) -> int:
    """Microseconds in one of the unit that a time column's name ends with; seconds where it names none."""
    if re.search(r"(^|_|\()(ms|msec|milliseconds?)\)?$", name, re.IGNORECASE):
        return US_PER_S // 1_000
    if re.search(r"(^|_|\()(us|usec|microseconds?)\)?$", name, re.IGNORECASE):
        return 1
    return US_PER_S


def durations_of(starts_us: Sequence[int], numbers: Sequence[int]) -> list[int]:
    """How long each value holds: until the next time; the last as long as the one before it, or a second if alone.

    `numbers` are the lines' numbers, for the complaint about a time that decreases.
    """
    durations = []
    for index in range(1, len(starts_us)):
        duration_us = starts_us[index] - starts_us[index - 1]
        if duration_us < 0:
            raise LocalMisuse(f"line {numbers[index]}: its time is before that of the line above; times must increase")
        durations.append(duration_us)
    last_us = next((duration for duration in reversed(durations) if duration), US_PER_S)
    return [*durations, last_us]
