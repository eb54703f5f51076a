"""`python -m benchmarks.bdrate [--quick]`: the same with each codec's own rate control, to set beside ours."""

import sys

from rich.console import Console

from benchmarks.bdrate import run
from rtc.call.config import RateControl

Console().print(run(quick="--quick" in sys.argv, rate_control=RateControl.NATIVE).render())
