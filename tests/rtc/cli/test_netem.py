"""`rtc netem show` draws, counts, writes a page, and refuses in one line."""

import json

import pytest
from typer.testing import CliRunner

from netem.presets import preset_names
from rtc.cli.netem import app
from rtc.report.capacity_plot import block_chart
from rtc.values.errors import LocalMisuse


def run(*words):
    return CliRunner().invoke(app, ["show", *words])


def test_it_draws_both_directions_and_prints_their_figures():
    result = run("lte-driving")
    assert result.exit_code == 0
    assert "█" in result.stdout
    for word in ("a_to_b", "b_to_a", "p5 kbps", "p95 kbps"):
        assert word in result.stdout


def test_a_trace_that_holds_both_ways_is_drawn_once(tmp_path):
    file = tmp_path / "t.txt"
    file.write_text("0 1\n1 2\n2 0\n3 4\n")
    assert "both directions, 0 to 4 s" in run(str(file)).stdout


def test_json_is_the_figures_and_nothing_else(tmp_path):
    file = tmp_path / "t.txt"
    file.write_text("0 1\n1 2\n2 0\n3 5\n")
    figures = json.loads(run(str(file), "--json").stdout)
    assert figures["directions"]["a_to_b"] == {
        "duration_s": 4.0,
        "min_kbps": 0.0,
        "p5_kbps": 0.0,
        "mean_kbps": 2000.0,
        "p95_kbps": 2000.0,
    }


def test_the_page_is_one_file_without_links_to_elsewhere(tmp_path):
    page = tmp_path / "out.html"
    assert run("3g", "--seconds", "10", "--out", str(page)).exit_code == 0
    text = page.read_text(encoding="utf-8")
    assert "plotly" in text
    assert '<script src="http' not in text


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["nonsense"], "unknown network"),
        (["3g", "--seconds", "0"], "--seconds 0"),
        (["3g", "--seconds", "9999999"], "--seconds"),
        (["3g", "--out", "x.png"], "must end in .html"),
        (["3g", "--out", "/nowhere/at/all/x.html"], "cannot be written"),
    ],
)
def test_bad_input_is_refused_in_one_line(words, says):
    error = run(*words).exception
    assert isinstance(error, LocalMisuse)
    assert says in str(error)
    assert "\n" not in str(error)


def test_the_chart_fills_from_below_and_shows_every_rate_above_nothing():
    assert block_chart((0, 1, 8, 16), height=2) == ["   █", " ▁██"]


def test_without_a_name_the_presets_are_listed():
    shown = run("--json")

    assert [row["network"] for row in json.loads(shown.stdout)["networks"]] == list(preset_names())
