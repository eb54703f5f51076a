"""When to send a key frame in place of a delta frame that came out too large, in a codec that keeps its own references.

OpenH264 cannot make a delta frame again: what it would be predicted from is gone. A key frame is predicted from
nothing, so after a frame that is not sent one can be made, and made again until it fits. Where most of the picture is
new, it costs about what the delta frame would.
"""

from typing import Final

from ratecontrol.frame_plan import FramePlan
from ratecontrol.key_frame_model import KeyFrameModel
from rtc.values.units import US_PER_S

INTERVAL_US: Final = US_PER_S // 2
"""After any key frame: whatever the content does, two a second at most."""
SAVES_PERCENT: Final = 85
"""At the coarsest quantizer it must be expected to stay under this percentage of the delta frame."""
MOST_RESTING_PERMILLE: Final = 500
"""Where more of the picture rests it is left alone: a key frame would throw away what was refined so far."""
PERMILLE: Final = 1000


class KeyFrameInstead:
    """Says when a key frame is worth it; driven by the rate controller, which tells of every key frame sent."""

    def __init__(self, coarsest: int) -> None:
        self._coarsest = coarsest
        self._last_us: int | None = None

    def on_key_frame(self, captured_at_us: int) -> None:
        """A key frame is sent, whatever for."""
        self._last_us = captured_at_us

    def is_worth(
        self, plan: FramePlan, bits: int, key_model: KeyFrameModel, *, captured_at_us: int, resting_permille: int
    ) -> bool:
        """Whether to make one of the picture of a delta frame that came to too many `bits`."""
        if self._last_us is not None and captured_at_us - self._last_us < INTERVAL_US:
            return False
        if resting_permille >= MOST_RESTING_PERMILLE:
            return False
        # What moves costs in a key frame what it did here, if it is new; and the rest alike.
        as_new = bits * PERMILLE // (PERMILLE - resting_permille)
        as_this = key_model.coarser(as_new, self._coarsest - plan.quantizer)
        as_before = key_model.bits_at(self._coarsest, plan.pixels)
        return min(as_this, as_before) * 100 <= bits * SAVES_PERCENT
