"""What was asked of the encoder, what it made, and what the link could have carried."""

from collections.abc import Iterable, Sequence

from rtc.metrics.distributions import Figures, ratio
from rtc.metrics.rate_timeline import RateStep, RateTimeline
from rtc.metrics.records import FrameRecord, PacketRecord
from rtc.values.units import BITS_PER_BYTE, US_PER_S

KBPS_DIGITS = 3


class Bitrate(Figures):
    """Means over a call."""

    target_kbps_mean: float | None
    """Of the target bitrate, weighed by time."""
    encoded_kbps_mean: float | None
    """Payload bytes of all encoded frames over the call's duration; headers and repair not counted."""
    rate_ratio: float | None
    """Encoded over target: below 1 the encoder undershot, above 1 it overshot."""


def bitrate(frames: Iterable[FrameRecord], targets: Sequence[RateStep], duration_us: int) -> Bitrate:
    """Means of a direction over `duration_us` from the call's beginning."""
    encoded_bits = sum(frame.encoded_bytes or 0 for frame in frames) * BITS_PER_BYTE
    target_microbits = RateTimeline(targets).microbits(0, duration_us)
    return Bitrate(
        target_kbps_mean=ratio(target_microbits, duration_us * 1_000, KBPS_DIGITS) if targets else None,
        encoded_kbps_mean=ratio(encoded_bits * US_PER_S, duration_us * 1_000, KBPS_DIGITS),
        rate_ratio=ratio(encoded_bits * US_PER_S, target_microbits),
    )


def capacity_used_ratio(
    packets: Iterable[PacketRecord], capacity: Sequence[RateStep], duration_us: int
) -> float | None:
    """Bytes on the wire that came out of the path within the call, over what the link could have carried meanwhile.

    Everything counts that shares the link: media, repair and feedback. None where the capacity is not known or zero.
    """
    delivered = sum(
        packet.size_bytes
        for packet in packets
        if packet.delivered_at_us is not None and packet.delivered_at_us <= duration_us
    )
    return ratio(delivered * BITS_PER_BYTE * US_PER_S, RateTimeline(capacity).microbits(0, duration_us))


def rate_per_bin(arrivals: Iterable[tuple[int, int]], bin_us: int, duration_us: int) -> tuple[RateStep, ...]:
    """Mean rate in consecutive bins of `bin_us` from (time in us, bytes) pairs; the last bin may be shorter."""
    bins = -(-duration_us // bin_us)
    sizes = [0] * bins
    for at_us, size_bytes in arrivals:
        if 0 <= at_us < duration_us:
            sizes[at_us // bin_us] += size_bytes
    widths = [min(bin_us, duration_us - index * bin_us) for index in range(bins)]
    return tuple(
        RateStep(at_us=index * bin_us, bps=size * BITS_PER_BYTE * US_PER_S // width)
        for index, (size, width) in enumerate(zip(sizes, widths, strict=True))
    )
