"""Where the real clips and traces are, for the tests that want them."""

import os
from pathlib import Path

import pytest


def real_data() -> Path:
    """The folder of real clips and traces, or skip the test saying why."""
    named = os.environ.get("RTC_DATA")
    folder = Path(named) if named else Path(__file__).parents[3] / "shared" / "data"
    if not (folder / "clips").is_dir():
        pytest.skip("no real clips and traces: set RTC_DATA to their folder")
    return folder
