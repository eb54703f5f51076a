"""VMAF of shown pictures against their references, by libvmaf inside the FFmpeg binary that imageio-ffmpeg ships.

The model is FFmpeg's default, vmaf_v0.6.1, made for a screen watched from three of its heights. Only luma counts.
"""

import importlib.util
import json
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from clips.frames import planes
from rtc.values.errors import LocalMisuse
from rtc.values.formats import FrameSize
from rtc.values.frames import VideoFrame

HOW_TO_GET: Final = "VMAF needs the FFmpeg of imageio-ffmpeg: pip install imageio-ffmpeg"
GREY: Final = 128
EVERY: Final = 7
"""A prime, so that it falls in no step with a rhythm of the rate control, such as a finer frame every second."""


def vmaf_available() -> bool:
    """Whether the package that brings libvmaf is installed."""
    return importlib.util.find_spec("imageio_ffmpeg") is not None


def vmaf_score(
    reference_frames: Iterable[VideoFrame],
    shown_frames: Iterable[VideoFrame],
    size: FrameSize,
    fps: int,
) -> float:
    """Mean VMAF, 0 to 100, over pictures paired in order; a shown picture of another size is scaled to `size`.

    Only every seventh picture is scored, which is several times quicker: a mean over 90 pictures moved by 0.04 with 3.

    Raises:
        LocalMisuse: imageio-ffmpeg is missing or its FFmpeg fails, or there are not as many pictures of both.

    """
    if not vmaf_available():
        raise LocalMisuse(HOW_TO_GET)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        references = _write(reference_frames, size, folder / "reference.yuv")
        shown = _write(shown_frames, size, folder / "shown.yuv")
        if references != shown or not references:
            raise LocalMisuse(f"VMAF of {shown} pictures against {references}; pair them, at least one")
        return _mean_score(folder, size, fps)


def _write(frames: Iterable[VideoFrame], size: FrameSize, path: Path) -> int:
    """Write all pictures, one after the other and grey; how many there were.

    Chroma is there because FFmpeg stretches the range of pictures without it, which moves the score by 1.6.
    """
    chroma = np.full(size.pixels // 2, GREY, np.uint8)
    count = 0
    with path.open("wb") as file:
        for frame in frames:
            luma = planes(frame).y
            if frame.size != size:
                luma = np.asarray(
                    cv2.resize(luma, (size.width, size.height), interpolation=cv2.INTER_LINEAR_EXACT), np.uint8
                )
            file.write(luma.data)
            file.write(chroma.data)
            count += 1
    return count


def _mean_score(folder: Path, size: FrameSize, fps: int) -> float:
    import imageio_ffmpeg  # noqa: PLC0415 - an optional extra

    raw = ("-f", "rawvideo", "-pix_fmt", "yuv420p", "-video_size", str(size), "-framerate", str(fps))
    graph = f"libvmaf=log_fmt=json:log_path=vmaf.json:n_threads=1:n_subsample={EVERY}"
    command = [imageio_ffmpeg.get_ffmpeg_exe(), "-hide_banner", "-loglevel", "error"]
    command += [*raw, "-i", "shown.yuv", *raw, "-i", "reference.yuv", "-lavfi", graph, "-f", "null", "-"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603 - our own command
    log = folder / "vmaf.json"
    if done.returncode or not log.exists():
        said = done.stderr.strip().rpartition("\n")[2]
        raise LocalMisuse(f"FFmpeg computed no VMAF ({said}); {HOW_TO_GET}")
    return float(json.loads(log.read_text(encoding="utf-8"))["pooled_metrics"]["vmaf"]["mean"])
