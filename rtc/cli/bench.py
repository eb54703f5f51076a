"""`rtc bench NAME`: run a benchmark and say whether it meets its goal."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from benchmarks.registry import BENCHES, runner
from rtc.cli import console
from rtc.report.json_text import json_text
from rtc.report.tables import rows_table
from rtc.values.errors import LocalMisuse

_NAME_HELP = "Which benchmark, or `list` to see them all."
_CLIP_HELP = "vbv: a clip's name, a video file, or a folder of them, in place of the usual clips; may be repeated."
_ONLY_HELP = "vbv: a part of the matrix: subject, schedule, format and rate, any of them, joined by /; may be repeated."


def bench(
    name: Annotated[str, typer.Argument(help=_NAME_HELP, show_default=False)],
    *,
    quick: Annotated[bool, typer.Option("--quick", help="Under 60 s on 2 cores, at wider error.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON instead of a table.")] = False,
    out: Annotated[Path | None, typer.Option(help="Write the figures as JSON to this file too.")] = None,
    clip: Annotated[list[str] | None, typer.Option(help=_CLIP_HELP)] = None,
    only: Annotated[list[str] | None, typer.Option(help=_ONLY_HELP)] = None,
    vmaf: Annotated[bool, typer.Option("--vmaf", help="vbv: score with VMAF too; needs imageio-ffmpeg.")] = False,
    plots: Annotated[Path | None, typer.Option(help="vbv: write plots into this folder.")] = None,
) -> None:
    """Run a benchmark, print its table and its verdict. Exit status 1 when a goal is missed.

    Examples: rtc bench list   |   rtc bench netem --quick   |   rtc bench vbv --only ours-av1/steady --out vbv.json
    """
    try:
        if name == "list":
            _print_list(as_json=as_json)
            return
        run = runner(name)
        options = _options_of(name, {"clip": clip, "only": only, "vmaf": vmaf, "plots": plots})
        _refuse_unwritable(out)
    except LocalMisuse as error:
        console.print_refusal(error)
        raise typer.Exit(console.BAD_INPUT) from error
    if "out" in BENCHES[name].options:
        options["out"] = out
    report = run(quick=quick, **options)
    if out is not None:
        out.write_text(json_text(report.document()), encoding="utf-8")
    if as_json:
        console.print_json(report.document())
    else:
        console.out.print(report.render())
    if not report.met:
        raise typer.Exit(console.CHECK_FAILED)


def _options_of(name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Those that were given, which must be the benchmark's."""
    options = {option: value for option, value in given.items() if value}
    for option in options:
        if option not in BENCHES[name].options:
            takers = ", ".join(other for other, bench in BENCHES.items() if option in bench.options)
            raise LocalMisuse(f"--{option}: benchmark {name} takes no such option; it is for {takers}")
    return options


def _print_list(*, as_json: bool) -> None:
    rows = [{"benchmark": name, "question": known.question} for name, known in BENCHES.items()]
    if as_json:
        console.print_json({"benchmarks": rows})
    else:
        console.out.print(rows_table(rows))


def _refuse_unwritable(out: Path | None) -> None:
    """A benchmark runs for minutes; find out before it that its figures have nowhere to go."""
    if out is None:
        return
    is_new = not out.exists()
    try:
        with out.open("a", encoding="utf-8"):
            pass
        if is_new:
            out.unlink()
    except OSError as error:
        raise LocalMisuse(f"--out {out}: cannot be written ({error.strerror}); name a file in a folder") from error
