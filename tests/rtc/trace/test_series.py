from rtc.report.timelines import COLOURS
from rtc.trace.series import Series


def test_no_two_series_share_a_title_and_each_has_a_colour() -> None:
    assert len({series.title for series in Series}) == len(Series)
    assert set(COLOURS) == set(Series)
