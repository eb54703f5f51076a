import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rtc.call.arrival_recorder import MAX_REPORTED, ArrivalRecorder
from rtc.rtp.rtcp.compound import parse_compound, serialise_compound
from tests.support.held_values import held_values


def recorder_of(*arrivals):
    recorder = ArrivalRecorder(1, 2)
    for sequence, at_us in arrivals:
        recorder.on_packet(sequence & 0xFFFF, at_us)
    return recorder


def test_without_arrivals_there_is_no_report():
    recorder = ArrivalRecorder(1, 2)
    assert not recorder.has_arrivals
    assert recorder.take_report() is None


def test_a_report_holds_each_arrival_and_each_gap_once():
    recorder = recorder_of((10, 100), (11, 200), (13, 300))
    assert recorder.has_arrivals
    report = recorder.take_report()
    assert (report.sender_ssrc, report.media_ssrc, report.base_sequence, report.feedback_count) == (1, 2, 10, 0)
    assert report.arrivals == (100, 200, None, 300)
    assert not recorder.has_arrivals
    assert recorder.take_report() is None


def test_packets_missing_between_two_reports_are_in_the_second():
    recorder = recorder_of((10, 100))
    recorder.take_report()
    recorder.on_packet(13, 200)
    report = recorder.take_report()
    assert (report.base_sequence, report.arrivals, report.feedback_count) == (11, (None, None, 200), 1)


def test_a_packet_that_comes_after_its_gap_was_reported_is_reported_on_its_own():
    recorder = recorder_of((10, 100), (12, 200))
    recorder.take_report()
    recorder.on_packet(11, 300)
    report = recorder.take_report()
    assert (report.base_sequence, report.arrivals) == (11, (300,))
    recorder.on_packet(13, 400)
    assert recorder.take_report().base_sequence == 13


def test_a_report_that_reaches_back_never_says_of_an_arrival_that_it_did_not_come():
    recorder = recorder_of((10, 100), (12, 200), (13, 300))
    recorder.take_report()
    recorder.on_packet(11, 400)
    recorder.on_packet(15, 500)
    report = recorder.take_report()
    assert (report.base_sequence, report.arrivals) == (11, (400, 200, 300, None, 500))


def test_reordered_packets_are_reported_in_order_of_sequence():
    assert recorder_of((10, 100), (12, 200), (11, 300)).take_report().arrivals == (100, 300, 200)


def test_a_duplicate_does_not_count_whether_reported_already_or_not():
    recorder = recorder_of((10, 100), (10, 200), (11, 300))
    assert recorder.take_report().arrivals == (100, 300)
    recorder.on_packet(10, 400)
    assert recorder.take_report() is None


def test_the_sequence_wraps_around():
    recorder = recorder_of((0xFFFE, 100), (0xFFFF, 200), (0, 300))
    report = recorder.take_report()
    assert (report.base_sequence, report.arrivals) == (0xFFFE, (100, 200, 300))
    recorder.on_packet(2, 400)
    report = recorder.take_report()
    assert (report.base_sequence, report.arrivals) == (1, (None, 400))


def test_the_count_of_reports_wraps_around():
    recorder = ArrivalRecorder(1, 2)
    counts = []
    for sequence in range(258):
        recorder.on_packet(sequence, sequence)
        counts.append(recorder.take_report().feedback_count)
    assert counts[-3:] == [255, 0, 1]


def test_a_hostile_jump_reports_only_its_newest_part():
    recorder = recorder_of((0, 100), (30_000, 200))
    report = recorder.take_report()
    assert len(report.arrivals) == MAX_REPORTED
    assert report.base_sequence == 30_000 - MAX_REPORTED + 1
    assert report.arrivals[-1] == 200


def test_arrivals_from_before_a_long_silence_are_left_out_because_one_report_cannot_span_it():
    recorder = recorder_of((10, 0), (11, 9_000_000))
    report = recorder.take_report()
    assert report.arrivals == (9_000_000,)
    serialise_compound([report])


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(st.integers(-200, 400) | st.integers(0, 65_535), st.integers(0, 9_000_000)), min_size=1, max_size=60
    ),
    st.integers(1, 20),
)
def test_every_report_fits_a_datagram_and_the_wire(steps, batch):
    recorder = ArrivalRecorder(1, 2)
    sequence = now_us = 0
    for index, (jump, gap_us) in enumerate(steps):
        sequence += jump
        now_us += gap_us if index % 7 == 0 else gap_us % 5_000
        recorder.on_packet(sequence & 0xFFFF, now_us)
        if index % batch == 0:
            report = recorder.take_report()
            if report is not None:
                data = serialise_compound([report])
                assert len(data) <= 1200
                (parsed,) = parse_compound(data)
                assert [at_us is None for at_us in parsed.arrivals] == [at_us is None for at_us in report.arrivals]
    assert held_values(recorder) <= 2 * MAX_REPORTED


def test_the_worst_report_fits_a_datagram():
    recorder = ArrivalRecorder(1, 2)
    for sequence in range(2 * MAX_REPORTED):
        recorder.on_packet(sequence, 4_000_000 * (sequence % 2) + sequence)
    assert 1000 < len(serialise_compound([recorder.take_report()])) <= 1200


@pytest.mark.parametrize("step", [1, 3, 1_000])
def test_what_is_remembered_is_bounded(step):
    recorder = ArrivalRecorder(1, 2)
    for index in range(3_000):
        recorder.on_packet(index * step & 0xFFFF, index * 1_000)
        if index % 50 == 0:
            recorder.take_report()
    assert held_values(recorder) <= MAX_REPORTED + 100
