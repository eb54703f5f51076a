"""The entry of the `rtc` command: from its first moment on it ends with one line and a status that says why.

Everything else is imported inside `main`, because that alone takes half a second, in which Ctrl-C may come too.
"""

import contextlib
import os
import sys

CANNOT_WRITE = 2
"""Exit status when what was asked for cannot be written, as for other bad input."""
INTERRUPTED = 130


def main() -> None:
    """Run the command line. Bad input is one line on standard error and exit status 2."""
    try:
        from rtc.cli.stopping import run_until_stopped  # noqa: PLC0415 - see the top of this file

        status = run_until_stopped(_run)
    except KeyboardInterrupt:  # before there was anything to clear away
        sys.stderr.write("rtc: interrupted\n")
        status = INTERRUPTED
    sys.exit(status)


def _run() -> int:
    from typer.exceptions import TyperException  # noqa: PLC0415 - see the top of this file

    from rtc.cli import console  # noqa: PLC0415 - likewise
    from rtc.values.errors import CallError  # noqa: PLC0415 - likewise

    try:
        from rtc.cli.commands import app  # noqa: PLC0415 - likewise

        status = app(standalone_mode=False)
        sys.stdout.flush()
    except (CallError, TyperException) as error:
        if str(error):  # bare `rtc` has printed its help already
            console.print_refusal(error)
        return console.BAD_INPUT
    except OSError as error:
        _drop_what_standard_output_holds()
        console.print_refusal(_one_line(error))
        return CANNOT_WRITE
    return int(status or 0)


def _one_line(error: OSError) -> OSError:
    reason = error.strerror or str(error)
    if error.filename is None:  # a stream: commands refuse their own files by name, where they write them
        return OSError(f"standard output: cannot be written ({reason}); send it elsewhere")
    return OSError(f"{error.filename}: cannot be read or written ({reason}); name another")


def _drop_what_standard_output_holds() -> None:
    """Else Python tries it again when it ends, and complains a second time."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
