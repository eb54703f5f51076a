import dataclasses
import enum
import io
import json
import typing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtc.trace.formatting import format_of
from rtc.trace.reader import read_events
from rtc.trace.writer import FLUSH_LINES, JsonLinesTrace
from rtc.values.formats import Codec, FrameSize
from rtc.values.frames import FrameType
from rtc.values.trace_events import (
    FrameDisplayed,
    FrameEncoded,
    PacketDropped,
    PacketKind,
    PacketSent,
    TraceEvent,
)

SIZES = st.builds(FrameSize, st.integers(8, 100).map(lambda half: 2 * half), st.just(64))
EVENT_CLASSES = typing.get_args(TraceEvent)
EVENTS = st.one_of(
    *(
        st.builds(
            event_class,
            **{
                name: SIZES
                if hint is FrameSize
                else st.none() | SIZES
                if hint == (FrameSize | None)
                else st.from_type(hint)
                for name, hint in typing.get_type_hints(event_class).items()
                if name != "name"
            },
        )
        for event_class in EVENT_CLASSES
    )
)


def plain(value: object) -> object:
    """What a field should read as in JSON."""
    match value:
        case enum.Enum():
            return value.value
        case FrameSize():
            return str(value)
        case tuple():
            return [plain(item) for item in value]
        case _:
            return value


def written(*events: tuple[int, TraceEvent], source: str = "a") -> list[str]:
    stream = io.StringIO()
    with JsonLinesTrace(stream, seed=7) as trace:
        sink = trace.source(source)
        for now_us, event in events:
            sink.record(now_us, event)
    return stream.getvalue().splitlines()


def test_the_header_comes_first_and_holds_schema_and_seed() -> None:
    assert written() == ['{"schema":1,"format":"rtc-trace","time_unit":"us","seed":7}']


def test_an_encoded_frame_is_written_to_these_bytes() -> None:
    event = FrameEncoded(
        frame_id=3,
        capture_index=4,
        codec=Codec.AV1,
        frame_type=FrameType.RECOVERY,
        references=(0, 2),
        temporal_layer=1,
        is_long_term_reference=True,
        size=FrameSize(640, 360),
        speed=10,
        target_bps=200_000,
        encoded_bytes=812,
        quantizer=37,
        encode_time_us=2_411,
        encodes=2,
    )
    assert written((133_333, event))[1] == (
        '{"time_us":133333,"source":"a","name":"video:frame_encoded","data":{"frame_id":3,"capture_index":4,'
        '"codec":"av1","frame_type":"recovery","references":[0,2],"temporal_layer":1,"is_long_term_reference":true,'
        '"size":"640x360","speed":10,"target_bps":200000,"encoded_bytes":812,"quantizer":37,"encode_time_us":2411,"encodes":2}}'
    )


@given(st.integers(0, 10**12), EVENTS)
def test_a_line_means_what_json_would_have_made_of_the_event(now_us: int, event: TraceEvent) -> None:
    line = json.loads(written((now_us, event))[1])
    assert line == {
        "time_us": now_us,
        "source": "a",
        "name": event.name,
        "data": {field.name: plain(getattr(event, field.name)) for field in dataclasses.fields(event)},
    }


@given(st.lists(st.tuples(st.integers(0, 10**12), EVENTS), max_size=5))
def test_what_is_written_reads_back_as_the_same_events(events: list[tuple[int, TraceEvent]]) -> None:
    assert [(read.time_us, read.typed()) for read in read_events(written(*events))] == events


def test_text_that_json_must_escape_stays_on_one_line() -> None:
    reason = 'queue "full"\n100 % \\ of 3 → packets'
    lines = written((0, PacketDropped(packet_index=1, reason=reason)), source='odd "source" %d')
    assert len(lines) == 2
    read = json.loads(lines[1])
    assert (read["source"], read["data"]["reason"]) == ('odd "source" %d', reason)


def test_sources_share_the_stream_in_the_order_of_events() -> None:
    stream = io.StringIO()
    with JsonLinesTrace(stream, seed=0) as trace:
        first, second = trace.source("a"), trace.source("a_to_b")
        first.record(1, FrameDisplayed(frame_id=0))
        second.record(2, PacketDropped(packet_index=0, reason="random"))
        first.record(3, FrameDisplayed(frame_id=1))
    assert [json.loads(line)["source"] for line in stream.getvalue().splitlines()[1:]] == ["a", "a_to_b", "a"]


def test_lines_reach_the_stream_whole_and_at_bounded_intervals() -> None:
    stream = io.StringIO()
    sink = JsonLinesTrace(stream, seed=0).source("a")
    for index in range(FLUSH_LINES + 10):
        sink.record(index, FrameDisplayed(frame_id=index))
    so_far = stream.getvalue()
    assert so_far.endswith("}\n")
    assert len(so_far.splitlines()) == FLUSH_LINES


def test_what_is_held_is_written_when_the_run_fails() -> None:
    stream = io.StringIO()

    def fail_half_way() -> None:
        with JsonLinesTrace(stream, seed=0) as trace:
            trace.source("a").record(1, FrameDisplayed(frame_id=0))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail_half_way()
    assert len(stream.getvalue().splitlines()) == 2


def test_a_packet_without_a_frame_has_nulls() -> None:
    event = PacketSent(packet_index=0, kind=PacketKind.FEEDBACK, size_bytes=80, frame_id=None, unwrapped_sequence=None)
    assert '"kind":"feedback","size_bytes":80,"frame_id":null,"unwrapped_sequence":null' in written((0, event))[1]


def test_a_field_of_a_type_nobody_thought_of_is_found_before_anything_is_written() -> None:
    @dataclasses.dataclass
    class Odd:
        name: typing.ClassVar[str] = "odd"
        ratio: dict[str, int]

    with pytest.raises(TypeError, match=r"rtc\.trace\.formatting"):
        format_of(Odd)
