"""`rtc clips`: what pictures there are to call with, and a clip written to a file."""

import math
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from clips.catalogue import catalogue, open_clip
from clips.render import PICTURE_SUFFIX, check_output, write_picture, write_video
from rtc.cli import console
from rtc.sim.scenario import parse_size
from rtc.values.errors import LocalMisuse
from rtc.values.formats import FrameSize

MAX_DURATION_S = 3_600

app = typer.Typer(help="Pictures to call with.", no_args_is_help=True)


@app.command("list", epilog="Examples: rtc clips list · rtc clips list --json")
def list_clips(
    as_json: Annotated[bool, typer.Option("--json", help="Print the list as JSON and nothing else.")] = False,
) -> None:
    """List the clips made in code. Any video file is a clip too, and so is a camera."""
    entries = catalogue()
    if as_json:
        console.print_json({"schema": 1, "clips": [{"name": it.name, "description": it.description} for it in entries]})
        return
    table = Table("clip", "what is seen")
    for entry in entries:
        table.add_row(entry.name, entry.description)
    table.add_row("FILE", "a y4m, mp4, mov, mkv, webm or avi file of any size and rate")
    table.add_row("camera, camera:N", "a camera of this machine")
    console.out.print(table)


@app.command(
    epilog="Examples: rtc clips render talking_head --out head.y4m · "
    "rtc clips render screen --size 1280x720 --duration 5 --out screen.mp4 · "
    "rtc clips render motion --frame 45 --out motion.png"
)
def render(
    *,
    name: Annotated[str, typer.Argument(help="A clip's name (see `rtc clips list`) or a video file.")],
    out: Annotated[Path, typer.Option(help="File to write: .y4m, .mp4, .mkv, .webm, or .png for one picture.")],
    size: Annotated[str, typer.Option(help="Picture size, WIDTHxHEIGHT.")] = "640x360",
    fps: Annotated[int, typer.Option(help="Frames a second.")] = 30,
    duration: Annotated[float, typer.Option(help="Seconds of video.")] = 10.0,
    seed: Annotated[int, typer.Option(help="All randomness comes from it.")] = 1,
    frame: Annotated[int, typer.Option(help="Which frame becomes the .png, from 0.")] = 0,
) -> None:
    """Write a clip to a file. The file appears when it is whole."""
    picture_size = _size(size)
    frames = _frame_count(duration, fps)
    if not 0 <= frame < MAX_DURATION_S * max(fps, 1):
        raise LocalMisuse(f"--frame {frame}: must be from 0 to an hour's frames")
    check_output(out)
    with open_clip(name, size=picture_size, fps=fps, seed=seed) as clip:
        if out.suffix.lower() == PICTURE_SUFFIX:
            write_picture(clip, out, index=frame)
            return
        with console.progress(f"Rendering {clip.name}", total=frames) as show:
            write_video(clip, out, frames=frames, progress=show)


def _size(text: str) -> FrameSize:
    try:
        return parse_size(text)
    except ValueError as error:
        raise LocalMisuse(f"--size {error}") from error


def _frame_count(duration: float, fps: int) -> int:
    if not (math.isfinite(duration) and 0 < duration <= MAX_DURATION_S):
        raise LocalMisuse(f"--duration {duration:g}: must be more than 0 and at most {MAX_DURATION_S} s")
    return max(round(duration * fps), 1)
