"""`rtc call`: one call in virtual time on real codecs."""

from pathlib import Path
from typing import Annotated, Any

import typer

from rtc.cli import console
from rtc.report.call_folder import run_call
from rtc.report.tables import call_table
from rtc.sim.networks import load_network
from rtc.sim.scenario import Scenario

US_PER_S = 1e6
DEFAULT_OUT = Path("out/call")


def call(
    *,
    clip: Annotated[
        str | None, typer.Option(help="What A sends: a clip's name (see `rtc clips list`) or a file.")
    ] = None,
    peer_clip: Annotated[str | None, typer.Option(help="What B sends, where it is another clip.")] = None,
    size: Annotated[str | None, typer.Option(help="Picture size, WIDTHxHEIGHT. [default: 640x360]")] = None,
    fps: Annotated[str | None, typer.Option(help="Frames a second. [default: 30]")] = None,
    duration: Annotated[str | None, typer.Option(help="Seconds of call. [default: 20]")] = None,
    codec: Annotated[str | None, typer.Option(help="auto, av1 or h264. [default: auto]")] = None,
    network: Annotated[
        str | None, typer.Option(help="A preset (see `rtc netem show`) or a capacity file. [default: wifi]")
    ] = None,
    loss: Annotated[
        str | None, typer.Option(help="0.05, 5%, bursty:FRACTION:MEAN_BURST, or a file of 0 and 1 a packet.")
    ] = None,
    rtt_ms: Annotated[str | None, typer.Option(help="Round trip without queueing, in ms.")] = None,
    capacity_kbps: Annotated[str | None, typer.Option(help="Constant capacity of the bottleneck, each way.")] = None,
    delay_trace: Annotated[str | None, typer.Option(help="A file of time and round-trip or one-way delay.")] = None,
    target_kbps: Annotated[
        str | None, typer.Option(help="Fixed encoder target; else the known capacity is used.")
    ] = None,
    one_way: Annotated[bool | None, typer.Option("--one-way/--two-way", help="Video from A to B only.")] = None,
    nack: Annotated[bool | None, typer.Option("--nack/--no-nack", help="Ask for lost packets again.")] = None,
    rate_control: Annotated[str | None, typer.Option(help="native: the codec's own. [default: native]")] = None,
    codec_time: Annotated[
        str | None, typer.Option(help="model (repeatable) or measured (on this machine). [default: model]")
    ] = None,
    seed: Annotated[str | None, typer.Option(help="All randomness comes from it. [default: 1]")] = None,
    quality: Annotated[bool | None, typer.Option("--quality/--no-quality", help="Score PSNR and SSIM.")] = None,
    video: Annotated[bool | None, typer.Option("--video/--no-video", help="Write received.mp4.")] = None,
    report: Annotated[bool | None, typer.Option("--report/--no-report", help="Write report.html.")] = None,
    scenario: Annotated[Path | None, typer.Option(help="A YAML file of these options; options given win.")] = None,
    out: Annotated[Path, typer.Option(help="Folder to write.")] = DEFAULT_OUT,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON instead of a table.")] = False,
) -> None:
    """One call in virtual time on real codecs: prints a summary, writes a folder.

    Examples: rtc call   |   rtc call --clip talk.mp4 --network lte-driving --loss 2% --seed 7   |
    rtc call --codec h264 --target-kbps 100 --one-way --out /tmp/h264
    """
    given = {name: value for name, value in locals().items() if name in Scenario.model_fields and value is not None}
    run(given, scenario, out, as_json=as_json)


def run(given: dict[str, Any], scenario_file: Path | None, out: Path, *, as_json: bool) -> None:
    """Run the call that options and file describe, and print what it did."""
    fields = {} if scenario_file is None else Scenario.read(scenario_file)
    scenario = Scenario.of(fields | given)
    network = load_network(
        scenario.network,
        loss=scenario.loss,
        delay_trace=scenario.delay_trace,
        rtt_ms=scenario.rtt_ms,
        capacity_kbps=scenario.capacity_kbps,
    )
    with console.progress(f"Calling over {network.name}", total=scenario.duration) as show:
        result = run_call(scenario, network, out, progress=lambda now_us: show(now_us / US_PER_S))
    if as_json:
        console.print_json(result.summary)
        return
    console.out.print(call_table(result.directions, title=f"{scenario.clip} over {network.name}"))
    spent = result.wall_s["call"]
    console.out.print(
        f"{scenario.duration:g} s of call in {sum_of_parts(result.wall_s):.1f} s ({spent:.1f} s the call itself)"
    )
    console.out.print(f"Written to {result.folder}/: report.html, received.mp4, summary.json and more")


def sum_of_parts(wall_s: dict[str, float]) -> float:
    """Wall seconds of all parts; time inside codecs is part of the call's own."""
    return sum(seconds for name, seconds in wall_s.items() if not name.endswith("_in_codecs"))
