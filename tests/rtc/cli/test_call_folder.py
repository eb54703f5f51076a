"""The folder that `rtc call` writes to: held alone, never somebody else's, whole or said not to be."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[3]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}
QUICK = ["--duration", "0.5", "--size", "160x90", "--no-video", "--no-report"]
ON_WINDOWS = pytest.mark.skipif(sys.platform == "win32", reason="signals and devices of Unix")


def _command(*arguments):
    return [sys.executable, "-m", "rtc", *map(str, arguments)]


def _rtc(*arguments, cwd=ROOT, stdout=subprocess.PIPE):
    return subprocess.run(
        _command(*arguments), cwd=cwd, env=ENVIRONMENT, stdout=stdout, stderr=subprocess.PIPE, text=True, check=False
    )


def _started(out):
    """A call that would take long, once it is under way."""
    running = subprocess.Popen(
        _command("call", "--duration", "600", "--out", out), env=ENVIRONMENT, stderr=subprocess.PIPE, text=True
    )
    deadline = time.monotonic() + 60
    while not ((out / "trace.jsonl").is_file() and (out / "trace.jsonl").stat().st_size > 100_000):
        assert time.monotonic() < deadline
        assert running.poll() is None
        time.sleep(0.05)  # another process's progress, not ours
    return running


@ON_WINDOWS
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)])
def test_each_way_to_stop_a_call_leaves_nothing_half_done(tmp_path, number):
    out = tmp_path / "call"
    with _started(out) as running:
        running.send_signal(number)
        _, complaint = running.communicate(timeout=60)

    assert running.returncode == 128 + number
    assert complaint.count("\n") == 1
    assert str(out) in complaint
    assert sorted(entry.name for entry in out.iterdir()) == ["scenario.yaml", "trace.jsonl"]


@ON_WINDOWS
def test_a_second_call_into_the_same_folder_is_refused_and_the_first_goes_on(tmp_path):
    out = tmp_path / "call"
    with _started(out) as first:
        second = _rtc("call", *QUICK, "--seed", "9", "--out", out)
        seed = yaml.safe_load((out / "scenario.yaml").read_text(encoding="utf-8"))["scenario"]["seed"]
        assert first.poll() is None
        first.send_signal(signal.SIGINT)
        first.communicate(timeout=60)

    assert second.returncode == 2
    assert second.stderr.count("\n") == 1
    assert "another call" in second.stderr
    assert seed == 1


@ON_WINDOWS
def test_a_stop_before_anything_is_made_claims_nothing(tmp_path):
    # The signal comes where the command refuses an option, so that it surely comes before a folder is made.
    program = f"""
import os, signal, sys
import rtc.cli.console
from rtc.cli import app
def stop(*_):
    os.kill(os.getpid(), signal.SIGINT)
rtc.cli.console.print_refusal = stop
sys.argv = ["rtc", "call", "--duration", "0", "--out", {str(tmp_path / "call")!r}]
app.main()
"""
    done = subprocess.run([sys.executable, "-c", program], env=ENVIRONMENT, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (130, "rtc: interrupted\n")
    assert not (tmp_path / "call").exists()


def test_a_file_of_the_users_is_not_taken_for_a_calls(tmp_path):
    (tmp_path / "summary.json").write_text("precious", encoding="utf-8")

    done = _rtc("call", *QUICK, "--out", tmp_path)

    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert (tmp_path / "summary.json").read_text(encoding="utf-8") == "precious"


def test_the_written_scenario_runs_from_any_folder(tmp_path):
    (tmp_path / "link.txt").write_text("0 1.0\n1 0.5\n2 0.8\n", encoding="utf-8")
    _rtc("call", *QUICK, "--network", "link.txt", "--out", "first", cwd=tmp_path)

    again = _rtc("call", "--scenario", tmp_path / "first" / "scenario.yaml", "--out", tmp_path / "again")

    assert (again.returncode, again.stderr) == (0, "")
    for name in ("summary.json", "trace.jsonl", "scenario.yaml"):
        assert (tmp_path / "again" / name).read_bytes() == (tmp_path / "first" / name).read_bytes()


def test_other_versions_than_the_scenarios_are_one_line_and_no_reason_to_stop(tmp_path):
    document = {"scenario": {"duration": 0.5, "video": False, "report": False}, "versions": {"av": "1.2.3"}}
    (tmp_path / "scenario.yaml").write_text(yaml.safe_dump(document), encoding="utf-8")

    done = _rtc("call", "--json", "--scenario", tmp_path / "scenario.yaml", "--out", tmp_path / "call")

    assert done.returncode == 0
    assert done.stderr.count("\n") == 1
    assert "av 1.2.3 (now " in done.stderr
    assert json.loads(done.stdout)["seed"] == 1


def test_the_version_of_python_is_where_it_does_not_change_the_summary(tmp_path):
    done = _rtc("call", "--json", *QUICK, "--out", tmp_path / "call")

    assert "python" not in json.loads(done.stdout)["versions"]
    assert json.loads((tmp_path / "call" / "run.json").read_text(encoding="utf-8"))["python"].startswith("3.")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("options", [["--json"], []])
def test_standard_output_that_cannot_be_written_is_one_line(tmp_path, options):
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = _rtc("call", *QUICK, *options, "--out", tmp_path / "call", stdout=full)

    assert done.returncode == 2
    assert done.stderr == "rtc: standard output: cannot be written (No space left on device); send it elsewhere\n"


@pytest.mark.skipif(sys.platform == "win32", reason="file sizes cannot be limited there")
@pytest.mark.parametrize("limit_kib", [0, 4, 8, 200])
def test_files_that_cannot_be_written_are_one_line_and_leave_nothing_half_done(tmp_path, limit_kib):
    # A limit on the size of any one file fails its writers as a full disk does.
    limited = (
        "import resource, runpy, signal, sys\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({limit_kib * 1024}, {limit_kib * 1024}))\n"
        "sys.argv[0] = 'rtc'\n"
        "runpy.run_module('rtc', run_name='__main__')\n"
    )
    out = tmp_path / "call"
    options = ["call", "--duration", "4", "--size", "320x180", "--out", str(out)]
    done = subprocess.run(
        [sys.executable, "-B", "-c", limited, *options], env=ENVIRONMENT, capture_output=True, text=True, check=False
    )

    assert done.returncode == 2, done.stderr
    assert done.stderr.count("\n") == 1
    assert "cannot be written (File too large)" in done.stderr
    assert not [entry for entry in out.iterdir() if entry.name.startswith(".")]
    assert _rtc("call", *QUICK, "--out", out).returncode == 0


def test_the_version_is_one_line():
    done = _rtc("--version")

    assert done.returncode == 0
    assert done.stdout.startswith("rtc 0.")
    assert done.stdout.count("\n") == 1
