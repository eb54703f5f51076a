"""Smooth, endless motion from arithmetic that every machine rounds alike."""

from dataclasses import dataclass

from rtc.values.randomness import RandomStream


def sine(turns: float) -> float:
    """Sine of an angle in whole turns, within 0.0017.

    Bhaskara I's rational approximation: only IEEE additions, products and one division, which are exact to the last
    bit everywhere, where a C library's sine may choose another kernel on another CPU.
    """
    within = turns % 1.0
    half = within * 2.0 % 1.0
    hump = half * (1.0 - half)
    height = 16.0 * hump / (5.0 - 4.0 * hump)
    return height if within < 0.5 else -height  # noqa: PLR2004 - half a turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Wave:
    """A sum of sines of given (amplitude, period in us, phase in turns)."""

    parts: tuple[tuple[float, int, float], ...]

    def at(self, at_us: int) -> float:
        """The sum at a time since the clip began."""
        return sum(amplitude * sine(at_us % period / period + phase) for amplitude, period, phase in self.parts)


def random_wave(stream: RandomStream, *parts: tuple[float, int]) -> Wave:
    """A wave of (amplitude, period in us) parts, each with its own phase, its period moved by up to a tenth."""
    return Wave(
        parts=tuple(
            (amplitude, period * stream.randrange(900, 1100) // 1000, stream.randrange(1000) / 1000)
            for amplitude, period in parts
        )
    )
