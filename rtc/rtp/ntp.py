"""NTP timestamps of sender reports, from microseconds, and the round trip they allow (RFC 3550 sections 4 and 6.4.1).

The clock of a call starts at 0, as RFC 3550 section 6.4.1 allows to a sender that counts from joining the session.
"""

from rtc.values.feedback import ReportBlock
from rtc.values.units import US_PER_S

_MIDDLE_MASK = 0xFFFFFFFF
_NTP_MASK = (1 << 64) - 1
_HALF = 1 << 31


def ntp_timestamp(now_us: int) -> int:
    """The 64-bit NTP timestamp of a time: seconds in the upper 32 bits, fraction in the lower."""
    return ((now_us << 32) // US_PER_S) & _NTP_MASK


def middle_32(ntp: int) -> int:
    """The 32 bits in the middle of an NTP timestamp, in 1/65536 s: what LSR repeats."""
    return ntp >> 16 & _MIDDLE_MASK


def short_from_us(duration_us: int) -> int:
    """A duration in 1/65536 s, as DLSR gives it; what does not fit 32 bits (18 hours) is cut to them."""
    return min((duration_us << 16) // US_PER_S, _MIDDLE_MASK)


def us_from_short(short: int) -> int:
    """A duration in 1/65536 s (15.3 us) as microseconds."""
    return short * US_PER_S >> 16


def round_trip_us(now_us: int, report: ReportBlock) -> int | None:
    """Round trip by a report on our own stream, to about 30 us; None when the peer has no sender report of ours yet.

    A peer that claims to have held our report for longer than it can have gives 0.
    """
    if report.last_sender_report == 0:
        return None
    elapsed = middle_32(ntp_timestamp(now_us)) - report.last_sender_report - report.delay_since_last_sender_report
    elapsed &= _MIDDLE_MASK
    return us_from_short(elapsed) if elapsed < _HALF else 0
