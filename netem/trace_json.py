"""A JSON list of `{duration_ms, bandwidth_kbps, ...}` to `RateSteps`; other keys are ignored."""

import json
from decimal import Decimal
from typing import NoReturn

from netem.capacity_trace import MAX_DURATION_US, MAX_RATE_BPS, RateSteps
from netem.trace_steps import steps
from netem.trace_text import seen
from rtc.values.errors import LocalMisuse
from rtc.values.units import US_PER_MS

_NEED = "need a list of {duration_ms, bandwidth_kbps}"


def steps_from_json(text: str) -> RateSteps:
    """The steps of a JSON list, in order."""
    entries = _load(text)
    if not isinstance(entries, list) or not entries:
        found = "an empty list" if entries == [] else f"a JSON {type(entries).__name__}"
        raise LocalMisuse(f"not a capacity trace: it is {found}; {_NEED}")
    durations, rates = [], []
    for index, entry in enumerate(entries):
        duration_us = _whole(entry, "duration_ms", index=index, factor=US_PER_MS, most=MAX_DURATION_US)
        if duration_us == 0:
            raise LocalMisuse(f"entry {index}: duration_ms is 0; need a number above 0")
        durations.append(duration_us)
        rates.append(_whole(entry, "bandwidth_kbps", index=index, factor=1_000, most=MAX_RATE_BPS))
    return steps(durations, rates)


def _load(text: str) -> object:
    try:
        return json.loads(text, parse_float=Decimal, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise LocalMisuse(f"not JSON, or cut short: {error.msg.lower()} at {where}; {_NEED}") from None
    except (ValueError, ArithmeticError, RecursionError):
        raise LocalMisuse(f"not a capacity trace: its JSON nests too deep or holds an absurd number; {_NEED}") from None


def _refuse_constant(name: str) -> NoReturn:
    raise LocalMisuse(f"not a capacity trace: its JSON holds {name}; need finite numbers")


def _whole(entry: object, key: str, *, index: int, factor: int, most: int) -> int:
    value = entry.get(key) if isinstance(entry, dict) else None
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise LocalMisuse(f"entry {index}: {seen(repr(entry))} has no number {key}; {_NEED}")
    if value < 0:
        raise LocalMisuse(f"entry {index}: {key} is {seen(str(value))}, negative; need 0 or more")
    if value > most // factor:
        raise LocalMisuse(f"entry {index}: {key} is {seen(str(value))}, absurdly large; look at the unit")
    return int((Decimal(value) * factor).to_integral_value())
