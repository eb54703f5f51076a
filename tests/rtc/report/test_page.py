import re

import pytest

from rtc.metrics.direction_records import DirectionRecords
from rtc.metrics.direction_summary import summarise_direction
from rtc.metrics.rate_timeline import RateStep
from rtc.report.page import page
from rtc.report.panel import COLOURS
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


def bands(figure, series: Series) -> list:
    return [shape for shape in figure.layout.shapes if shape.type == "path" and shape.fillcolor == COLOURS[series]]


def displayed_at(*times_ms: int) -> DirectionRecords:
    frames = [encoded_frame(index, index, 100, displayed_at_us=time * 1_000) for index, time in enumerate(times_ms)]
    return DirectionRecords(frames=frames, packets=[], duration_us=times_ms[-1] * 1_000 + 1)


def delay_curve(direction: DirectionRecords):
    figure = timelines({"a_to_b": direction})
    return next(curve for curve in figure.data if curve.name == Series.CAPTURE_TO_DISPLAY.title)


def test_a_freeze_is_shaded_through_every_panel_of_its_direction() -> None:
    figure = timelines({"a_to_b": displayed_at(0, 33), "b_to_a": displayed_at(*range(0, 1_000, 50), 2_000)})
    shapes = bands(figure, Series.FREEZE)
    assert [(shape.xref, shape.yref) for shape in shapes] == [
        ("x2", "y2 domain"), ("x4", "y4 domain"), ("x6", "y6 domain"), ("x8", "y8 domain"),
    ]  # fmt: skip
    assert {shape.path for shape in shapes} == {"M0.950,0L0.950,1L2.000,1L2.000,0Z"}


def test_a_gap_that_the_rule_forgives_is_shaded_all_the_same() -> None:
    figure = timelines({"a_to_b": displayed_at(0, 400, 800, 1_200)})
    assert bands(figure, Series.FREEZE) == []
    assert len(bands(figure, Series.LONG_GAP)) == 4
    assert bands(figure, Series.LONG_GAP)[0].path.count("M") == 3


def test_a_gap_is_shaded_once_as_a_freeze_where_it_is_one() -> None:
    assert bands(timelines({"a_to_b": displayed_at(*range(0, 1_000, 50), 2_000)}), Series.LONG_GAP) == []


def test_a_thousand_freezes_are_as_many_shapes_as_one() -> None:
    """Shapes added one by one cost their number squared."""
    times = [round_ms + step for round_ms in range(0, 1_500_000, 1_500) for step in range(0, 550, 50)]
    shapes = bands(timelines({"a_to_b": displayed_at(*times)}), Series.FREEZE)
    assert len(shapes) == 4
    assert shapes[0].path.count("M") == 999


def test_no_line_is_drawn_over_a_gap_and_a_picture_between_two_is_a_dot() -> None:
    curve = delay_curve(displayed_at(0, 30, 60, 500, 1_000, 1_030))
    assert [None if y is None else x for x, y in zip(curve.x, curve.y, strict=True)] == [
        0, 0.03, 0.06, None, 0.5, None, 1.0, 1.03,
    ]  # fmt: skip
    assert [bool(size) for size in curve.marker.size] == [False, False, False, False, True, False, False, False]


def test_a_gap_in_a_long_call_is_still_a_hole_when_it_is_thinned() -> None:
    curve = delay_curve(displayed_at(*range(0, 100_000, 33), *range(110_000, 200_000, 33)))
    assert len(curve.x) <= MOST_POINTS + 2
    assert list(curve.y).count(None) == 1


def test_where_nothing_was_displayed_table_and_picture_say_so() -> None:
    direction = DirectionRecords(frames=[encoded_frame(0, 0, 100)], packets=[], duration_us=1_000_000)
    assert page_of(a_to_b=direction).count("nothing was displayed") == 2
    assert "nothing was displayed" not in page_of(a_to_b=displayed_at(0, 30))


def test_the_wait_for_the_first_picture_is_a_figure() -> None:
    assert "<td>first picture after</td><td>1,234 ms</td>" in page_of(a_to_b=displayed_at(1_234, 1_267))


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
