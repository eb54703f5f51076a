"""The leaky bucket that rate control is judged by and steers by: bits made and not yet sent, drained at the target.

VBV delay is how long the network would need, at the target in force, to send all that is in the bucket: 5 kbit left
and a frame of 20 kbit at 100 kbps are 250 ms (article, "VBV Delay"). Arithmetic is in whole microbits, so no rounding
gathers.
"""

from rtc.values.units import US_PER_S


class LeakyBucket:
    """Bits made and not yet sent; holds them exactly and knows nothing of time."""

    def __init__(self) -> None:
        self._microbits = 0

    @property
    def bits(self) -> int:
        """What is in it, rounded up."""
        return -(-self._microbits // US_PER_S)

    def drain(self, microbits: int) -> None:
        """Let this much flow out; an empty bucket saves nothing up."""
        self._microbits = max(0, self._microbits - microbits)

    def pour(self, bits: int) -> None:
        """Take in a frame."""
        self._microbits += bits * US_PER_S

    def delay_us(self, bps: int) -> int | None:
        """Time to empty at this rate, rounded up to a whole microsecond; None when the rate is zero and bits are in."""
        if not self._microbits:
            return 0
        return -(-self._microbits // bps) if bps > 0 else None


class VideoBufferingVerifier:
    """The bucket in time: drained at the target in force, whatever changes when.

    Driven by the rate controller, with times that never run backwards: a frame captured before a change of target that
    was already noted is poured in at the change.
    """

    def __init__(self, target_bps: int) -> None:
        self._bucket = LeakyBucket()
        self._target_bps = target_bps
        self._now_us = 0

    @property
    def target_bps(self) -> int:
        """The target in force."""
        return self._target_bps

    @property
    def bits(self) -> int:
        """Bits in the bucket as of the latest time it was told."""
        return self._bucket.bits

    @property
    def delay_us(self) -> int:
        """VBV delay as of the latest time it was told."""
        return self._bucket.delay_us(self._target_bps) or 0

    def advance(self, now_us: int) -> None:
        """Let time pass; an earlier time changes nothing."""
        if now_us > self._now_us:
            self._bucket.drain(self._target_bps * (now_us - self._now_us))
            self._now_us = now_us

    def set_target(self, bps: int, now_us: int) -> None:
        """Drain at another rate from now on."""
        self.advance(now_us)
        self._target_bps = bps

    def pour(self, bits: int) -> None:
        """Take in a frame, at the latest time it was told."""
        self._bucket.pour(bits)
