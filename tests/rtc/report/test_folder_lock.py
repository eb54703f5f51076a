import contextlib
import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from rtc.report import folder_lock
from rtc.report.folder_lock import MARKER, sole_writer
from rtc.report.run_folder import RunFolder
from rtc.values.errors import LocalMisuse

ROOT = Path(__file__).parents[3]
HOLD = """
import sys, time
from pathlib import Path
from rtc.report.folder_lock import sole_writer
with sole_writer(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(600)
"""


@contextlib.contextmanager
def no_system_lock(_folder: Path):
    yield False


@pytest.fixture(params=["the system's lock", "a marker"])
def lock(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "a marker":
        monkeypatch.setattr(folder_lock, "_system_lock", no_system_lock)


@pytest.mark.usefixtures("lock")
def test_a_second_call_is_refused_in_one_line_and_changes_nothing(tmp_path: Path) -> None:
    with RunFolder.prepare(tmp_path) as folder:
        folder.write_scenario({"scenario": {"seed": 1}})
        with folder.trace_stream():
            pass
        folder.write_page("first")
        with (
            pytest.raises(LocalMisuse, match=r"^output folder [^\n]*another call is writing it[^\n]*$"),
            RunFolder.prepare(tmp_path),
        ):
            pass
        assert (tmp_path / "report.html").read_text() == "first"
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["report.html", "scenario.yaml", "trace.jsonl"]


@pytest.mark.usefixtures("lock")
def test_the_folder_is_free_when_the_call_has_ended_or_failed(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), sole_writer(tmp_path):
        raise RuntimeError
    with sole_writer(tmp_path):
        pass
    assert list(tmp_path.iterdir()) == []


def test_the_marker_is_not_cleared_away_by_its_own_call(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(folder_lock, "_system_lock", no_system_lock)
    with RunFolder.prepare(tmp_path):
        assert (tmp_path / MARKER).read_text() == f"{os.getpid()}\n"
    assert list(tmp_path.iterdir()) == []


def test_where_the_file_system_has_no_locks_a_marker_stands_in(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fcntl = pytest.importorskip("fcntl")

    def refuse(_handle: int, _how: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    with sole_writer(tmp_path):
        assert [entry.name for entry in tmp_path.iterdir()] == [MARKER]


@pytest.mark.skipif(sys.platform == "win32", reason="folders cannot be locked there")
def test_a_call_that_was_killed_holds_nothing(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    ) as other:
        assert other.stdout.readline() == "held\n"
        with pytest.raises(LocalMisuse, match="another call"), sole_writer(tmp_path):
            pass
        other.send_signal(signal.SIGKILL)
        other.wait()
    with sole_writer(tmp_path):
        pass
