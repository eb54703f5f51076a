"""The commands of `rtc`: a file for each."""

from importlib import metadata
from typing import Annotated

import typer

from rtc.cli import bench, call, clips, console, doctor, netem
from rtc.report.versions import PROJECT

app = typer.Typer(
    name="rtc",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(call.call)
app.command()(bench.bench)
app.command()(doctor.doctor)
app.add_typer(clips.app, name="clips", help="Pictures to call with.")
app.add_typer(netem.app, name="netem", help="The network emulator alone.")


def _print_version(wanted: bool) -> None:
    if wanted:
        console.out.print(f"rtc {metadata.version(PROJECT)}")
        raise typer.Exit


@app.callback()
def rtc(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Simulate real-time video calls on real codecs, and measure them."""
