"""Tables for the terminal."""

from collections.abc import Mapping, Sequence

from rich import box
from rich.table import Table
from rich.text import Text

from rtc.metrics.direction_summary import DirectionSummary
from rtc.report.figure_rows import FIGURE_ROWS, NOTHING, direction_title

Cell = str | int | float | bool | None


def call_table(directions: Mapping[str, DirectionSummary], title: str = "") -> Table:
    """A call's figures, its directions side by side."""
    table = Table(title=Text(title) if title else None, box=box.SIMPLE_HEAD, title_justify="left", pad_edge=False)
    table.add_column("", style="dim")
    table.add_column("")
    for name in directions:
        table.add_column(Text(direction_title(name)), justify="right")
    groups = [row.group for row in FIGURE_ROWS]
    for index, row in enumerate(FIGURE_ROWS):
        begins, ends = row.group not in groups[:index], row.group not in groups[index + 1 :]
        cells = [Text(row.text(summary)) for summary in directions.values()]
        table.add_row(row.group if begins else "", row.label, *cells, end_section=ends)
    return table


def rows_table(rows: Sequence[Mapping[str, Cell]], title: str = "") -> Table:
    """Rows of named values, a column a name in order of first appearance; numbers to the right."""
    table = Table(title=Text(title) if title else None, box=box.SIMPLE_HEAD, title_justify="left", pad_edge=False)
    columns = list(dict.fromkeys(name for row in rows for name in row))
    for name in columns:
        numeric = all(isinstance(row.get(name), int | float | None) for row in rows)
        table.add_column(Text(name), justify="right" if numeric else "left")
    for row in rows:
        table.add_row(*(Text(cell_text(row.get(name))) for name in columns))
    return table


def cell_text(value: Cell) -> str:
    """A value as a table shows it: four figures of a float are enough, thousands are grouped."""
    match value:
        case None:
            return NOTHING
        case bool():
            return "yes" if value else "no"
        case int():
            return f"{value:,}"
        case float():
            return f"{value:,.0f}" if abs(value) >= 1_000 else f"{value:.4g}"  # noqa: PLR2004 - see above
        case _:
            return value
