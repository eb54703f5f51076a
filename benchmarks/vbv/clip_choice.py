"""Which clips are measured: those named, or those made in code and the real ones."""

from collections.abc import Sequence
from pathlib import Path

from benchmarks.real_clips import real_clips
from benchmarks.vbv.matrix import MADE_CLIPS, QUICK_CLIPS
from benchmarks.vbv.points import FORMATS
from clips.camera import camera_number
from clips.catalogue import open_clip
from rtc.values.errors import LocalMisuse


def chosen_clips(named: Sequence[str], *, quick: bool) -> tuple[str, ...]:
    """Names and paths of clips; raises LocalMisuse for one that cannot be opened, and for a camera."""
    if not named:
        return QUICK_CLIPS if quick else (*MADE_CLIPS, *real_clips("*"))
    clips = tuple(dict.fromkeys(clip for name in named for clip in _expanded(name)))
    for clip in clips:
        _check(clip)
    return clips


def _expanded(name: str) -> tuple[str, ...]:
    """A folder's files; anything else as it is."""
    folder = Path(name)
    if name in MADE_CLIPS or not folder.is_dir():
        return (name,)
    files = sorted(str(path) for path in folder.iterdir() if path.is_file() and not path.name.startswith("."))
    if not files:
        raise LocalMisuse(f"--clip {name}: the folder holds no file; name one with video files")
    return tuple(files)


def _check(clip: str) -> None:
    if camera_number(clip) is not None:
        raise LocalMisuse(f"--clip {clip}: every run needs the same pictures; name a clip or a video file")
    open_clip(clip, size=FORMATS[0].size, fps=FORMATS[0].fps, seed=0).close()
