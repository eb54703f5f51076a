"""`rtc doctor`: whether this machine has what a call needs."""

from typing import Annotated

import typer
from rich.table import Table

from rtc.cli import console
from rtc.codecs.capabilities import Capability, find_capabilities

MIB = 1024 * 1024


def doctor(
    json: Annotated[bool, typer.Option("--json", help="Print the same figures as JSON, and nothing else.")] = False,
) -> None:
    """Show the codec libraries, where they come from, and whether each one works.

    Exit status is 1 when something that a call needs does not work.

    Examples: `rtc doctor`; `rtc doctor --json`; `RTC_LIBAOM=/opt/lib/libaom.so.3 rtc doctor`.
    """
    capabilities = find_capabilities()
    if json:
        console.print_json({"libraries": [_as_json(capability) for capability in capabilities]})
    else:
        _print_table(capabilities)
    if not all(capability.works for capability in capabilities):
        raise typer.Exit(console.CHECK_FAILED)


def _as_json(capability: Capability) -> dict[str, object]:
    return {
        "library": capability.library,
        "codec": capability.codec.value,
        "role": capability.role,
        "version": capability.version,
        "path": capability.path,
        "size_bytes": capability.size_bytes,
        "works": capability.works,
        "problem": capability.problem,
    }


def _print_table(capabilities: tuple[Capability, ...]) -> None:
    table = Table(title="Codec libraries")
    for column in ("library", "version", "size", "what works", "path"):
        table.add_column(column, overflow="fold")
    for capability in capabilities:
        what = f"{capability.codec.value} {capability.role}"
        table.add_row(
            capability.library,
            capability.version or "-",
            f"{capability.size_bytes / MIB:.1f} MiB" if capability.size_bytes else "-",
            f"[green]{what}[/green]" if capability.works else f"[red]no {what}[/red]",
            capability.path or "-",
        )
    console.out.print(table)
    for capability in capabilities:
        if capability.problem:
            console.out.print(f"{capability.library}: {capability.problem}", soft_wrap=True, markup=False)
