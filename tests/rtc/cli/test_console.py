import json

import pytest

from rtc.cli import console
from rtc.values.errors import LocalMisuse


def test_a_document_is_all_there_is_on_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    document = {"name": "[bold]x[/bold] " + "long " * 100, "figure": 0.1, "arrow": "a → b"}
    console.print_json(document)
    written = capsys.readouterr()
    assert json.loads(written.out) == document
    assert written.err == ""


def test_a_refusal_is_one_line_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    console.print_refusal(LocalMisuse("size 3x3:\n too small; name one from 16x16"))
    assert capsys.readouterr() == ("", "rtc: size 3x3: too small; name one from 16x16\n")


def test_progress_shows_nothing_where_nobody_watches(capsys: pytest.CaptureFixture[str]) -> None:
    with console.progress("call", 20.0) as show:
        show(10.0)
    assert capsys.readouterr() == ("", "")
