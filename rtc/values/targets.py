"""Rates by meaning: what the path carries, what the encoder should make, what repair may take."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkEstimate:
    """What the path is believed to carry, every byte on the wire counted."""

    at_us: int
    capacity_bps: int
    round_trip_us: int
    loss_fraction: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetBitrate:
    """What the encoder should make: codec payload only, overhead and repair already taken off."""

    at_us: int
    bps: int
