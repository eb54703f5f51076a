"""Every clip by name."""

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from clips.camera import CameraClip, camera_number
from clips.clip import Clip
from clips.file_clip import FileClip
from clips.motion import motion
from clips.scene_clips import low_light, scene_cut, talking_head
from clips.screen import screen
from rtc.values.errors import LocalMisuse
from rtc.values.formats import FrameSize

MAX_FPS = 240
_SHOWN_CHARACTERS = 200
"""Of a name that is no clip's, in the message that says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueEntry:
    """A clip made in code."""

    name: str
    description: str
    make: Callable[..., Clip]
    """Takes size, fps and seed by keyword; the same three give the same pictures on every machine."""


_ENTRIES = (
    CatalogueEntry(
        name="talking_head",
        description="a person who talks, sways and blinks before a still background",
        make=talking_head,
    ),
    CatalogueEntry(
        name="screen", description="a shared screen: scrolling, typing, window switches, long still spells", make=screen
    ),
    CatalogueEntry(
        name="motion", description="a fast pan over a detailed scene with spinning balls flying", make=motion
    ),
    CatalogueEntry(name="low_light", description="the person in a dim room, with strong sensor noise", make=low_light),
    CatalogueEntry(
        name="scene_cut",
        description="the person and three hand-held scenes, cut about every three seconds",
        make=scene_cut,
    ),
)


def catalogue() -> tuple[CatalogueEntry, ...]:
    """The clips made in code; files and cameras come on top of them."""
    return _ENTRIES


def open_clip(name_or_path: str, *, size: FrameSize, fps: int, seed: int) -> Clip:
    """The clip of that name, the camera (`camera` or `camera:N`), or the video file at that path.

    Raises:
        LocalMisuse: no such clip or file, a file without pictures, no camera, or an impossible rate.

    """
    if not 1 <= fps <= MAX_FPS:
        raise LocalMisuse(f"{fps} frames a second: from 1 to {MAX_FPS} can be made")
    for entry in _ENTRIES:
        if entry.name == name_or_path:
            return entry.make(size=size, fps=fps, seed=seed)
    number = camera_number(name_or_path)
    if number is not None:
        return CameraClip(number, size=size, fps=fps)
    if _names_a_file(name_or_path):
        return FileClip(Path(name_or_path), size=size, fps=fps)
    raise LocalMisuse(_unknown(name_or_path))


def _names_a_file(text: str) -> bool:
    path = Path(text)
    if text == "" or path.suffix != "" or len(path.parts) > 1:
        return text != ""
    try:
        return path.exists()
    except (OSError, ValueError):  # a name too long for the file system, or with a NUL
        return False


def _unknown(name: str) -> str:
    names = [entry.name for entry in _ENTRIES]
    near = difflib.get_close_matches(name.lower().replace("-", "_"), [*names, "camera"], n=1)
    shown = name if len(name) <= _SHOWN_CHARACTERS else f"{name[: _SHOWN_CHARACTERS - 3]}..."
    guess = f" did you mean {near[0]}?" if near else ""
    known = ", ".join(names)
    return f"clip {shown!r}: no clip and no file of that name;{guess} there are {known}, camera, and video files"
