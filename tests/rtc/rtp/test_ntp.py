import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtc.rtp.ntp import middle_32, ntp_timestamp, round_trip_us, short_from_us, us_from_short
from rtc.values.feedback import ReportBlock


def block(last_sender_report, delay):
    return ReportBlock(
        media_ssrc=1,
        fraction_lost=0,
        cumulative_lost=0,
        highest_sequence=0,
        jitter=0,
        last_sender_report=last_sender_report,
        delay_since_last_sender_report=delay,
    )


def test_an_ntp_timestamp_is_seconds_and_a_binary_fraction():
    assert ntp_timestamp(3_500_000) == 3 << 32 | 1 << 31
    assert middle_32(ntp_timestamp(3_500_000)) == 3 << 16 | 1 << 15


@pytest.mark.parametrize("duration_us", [0, 1_000_000, 250_000, 3_600_000_000])
def test_durations_in_binary_fractions_convert_back(duration_us):
    assert us_from_short(short_from_us(duration_us)) == duration_us


def test_a_duration_too_long_for_32_bits_is_cut():
    assert short_from_us(1 << 60) == 0xFFFFFFFF


@given(
    sent_us=st.integers(1_000_000, 10**13),
    round_trip=st.integers(0, 60_000_000),
    held=st.integers(0, 60_000_000),
)
def test_the_round_trip_comes_out_to_the_resolution_of_the_fields(sent_us, round_trip, held):
    report = block(middle_32(ntp_timestamp(sent_us)), short_from_us(held))
    if report.last_sender_report == 0:
        return
    measured = round_trip_us(sent_us + held + round_trip, report)
    assert measured is not None
    assert abs(measured - round_trip) <= 31


def test_without_a_sender_report_there_is_no_round_trip():
    assert round_trip_us(1_000_000, block(0, 0)) is None


def test_a_delay_longer_than_the_elapsed_time_gives_zero():
    assert round_trip_us(2_000_000, block(middle_32(ntp_timestamp(1_000_000)), short_from_us(1_500_000))) == 0
