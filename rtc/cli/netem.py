"""`rtc netem`: the emulator alone."""

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from netem.capacity_summary import CapacitySummary, capacity_series, summarise_capacity
from netem.path_profile import NetworkProfile, PathProfile
from netem.presets import preset, preset_names
from netem.trace_parsing import TraceDirection
from rtc.cli import console
from rtc.report.capacity_plot import block_chart, write_capacity_page
from rtc.report.tables import rows_table
from rtc.sim.networks import load_network
from rtc.sim.sides import DirectionName
from rtc.values.errors import LocalMisuse
from rtc.values.units import US_PER_S

app = typer.Typer(help="The network emulator alone.", no_args_is_help=True, add_completion=False)

_HEIGHT = 8
_MAX_SECONDS = 24 * 3600
_DEFAULT_SECONDS = 60
"""What is drawn of a constant rate; of a trace, one round."""


@app.callback()
def netem() -> None:
    """The network emulator alone."""


@app.command(
    epilog="Examples: rtc netem show lte-driving · rtc netem show trace.down --seconds 120 --out trace.html · "
    "rtc netem show 3g --json"
)
def show(
    profile_or_file: Annotated[
        str | None, typer.Argument(help="A preset's name or a capacity file; none lists the presets.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Write the picture as one HTML file.")] = None,
    seconds: Annotated[int | None, typer.Option(help="How much to show; default one round of the trace.")] = None,
    direction: Annotated[
        TraceDirection, typer.Option(help="Column to take where a CSV has both.")
    ] = TraceDirection.DOWN,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON and nothing else.")] = False,
) -> None:
    """Draw a network's capacity over time, with its smallest, 5th percentile, mean and 95th percentile rate."""
    if profile_or_file is None:
        _list_presets(as_json=as_json)
        return
    if out is not None and out.suffix.lower() not in {".html", ".htm"}:
        raise LocalMisuse(f"--out {out}: must end in .html")
    if seconds is not None and not 0 < seconds <= _MAX_SECONDS:
        raise LocalMisuse(f"--seconds {seconds}: must be from 1 to {_MAX_SECONDS}")
    network = load_network(profile_or_file, direction=direction)
    until_us = _round_us(network) if seconds is None else seconds * US_PER_S
    if out is not None:
        _write(network, until_us=until_us, path=out)
    if as_json:
        console.print_json(_figures(network, until_us=until_us))
    else:
        _draw(network, until_us=until_us)


def _list_presets(*, as_json: bool) -> None:
    rows = [{"network": name, "what it is": preset(name).description} for name in preset_names()]
    if as_json:
        console.print_json({"networks": rows})
    else:
        console.out.print(rows_table(rows))


def _round_us(network: NetworkProfile) -> int:
    rounds = [path.capacity for path in (network.a_to_b, network.b_to_a) if not isinstance(path.capacity, int)]
    longest_us = max((trace.duration_us for trace in rounds), default=_DEFAULT_SECONDS * US_PER_S)
    return min(longest_us, _MAX_SECONDS * US_PER_S)


def _write(network: NetworkProfile, *, until_us: int, path: Path) -> None:
    try:
        write_capacity_page(network, until_us=until_us, path=path)
    except OSError as error:
        raise LocalMisuse(f"--out {path}: cannot be written ({(error.strerror or 'unknown reason').lower()})") from None


def _directions(network: NetworkProfile) -> dict[str, PathProfile]:
    return {DirectionName.A_TO_B.value: network.a_to_b, DirectionName.B_TO_A.value: network.b_to_a}


def _figures(network: NetworkProfile, *, until_us: int) -> dict[str, object]:
    directions = {
        name: _kbps(summarise_capacity(path.capacity, until_us=until_us)) for name, path in _directions(network).items()
    }
    return {"schema": 1, "name": network.name, "description": network.description, "directions": directions}


def _kbps(summary: CapacitySummary) -> dict[str, float]:
    return {
        "duration_s": summary.duration_us / US_PER_S,
        "min_kbps": summary.min_bps / 1_000,
        "p5_kbps": summary.p5_bps / 1_000,
        "mean_kbps": summary.mean_bps / 1_000,
        "p95_kbps": summary.p95_bps / 1_000,
    }


def _draw(network: NetworkProfile, *, until_us: int) -> None:
    console.out.print(Text(f"{network.name}: {network.description}", style="bold"))
    same = network.a_to_b.capacity == network.b_to_a.capacity
    table = Table("direction", "seconds", "min kbps", "p5 kbps", "mean kbps", "p95 kbps")
    for name, path in _directions(network).items():
        label = "both directions" if same else name
        _draw_chart(path, label, until_us=until_us)
        table.add_row(label, *_cells(summarise_capacity(path.capacity, until_us=until_us)))
        if same:
            break
    console.out.print(table)


def _cells(summary: CapacitySummary) -> list[str]:
    return [f"{figure:,.0f}" for figure in _kbps(summary).values()]


def _draw_chart(path: PathProfile, label: str, *, until_us: int) -> None:
    width = max(20, min(console.out.width - 12, 100))
    series = capacity_series(path.capacity, until_us=until_us, window_us=-(-until_us // width))
    console.out.print(Text(f"{label}, 0 to {until_us // US_PER_S} s", style="dim"))
    for row, line in enumerate(block_chart(series, height=_HEIGHT)):
        scale = f"{max(series) / 1_000:>9,.0f} " if row == 0 else f"{'0':>9} " if row == _HEIGHT - 1 else " " * 10
        console.out.print(Text(scale + line), no_wrap=True, crop=True)
