"""Rounding of what is decided by, so that no processor's last digit decides anything."""

from typing import Final

PER_UNIT: Final = 1e6


def to_six_places(value: float) -> float:
    """The nearest multiple of a millionth; several times a frame, where `round` to places would go through text."""
    return round(value * PER_UNIT) / PER_UNIT
