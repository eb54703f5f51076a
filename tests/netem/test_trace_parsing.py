"""Every format is recognised by its content, and what is not a trace is refused with what was seen."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from netem.capacity_trace import DeliveryOpportunities, RateSteps
from netem.trace_parsing import TraceDirection, parse_capacity
from rtc.values.errors import LocalMisuse


def steps(text, **options):
    trace = parse_capacity(text, **options)
    assert isinstance(trace, RateSteps)
    return list(zip(trace.durations_us, trace.rates_bps, strict=True))


SECOND = 1_000_000


def test_whole_numbers_a_line_are_delivery_times_in_ms():
    assert parse_capacity("0\n3\n3\n10\n") == DeliveryOpportunities(times_ms=(0, 3, 3, 10))


@pytest.mark.parametrize("text", ["3\r\n10\r\n", "\ufeff3\n10", "  3 \n\n10\n\n"])
def test_line_ends_byte_order_marks_and_blank_lines_do_not_matter(text):
    assert parse_capacity(text) == DeliveryOpportunities(times_ms=(3, 10))


@pytest.mark.parametrize("text", ["10 0.5\n12 1.25\n13 0\n", "10\t0.5\n12\t1.25\n13\t0\n", "10,0.5\n12,1.25\n13,0\n"])
def test_two_columns_are_seconds_and_mbps_each_held_until_the_next(text):
    assert steps(text) == [(2 * SECOND, 500_000), (SECOND, 1_250_000), (SECOND, 0)]


def test_decimal_figures_are_taken_exactly():
    assert steps("0.1 0.592624\n0.3 1e-3") == [(200_000, 592_624), (200_000, 1_000)]


def test_where_a_time_stamp_repeats_the_later_line_holds():
    assert steps("0 1\n1 2\n1 3\n2 4\n") == [(SECOND, 1_000_000), (SECOND, 3_000_000), (SECOND, 4_000_000)]


def test_a_single_line_of_two_columns_holds_a_second():
    assert steps("0 2") == [(SECOND, 2_000_000)]


def test_json_steps_take_their_own_durations_and_ignore_other_keys():
    text = json.dumps(
        [{"duration_ms": 170, "bandwidth_kbps": 7618, "latency_ms": 20}, {"duration_ms": 1.5, "bandwidth_kbps": 0.4}]
    )
    assert steps(text) == [(170_000, 7_618_000), (1_500, 400)]


def test_csv_with_the_unit_beside_each_value_is_a_line_a_second():
    assert steps("0.27,Mbits/sec\r\n85.1,Kbits/sec\r\n12,bits/sec\r\n") == [
        (SECOND, 270_000),
        (SECOND, 85_100),
        (SECOND, 12),
    ]


def test_a_phone_log_has_a_column_for_each_direction_and_dates_for_times():
    text = "Timestamp,CQI,DL_bitrate,UL_bitrate,State\n2020.02.27_20.35.57,-,207,101,D\n2020.02.27_20.35.57,3,10,3,I\n"
    assert steps(text) == [(SECOND, 207_000), (SECOND, 10_000)]
    assert steps(text, direction=TraceDirection.UP) == [(SECOND, 101_000), (SECOND, 3_000)]


def test_a_second_without_a_value_keeps_the_one_before():
    assert steps("DL_bitrate,x\n-,1\n300,1\n,1\n") == [(SECOND, 0), (SECOND, 300_000), (SECOND, 300_000)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("t_s,kbps,retransmits,rtt_ms\n0,3042.5,0,267.7\n2,10,4,1\n", [(2 * SECOND, 3_042_500), (2 * SECOND, 10_000)]),
        ("time_ms,bandwidth_mbps\n100,1.5\n300,2\n", [(200_000, 1_500_000), (200_000, 2_000_000)]),
        ("time (s),throughput (Mbit/s)\n0,1.5\n1,2\n", [(SECOND, 1_500_000), (SECOND, 2_000_000)]),
        ("throughput,unit\n5,Kbits/sec\n2,Mbits/sec\n", [(SECOND, 5_000), (SECOND, 2_000_000)]),
        ("rate_bps\n5000\n", [(SECOND, 5_000)]),
        ('time,"downlink_kbps"\n0,5\n1,6\n', [(SECOND, 5_000), (SECOND, 6_000)]),
    ],
)
def test_headers_name_the_columns_and_their_units(text, expected):
    assert steps(text) == expected


BAD = [
    ("", "no lines"),
    ("\n \n", "no lines"),
    ("hello\n", "'hello'"),
    ("1\n2\nthree\n", "line 3: 'three'"),
    ("1\n-2\n", "line 2: '-2'"),
    ("-1\n", "'-1'"),
    ("5\n4\n", "4 ms comes after 5 ms"),
    ("1\n2.5\n", "line 2: '2.5'"),
    ("0\n0\n", "delivery times"),
    ("99999999999999\n", "less than a year"),
    ("0\n1\n0\n", "recorded loss"),
    ("1 2 3\n", "'1 2 3'"),
    ("0 1\n1\n", "line 2"),
    ("0 1\n1 2 3\n", "line 2"),
    ("0 1\n1 x\n", "line 2: 'x'"),
    ("0 1\n1 -2\n", "negative"),
    ("-1 1\n0 2\n", "negative"),
    ("5 1\n4 2\n", "line 2: its time is before"),
    ("0 nan\n", "'0 nan'"),
    ("0 1\n1 inf\n", "'inf'"),
    ("0 1\n1 1e999\n", "absurdly large"),
    ("0 0\n1 0\n", "every rate is 0"),
    ("[]", "an empty list"),
    ("{}", "a JSON dict"),
    ('[{"duration_ms": 1000, "bandwidth_kbps": 5}', "cut short"),
    ('[{"duration_ms": 1000, "bandwidth_', "cut short"),
    ('[{"duration_ms": 1000}]', "bandwidth_kbps"),
    ('[{"bandwidth_kbps": 1000}]', "duration_ms"),
    ('[{"duration_ms": 0, "bandwidth_kbps": 5}]', "is 0"),
    ('[{"duration_ms": -5, "bandwidth_kbps": 5}]', "negative"),
    ('[{"duration_ms": 5, "bandwidth_kbps": -5}]', "negative"),
    ('[{"duration_ms": 5, "bandwidth_kbps": NaN}]', "NaN"),
    ('[{"duration_ms": 5, "bandwidth_kbps": Infinity}]', "Infinity"),
    ('[{"duration_ms": 5, "bandwidth_kbps": "5"}]', "bandwidth_kbps"),
    ('[{"duration_ms": true, "bandwidth_kbps": 5}]', "duration_ms"),
    ('[{"duration_ms": 5, "bandwidth_kbps": 1e400}]', "absurdly large"),
    ('[{"duration_ms": 5, "bandwidth_kbps": ' + "9" * 6000 + "}]", "absurd"),
    ('[{"duration_ms": 5, "bandwidth_kbps": 0}]', "every rate is 0"),
    ("[5]", "duration_ms"),
    ("[" * 100_000, "nests too deep"),
    ("0.27,Mbits/sec\n5,Furlongs\n", "line 2: unit 'Furlongs'"),
    ("0.27,Mbits/sec\n5\n", "line 2"),
    ("1,2,3\n", "'1,2,3'"),
    ("t_s,seq,rtt_ms\n0,1,97\n", "delay trace"),
    ("name,colour\na,b\n", "no column is a rate"),
    ("t_s,kbps\n", "no lines below"),
    ("t_s,kbps\n0,5\n1\n", "line 3"),
    ("t_s,kbps\n0,x\n", "line 2: 'x'"),
    ("t_s,kbps\n1,5\n0,5\n", "line 3: its time is before"),
    ("kbps,mbps\n1,5\n", "both look like the rate"),
    ("1\x00\n2\n", "binary"),
]


@pytest.mark.parametrize(("text", "says"), BAD)
def test_what_is_not_a_trace_is_refused_in_one_line_with_what_was_seen(text, says):
    with pytest.raises(LocalMisuse) as raised:
        parse_capacity(text)
    assert says in str(raised.value)
    assert "\n" not in str(raised.value)
    assert len(str(raised.value)) < 300


pieces = st.sampled_from(
    [
        "0",
        "1",
        "17",
        "-3",
        "2.5",
        "nan",
        "1e9",
        "Mbits/sec",
        "kbps",
        "t_s",
        "DL_bitrate",
        "unit",
        ",",
        ",",
        " ",
        "\t",
        "\n",
        "\n",
        "\r\n",
        "[",
        "{",
        "]",
        "}",
        '"',
        '"duration_ms":',
        '"bandwidth_kbps":',
        "-",
        "\ufeff",
        "\x00",
        "é",
    ]
)


@given(st.one_of(st.text(max_size=200), st.lists(pieces, max_size=40).map("".join)))
@settings(deadline=None)
def test_any_text_is_a_trace_or_refused_in_one_line(text):
    refusal, trace = None, None
    try:
        trace = parse_capacity(text)
    except LocalMisuse as error:
        refusal = str(error)
    assert "\n" not in (refusal or "")
    assert trace is None or (trace.mean_bps >= 0 and trace.duration_us > 0)
