"""`report.html`: a call on one page that needs no network and no other file."""

from collections.abc import Mapping
from html import escape
from typing import Any

import yaml

from rtc.metrics.direction_records import DirectionRecords
from rtc.metrics.direction_summary import DirectionSummary
from rtc.report.figure_rows import FIGURE_ROWS, direction_title
from rtc.report.timelines import timelines

MOST_DECISIONS = 200

_STYLE = """
:root { --ink: #1f2937; --soft: #6b7280; --line: #e5e7eb; --paper: #f8fafc; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
main { max-width: 1480px; margin: 0 auto; padding: 28px 28px 56px; }
h1 { font-size: 24px; margin: 0 0 4px; letter-spacing: -0.01em; }
h2 { font-size: 16px; margin: 0 0 12px; }
p.scenario { color: var(--soft); margin: 0 0 20px; }
section { background: white; border: 1px solid var(--line); border-radius: 10px; padding: 18px 20px; margin: 0 0 18px; }
.tables { display: grid; grid-template-columns: repeat(auto-fit, minmax(420px, 1fr)); gap: 0 40px; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; align-self: start; }
th, td { text-align: right; padding: 4px 0 4px 14px; border-bottom: 1px solid var(--line); white-space: nowrap; }
th:first-child, td:first-child { text-align: left; padding-left: 0; white-space: normal; }
thead th { font-weight: 600; }
tbody th { color: var(--soft); font-weight: 600; font-size: 12px; letter-spacing: 0.06em; text-transform: uppercase;
  padding-top: 14px; }
td.text { text-align: left; white-space: normal; }
.scroll { max-height: 340px; overflow: auto; }
details { color: var(--soft); }
pre { overflow-x: auto; background: var(--paper); border-radius: 8px; padding: 12px; color: var(--ink);
  font-size: 13px; }
"""


def page(
    *,
    title: str,
    subtitle: str,
    scenario: Mapping[str, Any],
    directions: Mapping[str, DirectionRecords],
    summaries: Mapping[str, DirectionSummary],
) -> str:
    """The whole page as HTML; every text from outside is escaped. `directions` and `summaries` share their keys."""
    figure = timelines(directions)
    drawn = figure.to_html(
        full_html=False, include_plotlyjs=True, div_id="timelines", config={"displaylogo": False, "responsive": True}
    )
    scenario_text = yaml.safe_dump(dict(scenario), sort_keys=False, allow_unicode=True)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>{_STYLE}</style>
</head>
<body>
<main>
<h1>{escape(title)}</h1>
<p class="scenario">{escape(subtitle)}</p>
<section><h2>Timelines</h2>{drawn}</section>
<section><h2>Figures</h2><div class="tables">{_figure_tables(summaries)}</div></section>
{_decisions(summaries)}
<details><summary>Scenario</summary><pre>{escape(scenario_text)}</pre></details>
</main>
</body>
</html>
"""


def _figure_tables(summaries: Mapping[str, DirectionSummary]) -> str:
    """Two tables beside each other, the groups shared out between them."""
    groups = list(dict.fromkeys(row.group for row in FIGURE_ROWS))
    half = -(-len(groups) // 2)
    return "".join(_figure_table(summaries, part) for part in (groups[:half], groups[half:]))


def _figure_table(summaries: Mapping[str, DirectionSummary], groups: list[str]) -> str:
    heads = "".join(f"<th>{escape(direction_title(name))}</th>" for name in summaries)
    body = "".join(_group_rows(group, summaries) for group in groups)
    return f"<table><thead><tr><th></th>{heads}</tr></thead><tbody>{body}</tbody></table>"


def _group_rows(group: str, summaries: Mapping[str, DirectionSummary]) -> str:
    rows = [f'<tr><th colspan="{len(summaries) + 1}">{escape(group)}</th></tr>']
    for row in FIGURE_ROWS:
        if row.group == group:
            cells = "".join(f"<td>{escape(row.text(summary))}</td>" for summary in summaries.values())
            rows.append(f"<tr><td>{escape(row.label)}</td>{cells}</tr>")
    return "".join(rows)


def _decisions(summaries: Mapping[str, DirectionSummary]) -> str:
    rows = sorted(
        ((decision.time_s, name, decision) for name, summary in summaries.items() for decision in summary.decisions),
        key=lambda row: row[0],
    )
    if not rows:
        return ""
    body = "".join(
        f"<tr><td>{time_s:.3f} s</td><td class=text>{escape(direction_title(name))}</td>"
        f"<td class=text>{escape(decision.kind)}</td><td class=text>{escape(decision.reason)}</td></tr>"
        for time_s, name, decision in rows[:MOST_DECISIONS]
    )
    more = f"<p>and {len(rows) - MOST_DECISIONS} more in summary.json</p>" if len(rows) > MOST_DECISIONS else ""
    return f'<section><h2>Decisions</h2><div class="scroll"><table><tbody>{body}</tbody></table></div>{more}</section>'
