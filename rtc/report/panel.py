"""One panel of a figure, and the colours that series have in every one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rtc.trace.series import Series

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

SOFT_INK = "#6b7280"
COLOURS = {
    Series.LINK_CAPACITY: "#94a3b8",
    Series.TARGET_BITRATE: "#111827",
    Series.ENCODED_BITRATE: "#2563eb",
    Series.SENT_BITRATE: "#93c5fd",
    Series.VBV_DELAY: "#7c3aed",
    Series.QUEUE_DELAY: "#ea580c",
    Series.CAPTURE_TO_DISPLAY: "#059669",
    Series.FREEZE: "#ef4444",
    Series.LONG_GAP: "#fbbf24",
    Series.LOSS: "#b91c1c",
}
_WIDTH_OF_LINE = 1.6

Point = tuple[float | None, float | None]
"""Time in s and a value; without a value, the curve has a hole there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """Where on the figure a curve goes, rows and columns counted from 1."""

    figure: "Figure"
    row: int
    column: int

    def draw(self, series: Series, points: Sequence[Point], **style: Any) -> None:  # noqa: ANN401 - plotly's
        """Add a curve of (time in s, value) points; its name stands in the legend once, for the first column."""
        import plotly.graph_objects as go  # noqa: PLC0415 - slow to import, and only a page needs it

        line = {"color": COLOURS[series], "width": _WIDTH_OF_LINE} | style.pop("line", {})
        curve = go.Scatter(
            x=[x for x, _ in points],
            y=[y for _, y in points],
            name=series.title,
            legendgroup=series.title,
            showlegend=self.column == 1,
            mode=style.pop("mode", "lines"),
            line=line,
            hovertemplate=f"%{{x:.2f}} s: %{{y:,.1f}} {series.unit}<extra>{series.title}</extra>",
            **style,
        )
        self.figure.add_trace(curve, row=self.row, col=self.column)

    def note(self, text: str) -> None:
        """Words in the panel, below its middle, where a goal may be drawn."""
        self.figure.add_annotation(
            text=text,
            xref=f"{self.time_axis} domain",
            yref=f"{self.value_axis} domain",
            x=0.5,
            y=0.25,
            showarrow=False,
            font={"size": 13, "color": SOFT_INK},
        )

    @property
    def time_axis(self) -> str:
        """How shapes refer to its horizontal axis: `x`, `x2` and so on."""
        return self._axis("xaxis")

    @property
    def value_axis(self) -> str:
        """How shapes refer to its vertical axis."""
        return self._axis("yaxis")

    def _axis(self, kind: str) -> str:
        subplot = self.figure.get_subplot(self.row, self.column)
        name: str = getattr(subplot, kind).plotly_name
        return name.replace("axis", "")
