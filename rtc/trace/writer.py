"""A trace as JSON lines in the shape of qlog (draft-ietf-quic-qlog-main-schema): a header, then one event a line.

Header:  {"schema":1,"format":"rtc-trace","time_unit":"us","seed":7}
Event:   {"time_us":33366,"source":"a","name":"video:frame_encoded","data":{...}}

A source is an endpoint (`a`, `b`) or a path (`a_to_b`, `b_to_a`). Enums are written as their values, sizes as
"640x360". There are no times of day and no file paths, so the same call leaves the same bytes.
"""

import json
from types import TracebackType
from typing import Any, Self, TextIO

from rtc.trace.formatting import format_of
from rtc.values.trace_events import TraceEvent

SCHEMA = 1
FORMAT = "rtc-trace"
"""What the header calls the format; by it a file is known to be a trace."""
FLUSH_LINES = 512
"""After so many lines they are written out together, so that an interrupted run leaves a file that reads."""


class JsonLinesTrace:
    """Writes the events of several sources to one text stream, which it neither opens nor closes.

    `source` gives a sink for each endpoint and path. `flush` (or leaving a `with` block) writes what is still held.
    """

    def __init__(self, stream: TextIO, *, seed: int) -> None:
        self._stream = stream
        header = {"schema": SCHEMA, "format": FORMAT, "time_unit": "us", "seed": seed}
        self._lines = [json.dumps(header, separators=(",", ":"))]

    def source(self, name: str) -> "SourceTrace":
        """A sink whose events carry this name."""
        return SourceTrace(name, self)

    def write_line(self, line: str) -> None:
        """Take one line, without its end."""
        lines = self._lines
        lines.append(line)
        if len(lines) >= FLUSH_LINES:
            self.flush()

    def flush(self) -> None:
        """Hand every line over to the stream and make it pass them on."""
        if self._lines:
            self._stream.write("\n".join(self._lines) + "\n")
            self._lines.clear()
        self._stream.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.flush()


class SourceTrace:
    """A TraceSink for one source."""

    def __init__(self, name: str, trace: JsonLinesTrace) -> None:
        self._name = json.dumps(name)
        self._trace = trace
        self._written: dict[type, tuple[str, Any]] = {}

    def record(self, now_us: int, event: TraceEvent) -> None:
        """Write one event that happened at `now_us`."""
        known = self._written.get(event.__class__)
        if known is None:
            known = self._prepare(event.__class__)
        template, arguments = known
        self._trace.write_line(template % (now_us, *arguments(event)))

    def _prepare(self, event_class: type) -> tuple[str, Any]:
        event_format = format_of(event_class)
        before = f'"source":{self._name},"name":{json.dumps(event_format.name)},"data":'.replace("%", "%%")
        template = f'{{"time_us":%d,{before}{event_format.template}}}'
        self._written[event_class] = (template, event_format.arguments)
        return self._written[event_class]
