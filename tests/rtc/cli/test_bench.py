import json
import sys
import types
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from benchmarks.registry import BENCHES, Bench
from benchmarks.report import BenchReport, Verdict
from rtc.cli.bench import bench

app = typer.Typer()
app.command()(bench)


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


@pytest.fixture(autouse=True)
def made_up_benches(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, met in (("good", True), ("poor", False)):
        module = types.ModuleType(f"made_up_{name}")
        module.run = lambda quick, met=met: BenchReport(
            name="made-up",
            goal="is it fast?",
            rows=({"packets/s": 250_000 if met else 3, "quick": quick},),
            verdicts=(Verdict(goal="at least 200,000 packets a second", measured="some", met=met),),
            notes=("one run",),
        )
        monkeypatch.setitem(sys.modules, module.__name__, module)
        monkeypatch.setitem(BENCHES, name, Bench(module=module.__name__, question="?"))


def test_a_met_goal_is_status_0_and_a_missed_one_status_1() -> None:
    assert invoke("good").exit_code == 0
    poor = invoke("poor")
    assert poor.exit_code == 1
    assert "MISSED" in poor.stdout


def test_the_table_the_method_and_the_verdict_are_printed() -> None:
    text = invoke("good", "--quick").stdout
    for part in ("packets/s", "250,000", "yes", "one run", "met", "at least 200,000 packets a second"):
        assert part in text


def test_json_stands_alone_on_standard_output_and_in_the_file(tmp_path: Path) -> None:
    result = invoke("good", "--json", "--out", str(tmp_path / "good.json"))
    document = json.loads(result.stdout)
    assert document["rows"] == [{"packets/s": 250_000, "quick": False}]
    assert document["met"] is True
    assert json.loads((tmp_path / "good.json").read_text()) == document


def test_an_unknown_name_is_status_2_and_one_line_that_lists_them_all() -> None:
    result = invoke("fastest")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    for name in BENCHES:
        assert name in result.stderr


def test_a_file_that_cannot_be_written_is_found_before_the_run(tmp_path: Path) -> None:
    result = invoke("good", "--out", str(tmp_path / "no such folder" / "good.json"))
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)


def test_an_option_goes_to_the_benchmark_that_takes_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    taken = {}
    known = Bench(module=BENCHES["good"].module, question="?", options=frozenset({"clip", "vmaf", "out"}))
    run = sys.modules[known.module].run

    def noting(*, quick: bool, **options: object) -> BenchReport:
        taken.update(options)
        return run(quick)

    monkeypatch.setattr(sys.modules[known.module], "run", noting)
    monkeypatch.setitem(BENCHES, "good", known)
    out = tmp_path / "good.json"
    assert invoke("good", "--clip", "motion", "--clip", "screen", "--vmaf", "--out", str(out)).exit_code == 0
    assert taken == {"clip": ["motion", "screen"], "vmaf": True, "out": out}


@pytest.mark.parametrize("option", [("--clip", "motion"), ("--only", "steady"), ("--vmaf",), ("--plots", "folder")])
def test_an_option_of_another_benchmark_is_status_2_and_one_line_that_says_whose_it_is(option: tuple[str, ...]) -> None:
    result = invoke("good", *option)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert option[0] in result.stderr
    assert "vbv" in result.stderr


def test_list_names_every_benchmark() -> None:
    assert "netem" in invoke("list").stdout
    assert [row["benchmark"] for row in json.loads(invoke("list", "--json").stdout)["benchmarks"]] == list(BENCHES)
