"""Reading a trace back: as plain values, or as the typed events it was written from."""

import dataclasses
import enum
import functools
import json
import types
import typing
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from rtc.trace.writer import SCHEMA
from rtc.values.errors import LocalMisuse
from rtc.values.formats import FrameSize
from rtc.values.trace_events import TraceEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class TracedEvent:
    """One line of a trace."""

    time_us: int
    source: str
    name: str
    data: dict[str, Any]

    def typed(self) -> TraceEvent:
        """The event this line was written from; raises LocalMisuse for a name or field nobody knows."""
        event_class = _classes().get(self.name)
        if event_class is None:
            raise LocalMisuse(f"trace: no event is called {self.name!r}; known are {', '.join(sorted(_classes()))}")
        hints = typing.get_type_hints(event_class)
        try:
            fields = {field.name: _read(hints[field.name], self.data[field.name]) for field in _fields(event_class)}
        except (KeyError, ValueError, TypeError, AttributeError) as error:
            raise LocalMisuse(f"trace: event {self.name} does not hold what it should: {error!r}") from error
        return typing.cast("TraceEvent", event_class(**fields))


def read_events(lines: Iterable[str]) -> Iterator[TracedEvent]:
    """The events of a trace in their order, its header checked.

    A last line that was cut off (the run was interrupted) is passed over; anything else that is not an event raises
    LocalMisuse with the line's number.
    """
    numbered = ((number, line) for number, line in enumerate(lines, start=1) if line.strip())
    first = next(numbered, None)
    if first is None or _parse(*first).get("schema") != SCHEMA:
        raise LocalMisuse(f"trace: the first line must be a header with schema {SCHEMA}")
    held: LocalMisuse | None = None
    for number, line in numbered:
        if held is not None:
            raise held
        try:
            yield _event(number, line)
        except LocalMisuse as error:
            if line.endswith("\n"):
                raise
            held = error


def _event(number: int, line: str) -> TracedEvent:
    parsed = _parse(number, line)
    if parsed.keys() != {"time_us", "source", "name", "data"}:
        raise LocalMisuse(f"trace line {number}: an event has time_us, source, name and data, not {', '.join(parsed)}")
    return TracedEvent(**parsed)


def _parse(number: int, line: str) -> dict[str, Any]:
    try:
        parsed = json.loads(line)
    except ValueError as error:
        raise LocalMisuse(f"trace line {number}: not JSON: {line.strip()[:60]!r}") from error
    if not isinstance(parsed, dict):
        raise LocalMisuse(f"trace line {number}: a JSON object was expected, not {line.strip()[:60]!r}")
    return parsed


@functools.cache
def _classes() -> dict[str, type]:
    return {event_class.name: event_class for event_class in typing.get_args(TraceEvent)}


def _fields(event_class: Any) -> tuple[dataclasses.Field[Any], ...]:  # noqa: ANN401 - a class made by dataclass()
    return dataclasses.fields(event_class)


def _read(hint: Any, value: Any) -> Any:  # noqa: ANN401 - from any JSON value to any field's type
    if typing.get_origin(hint) in (types.UnionType, typing.Union):
        return None if value is None else _read(typing.get_args(hint)[0], value)
    if typing.get_origin(hint) is tuple:
        return tuple(_read(typing.get_args(hint)[0], item) for item in value)
    if hint is FrameSize:
        width, height = value.split("x")
        return FrameSize(int(width), int(height))
    if issubclass(hint, enum.Enum):
        return hint(value)
    if type(value) is not hint:
        raise TypeError(f"{value!r} is not {hint.__name__}")
    return value
