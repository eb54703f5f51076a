"""`rtc call`: one call in virtual time on real codecs."""

from pathlib import Path
from typing import Annotated, Any

import typer

from rtc.cli import console
from rtc.report.call_folder import run_call
from rtc.report.scenario_files import differing_versions, recorded_versions
from rtc.report.tables import call_table
from rtc.report.versions import versions
from rtc.sim.networks import load_network
from rtc.sim.scenario import Scenario
from rtc.values.units import US_PER_S

DEFAULT_OUT = Path("out/call")


def _option(field: str, text: str, metavar: str = "TEXT") -> Any:  # noqa: ANN401 - typer's own kind of value
    """An option for a field of the scenario, which checks it; its default is shown, not set: a file may differ."""
    default = Scenario.model_fields[field].default
    shown = str(getattr(default, "value", default)) if default is not None else False
    return typer.Option(help=text, metavar=metavar, show_default=shown)


def _switch(field: str, names: str, text: str) -> Any:  # noqa: ANN401 - as above
    """An option that turns a field of the scenario on or off."""
    on, off = names.split("/")
    shown = on if Scenario.model_fields[field].default else off
    return typer.Option(names, help=text, show_default=shown.removeprefix("--"))


def call(
    *,
    clip: Annotated[
        str | None, _option("clip", "What A sends: a clip (`rtc clips list`) or a file.", "NAME|FILE")
    ] = None,
    peer_clip: Annotated[str | None, _option("peer_clip", "What B sends, where it is another.", "NAME|FILE")] = None,
    size: Annotated[str | None, _option("size", "Picture size.", "WIDTHxHEIGHT")] = None,
    fps: Annotated[str | None, _option("fps", "Frames a second.", "N")] = None,
    duration: Annotated[str | None, _option("duration", "How long the call lasts.", "SECONDS")] = None,
    codec: Annotated[str | None, _option("codec", "What is offered; auto starts with AV1.", "auto|av1|h264")] = None,
    network: Annotated[
        str | None, _option("network", "A preset (`rtc netem show`) or a capacity file.", "NAME|FILE")
    ] = None,
    loss: Annotated[
        str | None,
        _option("loss", "0.05, 5%, bursty:FRACTION:MEAN_BURST, or a file of 0 and 1 a packet.", "LOSS|FILE"),
    ] = None,
    rtt_ms: Annotated[str | None, _option("rtt_ms", "Round trip without queueing.", "MS")] = None,
    capacity_kbps: Annotated[
        str | None, _option("capacity_kbps", "Constant capacity of the bottleneck, each way.", "KBPS")
    ] = None,
    delay_trace: Annotated[
        str | None, _option("delay_trace", "Time and round-trip or one-way delay, from a file.", "FILE")
    ] = None,
    target_kbps: Annotated[
        str | None, _option("target_kbps", "Fixed encoder target; else the known capacity is followed.", "KBPS")
    ] = None,
    one_way: Annotated[bool | None, _switch("one_way", "--one-way/--two-way", "Video from A to B only.")] = None,
    nack: Annotated[bool | None, _switch("nack", "--nack/--no-nack", "Ask for lost packets again.")] = None,
    rate_control: Annotated[
        str | None, _option("rate_control", "Who chooses the quantizer: this project, or the codec.", "ours|native")
    ] = None,
    candidates: Annotated[
        str | None,
        _option("candidates", "AV1: encodes of a picture, the better one is sent. H.264 is encoded once.", "1|2"),
    ] = None,
    codec_time: Annotated[
        str | None,
        _option("codec_time", "How long codecs take: by a table (repeatable), or as here.", "model|measured"),
    ] = None,
    seed: Annotated[str | None, _option("seed", "All randomness comes from it.", "N")] = None,
    quality: Annotated[bool | None, _switch("quality", "--quality/--no-quality", "Score PSNR and SSIM.")] = None,
    video: Annotated[bool | None, _switch("video", "--video/--no-video", "Write received.mp4.")] = None,
    report: Annotated[bool | None, _switch("report", "--report/--no-report", "Write report.html.")] = None,
    scenario: Annotated[
        Path | None, typer.Option(help="These options from a YAML file; those given win.", metavar="FILE")
    ] = None,
    out: Annotated[Path, typer.Option(help="Folder to write.", metavar="DIR")] = DEFAULT_OUT,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON, not as a table.")] = False,
) -> None:
    """One call in virtual time on real codecs: prints a summary, writes a folder.

    Examples: rtc call   |   rtc call --clip talk.mp4 --network lte-driving --loss 2% --seed 7   |
    rtc call --codec h264 --target-kbps 100 --one-way --out /tmp/h264
    """
    given = {name: value for name, value in locals().items() if name in Scenario.model_fields and value is not None}
    run(given, scenario, out, as_json=as_json)


def run(given: dict[str, Any], scenario_file: Path | None, out: Path, *, as_json: bool) -> None:
    """Run the call that options and file describe, and print what it did."""
    fields = {} if scenario_file is None else _read(scenario_file)
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
    spent = sum(seconds for name, seconds in result.wall_s.items() if not name.endswith("_in_codecs"))
    files = ", ".join(sorted(entry.name for entry in result.folder.iterdir()))
    console.out.print(f"{scenario.duration:g} s of call in {spent:.1f} s; in {result.folder}: {files}", soft_wrap=True)


def _read(scenario_file: Path) -> dict[str, Any]:
    """The options in a file; a line on standard error where it was written with other versions than these."""
    fields = Scenario.read(scenario_file)
    recorded = recorded_versions(scenario_file)
    differing = differing_versions(recorded, versions()) if recorded else ""
    if differing:
        console.print_notice(f"scenario {scenario_file} was written with {differing}: figures may differ")
    return fields
