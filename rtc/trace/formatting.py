"""Turning typed events into JSON, by a formatter made once for each class of event.

A call traces some hundred events a second and endpoint, so a line must cost microseconds: the fields that JSON writes
as Python's `%` does (integers) go straight into a template, and only the others are converted on the way.
"""

import dataclasses
import enum
import functools
import json
import operator
import types
import typing
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rtc.values.formats import FrameSize

Convert = Callable[[Any], str]


@dataclass(frozen=True, slots=True)
class EventFormat:
    """How one class of event is written: a `%` template for its data, its fields, and those to be converted."""

    name: str
    template: str
    fields: Callable[[Any], tuple[Any, ...]]
    conversions: tuple[tuple[int, Convert], ...]

    def arguments(self, event: object) -> tuple[Any, ...]:
        """The template's arguments for this event."""
        values = self.fields(event)
        if not self.conversions:
            return values
        converted = list(values)
        for index, convert in self.conversions:
            converted[index] = convert(converted[index])
        return tuple(converted)


@functools.cache
def format_of(event_class: type) -> EventFormat:
    """The format of a class of event, from the types of its fields."""
    hints = typing.get_type_hints(event_class)
    names = [field.name for field in dataclasses.fields(event_class)]
    conversions = [(index, conversion_of(hints[name])) for index, name in enumerate(names)]
    return EventFormat(
        name=event_class.name,  # type: ignore[attr-defined]  # every event class names itself
        template="{" + ",".join(f'"{name}":%s' for name in names) + "}",
        fields=_getter(names),
        conversions=tuple((index, convert) for index, convert in conversions if convert is not None),
    )


def _getter(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    if len(names) > 1:
        return operator.attrgetter(*names)
    return lambda event: tuple(getattr(event, name) for name in names)


def conversion_of(hint: Any) -> Convert | None:  # noqa: ANN401 - an annotation may be any object
    """What writes a value of this type as JSON; None where `%s` already does."""
    if hint is int:
        return None
    if hint is bool:
        return {False: "false", True: "true"}.__getitem__
    if hint is str:
        return functools.partial(json.dumps, ensure_ascii=True)
    if hint is FrameSize:
        return lambda size: f'"{size.width}x{size.height}"'
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return {member: json.dumps(member.value) for member in hint}.__getitem__
    return _conversion_of_generic(hint)


def _conversion_of_generic(hint: Any) -> Convert:  # noqa: ANN401 - an annotation may be any object
    match typing.get_origin(hint), typing.get_args(hint):
        case types.UnionType | typing.Union, (inner, types.NoneType):
            convert = conversion_of(inner) or str
            return lambda value: "null" if value is None else convert(value)
        case origin, (inner, end) if origin is tuple and end is Ellipsis:
            convert = conversion_of(inner) or str
            return lambda values: "[" + ",".join(map(convert, values)) + "]"
    raise TypeError(f"no way to write a field of type {hint} into a trace: add one to rtc.trace.formatting")
