import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from clips.catalogue import open_clip
from clips.render import write_video
from rtc.values.formats import FrameSize
from tests.support.narrow_cpu import FEWEST_INSTRUCTIONS

ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(platform.machine() not in {"x86_64", "AMD64"}, reason="names the instruction sets of x86-64")
def test_a_cpu_without_wide_vectors_makes_and_scores_the_same_pixels(tmp_path):
    video = tmp_path / "motion.mp4"
    with open_clip("motion", size=FrameSize(400, 240), fps=25, seed=1) as clip:
        write_video(clip, video, frames=20)

    assert _digests(video, {}, "all") == _digests(video, FEWEST_INSTRUCTIONS, "plain")


def _digests(video: Path, environment: dict[str, str], ffmpeg: str) -> list[str]:
    script = ROOT / "tests" / "support" / "pixel_digests.py"
    done = subprocess.run(
        [sys.executable, str(script), str(video), ffmpeg],
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()
