import re

import pytest

from rtc.metrics.direction_records import DirectionRecords
from rtc.metrics.direction_summary import summarise_direction
from rtc.metrics.rate_timeline import RateStep
from rtc.report.page import page
from rtc.report.timelines import MOST_POINTS, timelines
from rtc.trace.series import Series
from tests.support.direction_records import encoded_frame, made_up_direction

HOSTILE = "</pre><script>alert('& \"')</script>"


def page_of(**directions: DirectionRecords) -> str:
    return page(
        title=HOSTILE,
        subtitle=HOSTILE,
        scenario={"clip": HOSTILE},
        directions=directions,
        summaries={name: summarise_direction(direction) for name, direction in directions.items()},
    )


@pytest.fixture(scope="module")
def html() -> str:
    return page_of(a_to_b=made_up_direction(seconds=3), b_to_a=made_up_direction(seconds=3, seed=2))


def test_the_page_needs_no_network_and_no_other_file(html: str) -> None:
    assert not re.search(r"<(script|link|img|iframe)[^>]+(src|href)=", html)
    assert "Plotly.newPlot" in html
    assert len(html) > 1_000_000


def test_no_text_from_outside_is_taken_for_markup(html: str) -> None:
    assert HOSTILE not in html
    assert "&lt;/pre&gt;&lt;script&gt;" in html
    assert "the picture &lt;froze&gt; &amp; 3 frames were lost" in html


def test_the_same_call_gives_the_same_page(html: str) -> None:
    assert html == page_of(a_to_b=made_up_direction(seconds=3), b_to_a=made_up_direction(seconds=3, seed=2))


def test_every_series_is_drawn_for_each_direction_and_named_once() -> None:
    figure = timelines({"a_to_b": made_up_direction(seconds=3), "b_to_a": made_up_direction(seconds=3)})
    names = [curve.name for curve in figure.data]
    assert sorted(names) == sorted([series.title for series in Series] * 2)
    assert sorted(curve.name for curve in figure.data if curve.showlegend) == sorted(series.title for series in Series)


def test_a_freeze_is_shaded_through_every_panel() -> None:
    figure = timelines({"a_to_b": made_up_direction(seconds=10)})
    bands = [shape for shape in figure.layout.shapes if shape.type == "rect"]
    assert len(bands) == 4
    assert bands[0].x1 - bands[0].x0 > 0.5


def test_a_long_call_is_thinned_and_keeps_its_peaks() -> None:
    frames = [encoded_frame(index, index * 33_333, 400) for index in range(20_000)]
    frames[12_345].encoded_bytes = 90_000
    figure = timelines({"a_to_b": DirectionRecords(frames=frames, packets=[], duration_us=20_000 * 33_333)})
    (curve,) = (curve for curve in figure.data if curve.name == Series.VBV_DELAY.title)
    assert len(curve.x) <= MOST_POINTS + 1
    assert max(curve.y) > 7_000


def test_a_link_far_above_the_call_does_not_flatten_it() -> None:
    frames = [encoded_frame(index, index * 33_333, 400) for index in range(30)]
    direction = DirectionRecords(
        frames=frames, packets=[], duration_us=1_000_000, capacity=[RateStep(at_us=0, bps=50_000_000)]
    )
    assert timelines({"a_to_b": direction}).layout.yaxis.range[1] < 1_000


@pytest.mark.parametrize("frames", [[], [encoded_frame(0, 0, 100)], [encoded_frame(0, 0, 100, displayed_at_us=90_000)]])
def test_a_call_of_next_to_nothing_has_a_page(frames: list) -> None:
    assert "Timelines" in page_of(a_to_b=DirectionRecords(frames=frames, packets=[], duration_us=33_333))
