"""The common frame of every benchmark: what was asked, what was measured, and whether the stated goal is met."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from rtc.report.tables import Cell, rows_table

SCHEMA = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """One goal, stated before measuring, and how it went."""

    goal: str
    """In words, with its figure: "at least 200,000 packets a second"."""
    measured: str
    """In the same words and unit."""
    met: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A further table."""

    title: str
    rows: tuple[Mapping[str, Cell], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchReport:
    """What a benchmark found."""

    name: str
    goal: str
    """The question the benchmark answers, and what would be a good answer."""
    rows: tuple[Mapping[str, Cell], ...]
    """The table: each row a mapping from a column's name, unit included, to its value."""
    verdicts: tuple[Verdict, ...]
    notes: tuple[str, ...] = ()
    """The method: what ran, how often, what was left out."""
    sections: tuple[Section, ...] = ()
    """Tables after the first."""

    @property
    def met(self) -> bool:
        """Whether every goal is met."""
        return all(verdict.met for verdict in self.verdicts)

    def document(self) -> dict[str, Any]:
        """The same as JSON values."""
        return {
            "schema": SCHEMA,
            "name": self.name,
            "goal": self.goal,
            "rows": [dict(row) for row in self.rows],
            "sections": [
                {"title": section.title, "rows": [dict(row) for row in section.rows]} for section in self.sections
            ],
            "verdicts": [
                {"goal": verdict.goal, "measured": verdict.measured, "met": verdict.met} for verdict in self.verdicts
            ],
            "met": self.met,
            "notes": list(self.notes),
        }

    def render(self) -> RenderableType:
        """For a terminal: the table, the method, and a verdict a line."""
        parts: list[RenderableType] = [rows_table(self.rows, title=f"{self.name}: {self.goal}")]
        parts += [rows_table(section.rows, title=section.title) for section in self.sections if section.rows]
        parts += [Text(note, style="dim") for note in self.notes]
        parts += [_verdict_line(verdict) for verdict in self.verdicts]
        return Group(*parts)


def _verdict_line(verdict: Verdict) -> Text:
    mark, style = ("met   ", "bold green") if verdict.met else ("MISSED", "bold red")
    return Text.assemble((mark, style), f"  {verdict.goal}: {verdict.measured}")
