"""Against RFC 3550: section 6.4.1, appendix A.3 (loss) and A.8 (jitter)."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from rtc.call.reception_statistics import ReceptionStatistics

TICKS_PER_MS = 90


def statistics_of(*sequences):
    statistics = ReceptionStatistics(7)
    for sequence in sequences:
        statistics.on_packet(sequence, 0, 0)
    return statistics


def test_there_is_nothing_to_report_before_the_first_packet():
    assert ReceptionStatistics(7).report(0) is None


def test_a_stream_without_loss():
    report = statistics_of(*range(100, 200)).report(0)
    assert report.media_ssrc == 7
    assert (report.fraction_lost, report.cumulative_lost, report.highest_sequence) == (0, 0, 199)
    assert (report.jitter, report.last_sender_report, report.delay_since_last_sender_report) == (0, 0, 0)


def test_the_fraction_is_of_the_interval_and_the_count_of_the_whole_stream():
    statistics = statistics_of(*range(0, 100, 2), 99)
    first = statistics.report(0)
    assert (first.fraction_lost, first.cumulative_lost) == (49 * 256 // 100, 49)
    for sequence in (*range(100, 110), *range(115, 120)):
        statistics.on_packet(sequence, 0, 0)
    second = statistics.report(0)
    assert (second.fraction_lost, second.cumulative_lost) == (5 * 256 // 20, 54)
    assert statistics.report(0).fraction_lost == 0, "no packet was expected since"


def test_all_but_one_lost_fits_eight_bits():
    statistics = statistics_of(0)
    statistics.report(0)
    statistics.on_packet(30_000, 0, 0)
    assert statistics.report(0).fraction_lost == 255


def test_duplicates_count_against_loss_but_make_no_negative_fraction():
    statistics = statistics_of(0, 1, 1, 1, 4)
    report = statistics.report(0)
    assert (report.fraction_lost, report.cumulative_lost) == (0, 0)
    assert statistics_of(0, 0, 0).report(0).cumulative_lost == -2


def test_a_late_packet_takes_its_loss_back():
    statistics = statistics_of(0, 2)
    assert statistics.report(0).cumulative_lost == 1
    statistics.on_packet(1, 0, 0)
    report = statistics.report(0)
    assert (report.cumulative_lost, report.highest_sequence) == (0, 2)


def test_counts_at_the_limit_stay_there():
    statistics = statistics_of(0, 1 << 33)
    report = statistics.report(0)
    assert report.cumulative_lost == 0x7FFFFF
    assert report.highest_sequence == 0


def test_a_steady_stream_has_no_jitter_and_one_late_packet_adds_a_sixteenth_of_its_lateness():
    statistics = ReceptionStatistics(7)
    for index in range(10):
        statistics.on_packet(index, index * 20 * TICKS_PER_MS, 1_000_000 + index * 20_000)
    assert statistics.report(0).jitter == 0
    statistics.on_packet(10, 200 * TICKS_PER_MS, 1_000_000 + 216_000)
    assert statistics.report(0).jitter == 16 * TICKS_PER_MS // 16


@given(st.lists(st.tuples(st.integers(0, 2**31), st.integers(0, 60_000)), min_size=2, max_size=50))
def test_jitter_is_that_of_the_appendix_to_about_a_tick(packets):
    statistics = ReceptionStatistics(7)
    exact, before, now_us = Fraction(0), None, 0
    for sequence, (timestamp, gap_us) in enumerate(packets):
        now_us += gap_us
        statistics.on_packet(sequence, timestamp, now_us)
        transit = now_us * 90 // 1_000 - timestamp
        if before is not None:
            exact += (abs(transit - before) - exact) / 16
        before = transit
    assert abs(statistics.report(now_us).jitter - exact) <= Fraction(3, 2), "cut to ticks, and half a tick of rounding"


def test_a_report_repeats_the_last_sender_report_and_how_long_ago_it_came():
    statistics = statistics_of(0)
    statistics.on_sender_report(0x0001_0002_0003_0004, 1_000_000)
    report = statistics.report(1_500_000)
    assert report.last_sender_report == 0x0002_0003
    assert report.delay_since_last_sender_report == 1 << 15
