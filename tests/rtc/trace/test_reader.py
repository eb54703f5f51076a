import pytest

from rtc.trace.reader import TracedEvent, read_events
from rtc.values.errors import LocalMisuse
from rtc.values.trace_events import FrameDisplayed

HEADER = '{"schema":1,"format":"rtc-trace","time_unit":"us","seed":7}\n'
LINE = '{"time_us":5,"source":"b","name":"video:frame_displayed","data":{"frame_id":3}}\n'
EVENT = TracedEvent(time_us=5, source="b", name="video:frame_displayed", data={"frame_id": 3})


def test_events_come_back_in_order() -> None:
    assert list(read_events([HEADER, LINE, LINE])) == [EVENT, EVENT]
    assert EVENT.typed() == FrameDisplayed(frame_id=3)


@pytest.mark.parametrize("length", range(1, len(LINE) - 1))
def test_a_last_line_that_was_cut_off_is_passed_over(length: int) -> None:
    assert list(read_events([HEADER, LINE, LINE[:length]])) == [EVENT]


@pytest.mark.parametrize(
    "lines",
    [
        [],
        [LINE],
        ["not JSON\n"],
        [HEADER, "not JSON\n"],
        [HEADER, LINE[:20], LINE],
        [HEADER, "[1]\n"],
        [HEADER, '{"time_us":5}\n'],
    ],
)
def test_what_is_not_a_trace_is_refused_in_one_line(lines: list[str]) -> None:
    with pytest.raises(LocalMisuse, match=r"^trace[^\n]*$"):
        list(read_events(lines))


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("video:frame_imagined", {"frame_id": 3}),
        ("video:frame_displayed", {}),
        ("video:frame_displayed", {"frame_id": "3"}),
        ("video:frame_dropped", {"capture_index": 0, "reason": "mood"}),
        ("video:frame_decoded", {"frame_id": 0, "size": "large", "decode_time_us": 1}),
        ("video:frame_decoded", {"frame_id": 0, "size": 640, "decode_time_us": 1}),
    ],
)
def test_an_event_that_does_not_hold_what_it_should_is_refused(name: str, data: dict[str, object]) -> None:
    with pytest.raises(LocalMisuse, match="trace"):
        TracedEvent(time_us=0, source="a", name=name, data=data).typed()
