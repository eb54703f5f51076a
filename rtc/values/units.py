"""Units of time and rate used everywhere: integer microseconds since the call began, and bits a second."""

from typing import Final

US_PER_S: Final = 1_000_000
US_PER_MS: Final = 1_000
BITS_PER_BYTE: Final = 8
BPS_PER_KBPS: Final = 1_000
VIDEO_CLOCK_HZ: Final = 90_000
"""RTP clock of every video payload format used here (RFC 6184 section 5.1, AV1 RTP section 4.1)."""


def seconds_to_us(seconds: float) -> int:
    """Whole microseconds nearest to a time in seconds."""
    return round(seconds * US_PER_S)
