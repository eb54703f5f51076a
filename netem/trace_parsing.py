"""Text to `CapacityTrace`, the format recognised by its content; what cannot be is refused with what was seen."""

import re
from collections.abc import Sequence

from netem.capacity_trace import MAX_DURATION_US, CapacityTrace, DeliveryOpportunities
from netem.trace_csv import TraceDirection, steps_from_csv
from netem.trace_json import steps_from_json
from netem.trace_steps import steps_from_times
from netem.trace_text import content_lines, number_or_none, rate_unit_bps, seen
from rtc.values.errors import LocalMisuse
from rtc.values.units import US_PER_MS, US_PER_S

_FORMATS = (
    "need a time in ms a line (Mahimahi), two columns of time in s and rate in Mbps, "
    "a JSON list of {duration_ms, bandwidth_kbps}, or CSV with a rate column"
)
_WHOLE = re.compile(r"\d{1,15}", re.ASCII)

__all__ = ["TraceDirection", "parse_capacity"]


def parse_capacity(text: str, *, direction: TraceDirection = TraceDirection.DOWN) -> CapacityTrace:
    """The trace a text holds, or LocalMisuse with one line; `direction` chooses where a CSV has columns for both.

    Mahimahi: a whole number of ms a line. Two columns: time in s, rate in Mbps, held until the next time. JSON: a list
    of `{duration_ms, bandwidth_kbps}`. CSV: see `trace_csv`.
    """
    text = text.removeprefix("\ufeff")
    lines = content_lines(text, kind="capacity trace")
    first = lines[0][1]
    if first[0] in "[{":
        return steps_from_json(text)
    if "," in first or rate_unit_bps(first) is not None:
        return steps_from_csv(lines, direction=direction)
    cells = first.split()
    if len(cells) == 1 and number_or_none(first) is not None:
        return _from_mahimahi(lines)
    if len(cells) == 2 and all(number_or_none(cell) is not None for cell in cells):  # noqa: PLR2004 - time and rate
        rows = [(number, *_two_cells(number, line)) for number, line in lines]
        return steps_from_times(rows, unit_us=US_PER_S, unit_bps=1_000_000)
    raise LocalMisuse(f"not a capacity trace: line {lines[0][0]} is {seen(first)}; {_FORMATS}")


def _from_mahimahi(lines: Sequence[tuple[int, str]]) -> DeliveryOpportunities:
    if {line for _, line in lines} == {"0", "1"}:
        raise LocalMisuse("not a capacity trace: every line is 0 or 1, as in a file of recorded loss; use it as that")
    times: list[int] = []
    for number, line in lines:
        if not _WHOLE.fullmatch(line) or int(line) * US_PER_MS > MAX_DURATION_US:
            raise LocalMisuse(f"line {number}: {seen(line)}; need a whole number of ms, 0 or more and less than a year")
        if times and int(line) < times[-1]:
            raise LocalMisuse(f"line {number}: {line} ms comes after {times[-1]} ms; times must not decrease")
        times.append(int(line))
    return DeliveryOpportunities(times_ms=tuple(times))


def _two_cells(number: int, line: str) -> tuple[str, str]:
    cells = line.split()
    if len(cells) != 2:  # noqa: PLR2004 - time and rate
        raise LocalMisuse(f"line {number}: {seen(line)} has {len(cells)} columns; need 2: time in s and rate in Mbps")
    return cells[0], cells[1]
