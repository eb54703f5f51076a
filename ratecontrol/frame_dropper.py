"""Leaving pictures out on purpose, when the bucket holds more than any quantizer can pay back.

After a sharp drop of the target, or at a few kbit/s, even the coarsest frames may add more than drains between them.
Where they drain, if slowly, every second picture is left out, evenly; where they do not, pictures are left out until
one fits. With a worst delay given, for a codec whose frames cannot be made again, no picture is sent into a bucket that
a burst left fuller than that: what it showed would come late.
"""


class FrameDropper:
    """Says which pictures to leave out; driven by the rate controller, once a picture."""

    def __init__(self, limit_us: int, interval_us: int, worst_us: int | None = None) -> None:
        self._limit_us = limit_us
        self._worst_us = worst_us
        self._interval_us = interval_us
        self._dropped_last = False

    def concerns(self, delay_us: int) -> bool:
        """Whether so much is in the bucket that this picture may have to go; into an emptier one anything may."""
        if delay_us > self._interval_us // 2:
            return True
        self._dropped_last = False
        return False

    def drops(self, delay_us: int, coarsest_us: int) -> bool:
        """Whether to leave this picture out.

        `delay_us` is the VBV delay before it, `coarsest_us` what it would add at the coarsest quantizer.
        """
        if self._breaks_worst(delay_us, coarsest_us):
            self._dropped_last = True
            return True
        drop = self._is_beyond_paying(delay_us, coarsest_us)
        if drop and self._dropped_last and coarsest_us <= self._interval_us:
            drop = False
        self._dropped_last = drop
        return drop

    def _breaks_worst(self, delay_us: int, coarsest_us: int) -> bool:
        return self._worst_us is not None and delay_us + coarsest_us > self._worst_us and self.concerns(delay_us)

    def _is_beyond_paying(self, delay_us: int, coarsest_us: int) -> bool:
        if delay_us + coarsest_us <= self._limit_us:
            return False
        # What drains twice as fast as it comes pays back by itself.
        return coarsest_us > self._interval_us // 2 and self.concerns(delay_us)
