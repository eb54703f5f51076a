"""The parts of the matrix a user asks for: `--only ours-av1/steady`, words of any kind joined by `/`."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from benchmarks.vbv.points import FORMATS, Point, Subject
from benchmarks.vbv.schedules import Schedule
from rtc.values.errors import LocalMisuse

RATE_UNIT: Final = "kbps"
_RATES: Final = sorted({kbps for picture_format in FORMATS for kbps in picture_format.rates_kbps})
KINDS: Final = (
    tuple(subject.value for subject in Subject),
    tuple(schedule.value for schedule in Schedule),
    tuple(picture_format.name for picture_format in FORMATS),
    tuple(f"{kbps}{RATE_UNIT}" for kbps in _RATES),
)
"""Words of the same kind rule each other out; none of a kind means all of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Parts of the matrix, any of which is wanted; with none, all of it is."""

    parts: tuple[frozenset[str], ...] = ()

    def takes(self, subject: Subject, point: Point) -> bool:
        """Whether a run is wanted."""
        words = {subject.value, point.schedule.value, point.format.name, f"{point.kbps}{RATE_UNIT}"}
        return not self.parts or any(part <= words for part in self.parts)


def parse_selection(texts: Iterable[str]) -> Selection:
    """The parts that these texts name; raises LocalMisuse for a word that is none of the matrix."""
    return Selection(parts=tuple(_parse_part(text) for text in texts))


def _parse_part(text: str) -> frozenset[str]:
    words = text.split("/")
    for word in words:
        if not any(word in kind for kind in KINDS):
            raise LocalMisuse(f"--only {text}: {word!r} is not known; there are {_listed(KINDS)}, joined by /")
    for kind in KINDS:
        same = [word for word in words if word in kind]
        if len(same) > 1:
            raise LocalMisuse(f"--only {text}: {' and '.join(same)} cannot both be; give --only once for each")
    return frozenset(words)


def _listed(kinds: Sequence[Sequence[str]]) -> str:
    return ", ".join(word for kind in kinds for word in kind)
