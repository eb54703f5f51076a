"""A network's capacity over time as a picture: blocks for a terminal, plotly for a page."""

from pathlib import Path
from typing import Final

import plotly.graph_objects as go

from netem.capacity_summary import capacity_series
from netem.path_profile import NetworkProfile
from rtc.values.units import US_PER_S

_BLOCKS: Final = " ▁▂▃▄▅▆▇█"
_EIGHTHS: Final = len(_BLOCKS) - 1
_PAGE_POINTS: Final = 2_000
"""More than a screen has columns."""


def block_chart(rates_bps: tuple[int, ...], *, height: int) -> list[str]:
    """A bar a value, `height` lines of eighth blocks, the top line reaching the largest value."""
    top = max(*rates_bps, 1)
    # Round up, so that whatever is above 0 shows: a hole in the drawing is a hole in the link.
    eighths = [-(-rate * height * _EIGHTHS // top) for rate in rates_bps]
    return [
        "".join(_BLOCKS[min(max(filled - row * _EIGHTHS, 0), _EIGHTHS)] for filled in eighths)
        for row in reversed(range(height))
    ]


def write_capacity_page(network: NetworkProfile, *, until_us: int, path: Path) -> None:
    """One self-contained HTML file with both directions; raises OSError where it cannot be written."""
    window_us = max(100_000, until_us // _PAGE_POINTS)
    figure = go.Figure()
    for name, profile in (("A to B", network.a_to_b), ("B to A", network.b_to_a)):
        series = capacity_series(profile.capacity, until_us=until_us, window_us=window_us)
        times = [index * window_us / US_PER_S for index in range(len(series))]
        figure.add_scatter(x=times, y=[rate / 1_000 for rate in series], name=name, line_shape="hv", mode="lines")
    figure.update_layout(
        title=f"{network.name}: {network.description}",
        xaxis_title="time (s)",
        yaxis_title=f"capacity (kbps, mean of {window_us // 1_000} ms)",
        template="plotly_white",
    )
    figure.write_html(path, include_plotlyjs=True, full_html=True)
