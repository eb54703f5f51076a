"""Loss options and recordings, delay traces: what they mean, and one line for what they are not."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from netem.delay import DelayTrace
from netem.delay_parsing import DelayMeaning, parse_delay_trace
from netem.loss import BurstyLoss, RandomLoss, RecordedLoss
from netem.loss_parsing import parse_loss, parse_recorded_loss
from rtc.values.errors import LocalMisuse


@pytest.mark.parametrize(
    ("text", "model"),
    [
        ("0", RandomLoss(fraction=0.0)),
        ("0.05", RandomLoss(fraction=0.05)),
        (" 5% ", RandomLoss(fraction=0.05)),
        ("0.5%", RandomLoss(fraction=0.005)),
        ("bursty:0.05:3", BurstyLoss(fraction=0.05, mean_burst=3)),
        ("bursty:5%:2.5", BurstyLoss(fraction=0.05, mean_burst=2.5)),
    ],
)
def test_a_loss_option_is_a_fraction_or_a_burst_model(text, model):
    assert parse_loss(text) == model


@pytest.mark.parametrize(
    "text",
    [
        "",
        ".",
        "%",
        "x",
        "-0.1",
        "-5%",
        "1",
        "1.5",
        "100%",
        "5 %%",
        "nan",
        "inf",
        "1e-9999",
        "bursty",
        "bursty:0.1",
        "bursty:0.1:0.5",
        "bursty:0.1:x",
        "bursty:x:3",
        "bursty:0.9:2",
        "bursty:1:3",
        "bursty:0.1:3:4",
        "bursty:0.1:1e99",
        "random:0.1:3",
        "0,05",
    ],
)
def test_a_loss_option_that_cannot_be_is_refused_in_one_line(text):
    with pytest.raises(LocalMisuse) as raised:
        parse_loss(text)
    assert "\n" not in str(raised.value)


def test_five_without_a_percent_sign_is_told_about_it():
    with pytest.raises(LocalMisuse, match="is written 5%"):
        parse_loss("5")


def test_a_recording_is_a_digit_a_packet():
    assert parse_recorded_loss("1\n0\n\n0\r\n") == RecordedLoss(lost=(True, False, False))


@pytest.mark.parametrize(
    ("text", "says"), [("", "no lines"), ("0\n2\n", "line 2: '2'"), ("0 1\n", "'0 1'"), ("1\n1\n", "every packet")]
)
def test_what_is_not_a_recording_is_refused(text, says):
    with pytest.raises(LocalMisuse, match=says):
        parse_recorded_loss(text)


def test_a_ping_log_gives_half_of_each_round_trip():
    trace = parse_delay_trace("t_s,seq,rtt_ms\n5.0,1,97.4\n5.2,2,\n5.5,3,20\n")
    assert trace == DelayTrace(starts_us=(0, 200_000, 500_000), delays_us=(48_700, None, 10_000), duration_us=800_000)


def test_minus_one_and_a_dash_are_what_pingers_write_for_no_reply():
    assert parse_delay_trace("t_s,rtt_ms\n0,-1\n1,-\n2,8\n").delays_us == (None, None, 4_000)


def test_runs_follow_each_other():
    trace = parse_delay_trace("run,seq,t_s,rtt_ms\n1,1,0.0,80\n1,2,0.2,60\n2,1,0.0,40\n2,2,0.2,\n")
    assert trace.starts_us == (0, 200_000, 400_000, 600_000)
    assert trace.delays_us == (40_000, 30_000, 20_000, None)


@pytest.mark.parametrize("text", ["0 80\n1\n2 60\n", "0,80\n1,\n2,60\n"])
def test_two_columns_without_a_header_mean_what_the_caller_says(text):
    assert parse_delay_trace(text).delays_us == (40_000, None, 30_000)
    assert parse_delay_trace(text, meaning=DelayMeaning.ONE_WAY).delays_us == (80_000, None, 60_000)


@pytest.mark.parametrize("header", ["time_s,one_way_ms", "t_s,owd_ms", "time_s,delay", "time,latency_ms"])
def test_a_header_of_one_way_delay_wins(header):
    assert parse_delay_trace(f"{header}\n0,80\n1,60\n").delays_us == (80_000, 60_000)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no lines"),
        ("hello\n", "'hello'"),
        ("t_s,rtt_ms\n", "no lines below"),
        ("t_s,kbps\n0,5\n", "not a delay trace"),
        ("t_s,rtt_ms\n0,x\n", "line 2: 'x'"),
        ("t_s,rtt_ms\n0,-5\n", "negative"),
        ("t_s,rtt_ms\n1,5\n0,5\n", "line 3: its time is before"),
        ("t_s,rtt_ms\n0,\n1,\n", "every value is empty"),
        ("t_s,rtt_ms\n0,1e9\n", "absurdly large"),
        ("t_s,rtt_ms\nx,5\n", "line 2: 'x'"),
        ("seq,rtt_ms\n1,5\n", "not a delay trace"),
        ("run,rtt_ms,t_s\n1,5\n", "no time"),
        ("1,2,3\n", "'1,2,3'"),
        ("0 nan\n", "line 1: 'nan'"),
    ],
)
def test_what_is_not_a_delay_trace_is_refused_in_one_line(text, says):
    with pytest.raises(LocalMisuse, match=says) as raised:
        parse_delay_trace(text)
    assert "\n" not in str(raised.value)


pieces = st.sampled_from(
    [
        "0",
        "1",
        "17",
        "-3",
        "2.5",
        "nan",
        "1e9",
        "rtt_ms",
        "t_s",
        "run",
        ",",
        ",",
        " ",
        "\n",
        "\n",
        "-",
        "\x00",
        ":",
        "%",
        "bursty",
    ]
)


@given(st.one_of(st.text(max_size=100), st.lists(pieces, max_size=30).map("".join)))
@settings(deadline=None)
def test_any_text_parses_or_is_refused_in_one_line(text):
    for parse in (parse_loss, parse_recorded_loss, parse_delay_trace):
        refusal = ""
        try:
            parse(text)
        except LocalMisuse as error:
            refusal = str(error)
        assert "\n" not in refusal
