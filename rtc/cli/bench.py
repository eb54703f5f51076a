"""`rtc bench NAME`: run a benchmark and say whether it meets its goal."""

from pathlib import Path
from typing import Annotated

import typer

from benchmarks.registry import BENCHES, runner
from rtc.cli import console
from rtc.report.json_text import json_text
from rtc.report.tables import rows_table
from rtc.values.errors import LocalMisuse

_NAME_HELP = "Which benchmark, or `list` to see them all."


def bench(
    name: Annotated[str, typer.Argument(help=_NAME_HELP, show_default=False)],
    *,
    quick: Annotated[bool, typer.Option("--quick", help="Under 60 s on 2 cores, at wider error.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON instead of a table.")] = False,
    out: Annotated[Path | None, typer.Option(help="Write the figures as JSON to this file too.")] = None,
) -> None:
    """Run a benchmark, print its table and its verdict. Exit status 1 when a goal is missed.

    Examples: rtc bench list   |   rtc bench netem --quick   |   rtc bench speed --json --out speed.json
    """
    try:
        if name == "list":
            _print_list(as_json=as_json)
            return
        run = runner(name)
        _refuse_unwritable(out)
    except LocalMisuse as error:
        console.print_refusal(error)
        raise typer.Exit(console.BAD_INPUT) from error
    report = run(quick=quick)
    if out is not None:
        out.write_text(json_text(report.document()), encoding="utf-8")
    if as_json:
        console.print_json(report.document())
    else:
        console.out.print(report.render())
    if not report.met:
        raise typer.Exit(console.CHECK_FAILED)


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
