"""What `rtc call` leaves behind, and that it is the same every time."""

import hashlib
import json
import os
import platform
import signal
import subprocess
import sys
import time
from pathlib import Path

import av
import pyarrow.parquet as pq
import pytest
import yaml

from tests.support.narrow_cpu import environment

ROOT = Path(__file__).parents[3]
SMALL = ["call", "--size", "320x180", "--duration", "3", "--loss", "4%", "--network", "lte-driving", "--seed", "7"]
REPEATABLE = ["trace.jsonl", "summary.json", "frames.parquet", "packets.parquet"]
NARROW = ROOT / "tests" / "support" / "run_on_narrow_decoders.py"


def _rtc(*arguments, command=("-m", "rtc"), env=None):
    return subprocess.run(
        [sys.executable, *map(str, command), *map(str, arguments)],
        cwd=ROOT,
        env={**(os.environ if env is None else env), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )


def _digests(folder):
    return {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in REPEATABLE}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    out = tmp_path_factory.mktemp("calls") / "first"
    _rtc(*SMALL, "--out", out)
    return out


def test_the_folder_holds_everything_the_page_promises(folder):
    assert sorted(entry.name for entry in folder.iterdir()) == sorted(
        [*REPEATABLE, "received.mp4", "report.html", "scenario.yaml", "run.json"]
    )


def test_the_same_call_leaves_the_same_bytes(folder, tmp_path):
    _rtc(*SMALL, "--no-video", "--no-report", "--out", tmp_path / "again")
    again = _digests(tmp_path / "again")
    first = _digests(folder)

    # summary.json says which files were asked for; the rest must not depend on it
    assert {name: again[name] for name in again if name != "summary.json"} == {
        name: first[name] for name in first if name != "summary.json"
    }


@pytest.mark.skipif(platform.machine() not in {"x86_64", "AMD64"}, reason="names the instruction sets of x86-64")
@pytest.mark.parametrize("codec", ["av1", "h264"])
def test_a_processor_with_fewer_instructions_leaves_the_same_bytes(tmp_path, codec):
    options = [*SMALL, "--codec", codec, "--no-video", "--no-report", "--out"]
    _rtc(*options, tmp_path / "here")
    _rtc(*options, tmp_path / "there", command=[NARROW], env=environment())

    assert _digests(tmp_path / "here") == _digests(tmp_path / "there")


def test_running_the_written_scenario_again_gives_the_same_call(folder, tmp_path):
    _rtc("call", "--scenario", folder / "scenario.yaml", "--out", tmp_path / "again")

    assert _digests(tmp_path / "again") == _digests(folder)


def test_another_seed_gives_another_call(folder, tmp_path):
    _rtc(*SMALL, "--seed", "8", "--no-video", "--no-report", "--out", tmp_path / "other")

    assert _digests(tmp_path / "other")["trace.jsonl"] != _digests(folder)["trace.jsonl"]


def test_the_summary_has_no_time_of_day_and_no_path(folder):
    text = (folder / "summary.json").read_text(encoding="utf-8")

    assert str(folder) not in text
    assert str(ROOT) not in text
    summary = json.loads(text)
    assert summary["seed"] == 7
    assert summary["scenario"]["loss"] == "4%"
    assert set(summary["directions"]) == {"a_to_b", "b_to_a"}
    assert summary["directions"]["a_to_b"]["frames_drifted"] == 0


def test_a_trace_file_is_named_by_its_contents_not_its_place(tmp_path):
    digests = []
    for place in ("here", "there"):
        (tmp_path / place).mkdir()
        trace = tmp_path / place / "link.txt"
        trace.write_text("0 1.0\n1 0.5\n2 0.8\n", encoding="utf-8")
        out = tmp_path / f"out-{place}"
        _rtc(
            "call", "--network", trace, "--duration", "1", "--no-video", "--no-report", "--size", "160x90", "--out", out
        )
        digests.append(_digests(out))

    assert digests[0] == digests[1]


def test_tables_have_a_row_a_captured_frame_and_a_row_a_packet(folder):
    frames = pq.read_table(folder / "frames.parquet").to_pylist()
    summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))

    for name, direction in summary["directions"].items():
        rows = [row for row in frames if row["direction"] == name]
        assert len(rows) == direction["frames_captured"] == 90
        assert sum(row["displayed_at_us"] is not None for row in rows) == direction["frames_displayed"]
    packets = pq.read_table(folder / "packets.parquet").to_pylist()
    sent = sum(direction["packets_sent"] for direction in summary["directions"].values())
    assert sum(row["kind"] != "feedback" for row in packets) == sent


def test_the_trace_is_json_lines_in_time_order(folder):
    with (folder / "trace.jsonl").open(encoding="utf-8") as lines:
        header = json.loads(next(lines))
        events = [json.loads(line) for line in lines]

    assert header["seed"] == 7
    times = [event["time_us"] for event in events]
    assert times == sorted(times)
    assert {event["source"] for event in events} == {"a", "b", "a_to_b", "b_to_a"}


def test_the_film_plays_with_both_pictures_side_by_side(folder):
    with av.open(folder / "received.mp4") as film:
        pictures = list(film.decode(video=0))

    assert (pictures[0].width, pictures[0].height) == (640, 180)
    assert len(pictures) >= 90


def test_the_scenario_holds_every_option_and_the_versions(folder):
    document = yaml.safe_load((folder / "scenario.yaml").read_text(encoding="utf-8"))

    assert document["scenario"]["size"] == "320x180"
    assert document["scenario"]["seed"] == 7
    assert document["versions"]["libaom"].startswith("3.")


def test_json_alone_goes_to_standard_output(tmp_path):
    done = _rtc(
        "call", "--duration", "1", "--size", "160x90", "--no-video", "--no-report", "--json", "--out", tmp_path / "call"
    )

    assert json.loads(done.stdout) == json.loads((tmp_path / "call" / "summary.json").read_text(encoding="utf-8"))
    assert done.stderr == ""


def test_an_interrupted_call_leaves_a_readable_folder(tmp_path):
    out = tmp_path / "call"
    command = [sys.executable, "-m", "rtc", "call", "--duration", "600", "--out", str(out)]
    with subprocess.Popen(
        command, cwd=ROOT, stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)}
    ) as running:
        _wait_for(lambda: (out / "trace.jsonl").is_file() and (out / "trace.jsonl").stat().st_size > 100_000)
        running.send_signal(signal.SIGINT)
        _, complaint = running.communicate(timeout=60)

    assert running.returncode == 130
    assert complaint.count("\n") == 1
    assert sorted(entry.name for entry in out.iterdir()) == ["scenario.yaml", "trace.jsonl"]
    lines = (out / "trace.jsonl").read_text(encoding="utf-8").splitlines()
    assert all(json.loads(line) for line in lines)


def _wait_for(condition):
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)  # another process's progress, not ours
