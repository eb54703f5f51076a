"""The real clips, where there are any: video files in the folder `clips` of the folder that RTC_DATA names."""

import os
from pathlib import Path
from typing import Final

DATA_VARIABLE: Final = "RTC_DATA"


def real_clips(kind: str) -> tuple[str, ...]:
    """Paths of the files whose name begins with `kind` and `_`, in the order of their names; none without the data."""
    named = os.environ.get(DATA_VARIABLE)
    return tuple(sorted(map(str, Path(named, "clips").glob(f"{kind}_*")))) if named else ()
