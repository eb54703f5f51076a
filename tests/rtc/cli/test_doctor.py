import json

import pytest
import typer
from typer.testing import CliRunner

from rtc.cli.doctor import doctor
from rtc.codecs.libaom_binding import loader as libaom

app = typer.Typer()
app.command()(doctor)
runner = CliRunner()


def test_a_machine_with_the_wheel_is_well():
    result = runner.invoke(app, [], env={"COLUMNS": "200"})
    assert result.exit_code == 0
    for name in ("libaom", "OpenH264", "dav1d", "FFmpeg h264"):
        assert name in result.stdout


def test_json_is_the_same_figures_and_nothing_else():
    result = runner.invoke(app, ["--json"])
    libraries = json.loads(result.stdout)["libraries"]
    assert result.exit_code == 0
    assert [one["library"] for one in libraries] == ["libaom", "dav1d", "OpenH264", "FFmpeg h264"]
    assert all(one["works"] for one in libraries)


def test_what_is_missing_is_said_in_one_line_and_fails_the_check(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("RTC_LIBAOM", "/nowhere")
    libaom.load.cache_clear()
    try:
        result = runner.invoke(app, [])
    finally:
        libaom.load.cache_clear()
    assert result.exit_code == 1
    assert any("RTC_LIBAOM" in line and "pip install" in line for line in result.stdout.splitlines())
