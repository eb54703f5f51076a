"""How much may be sent again, so that a peer that asks for everything over and over does not fill our uplink."""

from typing import Final

from rtc.values.units import BITS_PER_BYTE, US_PER_S

TARGET_SHARE_PERCENT: Final = 50
"""Of the encoder's target: repair at 30 % loss, its own losses repaired as well. More would only feed the queue that
lost the packets."""
MIN_BURST_BYTES: Final = 32_000
"""A whole key frame lost at a low target."""


class RetransmissionBudget:
    """A bucket that fills at half the encoder's target and holds a second of that, or `MIN_BURST_BYTES`.

    Driven by `has_credit` before each packet and `spend` after it. Credit is kept in bit microseconds a second, so no
    rounding adds up; one packet may overdraw it.
    """

    def __init__(self) -> None:
        self._credit: int | None = None
        self._updated_at_us = 0

    def has_credit(self, target_bps: int, now_us: int) -> bool:
        """Whether another packet may be sent again now."""
        rate_bps = target_bps * TARGET_SHARE_PERCENT // 100
        limit = max(rate_bps, MIN_BURST_BYTES * BITS_PER_BYTE) * US_PER_S
        if self._credit is None:
            self._credit = limit
        else:
            elapsed_us = max(0, now_us - self._updated_at_us)
            self._credit = min(limit, self._credit + elapsed_us * rate_bps)
        self._updated_at_us = max(self._updated_at_us, now_us)
        return self._credit > 0

    def spend(self, size_bytes: int) -> None:
        """A packet was sent again."""
        self._credit = (self._credit or 0) - size_bytes * BITS_PER_BYTE * US_PER_S
