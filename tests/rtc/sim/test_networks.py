"""What a user names becomes a network, or one line that says what is wrong."""

import os

import pytest

from netem.capacity_trace import DeliveryOpportunities
from netem.delay import DelayTrace
from netem.loss import BurstyLoss, RandomLoss, RecordedLoss
from netem.presets import preset
from netem.trace_parsing import TraceDirection
from rtc.sim.networks import load_network
from rtc.values.errors import LocalMisuse
from tests.support.data import real_data


def test_a_presets_name_is_that_preset():
    assert load_network("lte-driving") is preset("lte-driving")


def test_a_capacity_file_holds_in_both_directions(tmp_path):
    file = tmp_path / "bus.down"
    file.write_text("1\n2\n1000\n")
    network = load_network(str(file))
    assert network.name == "bus.down"
    assert network.a_to_b == network.b_to_a
    assert network.a_to_b.capacity == DeliveryOpportunities(times_ms=(1, 2, 1000))
    assert network.a_to_b.one_way_delay_us == 25_000


def test_the_column_of_a_file_with_both_can_be_chosen(tmp_path):
    file = tmp_path / "phone.csv"
    file.write_text("Timestamp,DL_bitrate,UL_bitrate\nx,5000,700\n")
    assert load_network(str(file)).a_to_b.capacity.mean_bps == 5_000_000
    assert load_network(str(file), direction=TraceDirection.UP).a_to_b.capacity.mean_bps == 700_000


def test_options_win_over_the_preset(tmp_path):
    recording = tmp_path / "loss.txt"
    recording.write_text("0\n1\n")
    pings = tmp_path / "pings.csv"
    pings.write_text("t_s,rtt_ms\n0,80\n1,\n")
    network = load_network("lossy", loss="0", rtt_ms=30, capacity_kbps=300)
    for path in (network.a_to_b, network.b_to_a):
        assert (path.loss, path.one_way_delay_us, path.capacity) == (RandomLoss(fraction=0), 15_000, 300_000)
    assert load_network("wifi", loss="bursty:5%:3").b_to_a.loss == BurstyLoss(fraction=0.05, mean_burst=3)
    assert load_network("wifi", loss=str(recording)).a_to_b.loss == RecordedLoss(lost=(False, True))
    delays = DelayTrace(starts_us=(0, 1_000_000), delays_us=(40_000, None), duration_us=2_000_000)
    assert load_network("wifi", delay_trace=str(pings)).b_to_a.delay_trace == delays


def test_a_changed_capacity_keeps_the_queues_length_in_time():
    before = load_network("lossy").a_to_b.queue.limit_bytes
    assert load_network("lossy", capacity_kbps=10_000).a_to_b.queue.limit_bytes == 2 * before


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("lte-drivin", "perhaps 'lte-driving' was meant; known networks: perfect"),
        ("", "unknown network|is a folder"),
        ("no/such/file", "no such capacity file"),
        ("missing.down", "no such capacity file"),
        ("x" * 5000, "unknown network"),
        ("a\0b", "unknown network"),
    ],
)
def test_an_unknown_network_is_one_line(name, says):
    with pytest.raises(LocalMisuse, match=says) as raised:
        load_network(name)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "no lines"),
        (b"\x00\x01\xff\xfe", "binary"),
        (b"\x00\x00\x00", "binary"),
        (b"hello", "'hello'"),
        (b"5\n4\n", "must not decrease"),
        (b"0\n-1\n", "'-1'"),
        (b"[{", "cut short"),
    ],
)
def test_a_file_that_is_no_trace_is_one_line_with_its_name(tmp_path, content, says):
    file = tmp_path / "bad.trace"
    file.write_bytes(content)
    with pytest.raises(LocalMisuse, match=says) as raised:
        load_network(str(file))
    assert str(file) in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_folder_is_no_capacity_file(tmp_path):
    with pytest.raises(LocalMisuse, match="is a folder"):
        load_network(str(tmp_path))


@pytest.mark.parametrize(
    "options",
    [
        {"loss": "1.5"},
        {"loss": "-0.1"},
        {"loss": "nowhere.txt"},
        {"rtt_ms": -1},
        {"rtt_ms": float("nan")},
        {"rtt_ms": 1e12},
        {"capacity_kbps": 0},
        {"capacity_kbps": -5},
        {"capacity_kbps": float("inf")},
        {"capacity_kbps": 1e-9},
        {"delay_trace": "nowhere.csv"},
    ],
)
def test_options_that_cannot_be_are_one_line(options):
    with pytest.raises(LocalMisuse) as raised:
        load_network("wifi", **options)
    assert "\n" not in str(raised.value)


def test_every_real_capacity_file_is_a_network():
    root = real_data() / "traces"
    files = [
        path
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.parent.name not in {"driving_ping_us", "teams_call_loss"} and "ping" not in path.name
    ]
    assert len(files) >= 45
    for path in files:
        assert load_network(str(path)).a_to_b.capacity.mean_bps > 0


@pytest.mark.parametrize("option", ["network", "loss", "delay_trace"])
def test_a_pipe_is_refused_at_once(tmp_path, option):
    pipe = tmp_path / "pipe.txt"
    os.mkfifo(pipe)
    options = {"name_or_path": "wifi", option: str(pipe)}
    if option == "network":
        options = {"name_or_path": str(pipe)}

    with pytest.raises(LocalMisuse, match="not a regular file"):
        load_network(**options)


def test_no_name_at_all_lists_the_networks():
    with pytest.raises(LocalMisuse, match="lte-walking"):
        load_network("")
