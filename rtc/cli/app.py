"""The `rtc` command: one console command, a file for each of its commands."""

import sys

import typer
from typer.exceptions import TyperException

from rtc.cli import bench, call, clips, console, doctor, netem
from rtc.values.errors import CallError

app = typer.Typer(
    name="rtc",
    help="Simulate real-time video calls on real codecs, and measure them.",
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

INTERRUPTED = 130
"""Exit status after Ctrl-C, as shells give it (128 + SIGINT)."""


def main() -> None:
    """Run the command line. Bad input is one line on standard error and exit status 2."""
    try:
        status = app(standalone_mode=False)
    except (CallError, TyperException) as error:
        if str(error):  # bare `rtc` has printed its help already
            console.print_refusal(error)
        sys.exit(console.BAD_INPUT)
    except (KeyboardInterrupt, typer.Abort):
        status = INTERRUPTED
    if status == INTERRUPTED:
        sys.stderr.write("rtc: interrupted; files that were finished are kept\n")
    sys.exit(status or 0)
