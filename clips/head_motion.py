"""How a head moves in a call: sway, nod, tilt and lean of the head, syllables of the mouth, blinks of the lids."""

from dataclasses import dataclass

from clips.portrait import LID_LEVELS, MOUTH_LEVELS
from clips.waves import random_wave
from rtc.values.randomness import RandomStream
from rtc.values.units import US_PER_MS, US_PER_S

_BLINK_STEP_US = 33 * US_PER_MS
_BLINK = (1, 2, 3, 3, 3, 2, 1)
"""Lid level every 33 ms of a blink: about a quarter of a second in all."""
_BLINK_EVERY_US = 3_600 * US_PER_MS
_BLINK_TABLE = 97


@dataclass(frozen=True, slots=True, kw_only=True)
class Pose:
    """A moment of the head; the first four from -1 to 1 of their largest."""

    sway: float
    nod: float
    tilt: float
    lean: float
    mouth: int
    lids: int


class HeadMotion:
    """The pose at any time since the clip began; endless, smooth, without a period of note."""

    def __init__(self, stream: RandomStream) -> None:
        self._sway = random_wave(stream, (0.62, 5 * US_PER_S), (0.26, 2_100_000), (0.12, 900_000))
        self._nod = random_wave(stream, (0.55, 3_700_000), (0.30, 1_300_000), (0.15, 610_000))
        self._tilt = random_wave(stream, (0.7, 6_300_000), (0.3, 1_900_000))
        self._lean = random_wave(stream, (0.8, 9 * US_PER_S), (0.2, 3_100_000))
        self._phrase = random_wave(stream, (1.0, 4_300_000), (0.5, 1_700_000))
        self._syllables = random_wave(stream, (0.6, 230_000), (0.5, 410_000))
        self._blink_delays = tuple(stream.randrange(_BLINK_EVERY_US * 2 // 3) for _ in range(_BLINK_TABLE))

    def at(self, at_us: int) -> Pose:
        """Where everything is at a time."""
        return Pose(
            sway=self._sway.at(at_us),
            nod=self._nod.at(at_us),
            tilt=self._tilt.at(at_us),
            lean=self._lean.at(at_us),
            mouth=self._mouth(at_us),
            lids=self._lids(at_us),
        )

    def _mouth(self, at_us: int) -> int:
        if self._phrase.at(at_us) < -0.4:  # noqa: PLR2004 - listening, about a third of the time
            return 0
        openness = max(self._syllables.at(at_us), 0.0)
        return min(int(openness * MOUTH_LEVELS), MOUTH_LEVELS - 1)

    def _lids(self, at_us: int) -> int:
        turn, since = divmod(at_us, _BLINK_EVERY_US)
        step = (since - self._blink_delays[turn % _BLINK_TABLE]) // _BLINK_STEP_US
        return min(_BLINK[step], LID_LEVELS - 1) if 0 <= step < len(_BLINK) else 0
