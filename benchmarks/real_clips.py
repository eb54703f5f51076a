"""The real clips, where there are any: video files in the folder `clips` of the folder that RTC_DATA names."""

import os
from pathlib import Path
from typing import Final

from rtc.values.errors import LocalMisuse

DATA_VARIABLE: Final = "RTC_DATA"


def real_clips(kind: str) -> tuple[str, ...]:
    """Paths of the files whose name begins with `kind` and `_`, in the order of their names; none without the data.

    Raises LocalMisuse when the folder named is not there, which is more likely a slip than a wish to do without.
    """
    named = os.environ.get(DATA_VARIABLE)
    if not named:
        return ()
    folder = Path(named, "clips")
    if not folder.is_dir():
        raise LocalMisuse(
            f"{DATA_VARIABLE}={named}: there is no folder {folder}; name one that holds clips, or unset it"
        )
    return tuple(sorted(map(str, folder.glob(f"{kind}_*"))))
