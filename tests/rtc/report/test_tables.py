import io

import pytest
from rich.console import Console

from rtc.metrics.direction_records import DirectionRecords
from rtc.metrics.direction_summary import summarise_direction
from rtc.report.tables import Cell, call_table, cell_text, rows_table
from tests.support.direction_records import made_up_direction


def text_of(renderable: object) -> str:
    console = Console(file=io.StringIO(), width=140)
    console.print(renderable)
    return console.file.getvalue()


def test_both_directions_stand_side_by_side() -> None:
    summaries = {
        "a_to_b": summarise_direction(made_up_direction(seconds=2)),
        "b_to_a": summarise_direction(made_up_direction(seconds=2, seed=2)),
    }
    text = text_of(call_table(summaries, title="a [bold]call[/bold]"))
    assert "a → b" in text
    assert "b → a" in text
    assert "60 / 60 /" in text
    assert "a [bold]call[/bold]" in text


def test_what_was_not_measured_is_a_dash() -> None:
    summary = summarise_direction(DirectionRecords(frames=[], packets=[], duration_us=1_000_000))
    text = text_of(call_table({"a_to_b": summary}))
    assert "- / - / - ms" in text
    assert "None" not in text
    assert "nan" not in text


def test_rows_may_miss_columns() -> None:
    text = text_of(rows_table([{"codec": "av1", "ms": 2.5}, {"codec": "h264", "fps [peak]": 12_345}], title="cost"))
    assert "fps [peak]" in text
    assert "12,345" in text
    assert [line.split() for line in text.splitlines() if line.startswith((" av1", "av1", " h264", "h264"))] == [
        ["av1", "2.5", "-"],
        ["h264", "-", "12,345"],
    ]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "-"),
        (True, "yes"),
        (False, "no"),
        (200_000, "200,000"),
        (3.14159, "3.142"),
        (12_345.6, "12,346"),
        ("x", "x"),
    ],
)
def test_a_value_is_written_as_people_read_it(value: Cell, text: str) -> None:
    assert cell_text(value) == text
