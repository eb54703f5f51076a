"""The page that draws the house names every room's files, so that it stays true."""

from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
IN_RTC = ["values", "rtp", "codecs", "call", "sim", "metrics", "report", "trace", "cli"]
ROOMS = [*(f"rtc/{name}" for name in IN_RTC), "ratecontrol", "netem", "resilience/nack", "resilience/receive"]


@pytest.mark.parametrize("room", ROOMS)
def test_every_file_of_a_room_is_on_the_page(room):
    words = [word.strip("/") for word in (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").split("`")]
    files = [file.stem for file in (ROOT / room).glob("*.py") if file.stem != "__init__"]

    assert files
    assert [file for file in files if not any(fnmatch(file, word) for word in words)] == []
