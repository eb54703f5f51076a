"""What a hostile peer's reports change: nothing of other streams, and nothing beyond its range."""

from hypothesis import given, settings
from hypothesis import strategies as st

from rtc.call.reporting import EARLY_INTERVAL_US
from rtc.rtp.rtcp.compound import parse_compound, serialise_compound
from rtc.values.feedback import ReceiverReport, ReportBlock, SenderReport, TransportFeedback
from tests.rtc.call.lone_endpoint import SECOND, Alone, media
from tests.support.call_pair import A, B
from tests.support.held_values import held_values


@given(
    st.lists(
        st.tuples(st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1), st.integers(0, 255)), min_size=1, max_size=31
    )
)
@settings(max_examples=50, deadline=None)
def test_reports_cannot_push_the_round_trip_out_of_its_range(blocks):
    alone = Alone()
    reports = tuple(
        ReportBlock(
            media_ssrc=A.media_ssrc,
            fraction_lost=fraction,
            cumulative_lost=0,
            highest_sequence=0,
            jitter=0,
            last_sender_report=last,
            delay_since_last_sender_report=delay,
        )
        for last, delay, fraction in blocks
    )
    alone.receive(serialise_compound([ReceiverReport(sender_ssrc=1, reports=reports)]), 5 * SECOND)
    assert 0 <= alone.endpoint.round_trip_us <= 10 * SECOND
    alone.endpoint.handle_known_capacity(1_000_000, 5 * SECOND)
    assert 10_000 <= alone.endpoint.target_bps <= 1_000_000


def test_a_sender_report_of_another_stream_is_not_repeated_in_ours():
    alone = Alone()
    alone.receive(media(32_767))
    for ssrc, seconds in ((B.media_ssrc, 98), (0xDEAD, 99)):
        report = SenderReport(
            sender_ssrc=ssrc, ntp_timestamp=seconds << 32, rtp_timestamp=0, packet_count=0, octet_count=0
        )
        alone.receive(serialise_compound([report]))
    (message,) = parse_compound(alone.expire(EARLY_INTERVAL_US)[-1].data)
    assert message.reports[0].last_sender_report == 98 << 16


def test_packets_of_other_streams_are_not_reported_as_arrivals():
    alone = Alone()
    alone.receive(media(1, ssrc=0xDEAD, transport=500))
    assert alone.endpoint.next_timeout_us() == EARLY_INTERVAL_US, "only the first report is due"


def test_transport_feedback_of_any_size_is_taken_and_forgotten():
    alone = Alone()
    before = held_values(alone.endpoint)
    for base in range(0, 60_000, 10_000):
        feedback = TransportFeedback(
            sender_ssrc=1, media_ssrc=A.media_ssrc, base_sequence=base, arrivals=(0,) * 10_000, feedback_count=0
        )
        alone.receive(serialise_compound([feedback]))
    assert alone.invalid == 0
    assert held_values(alone.endpoint) <= before
