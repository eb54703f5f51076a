import errno
import gzip
import json
import os
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml

from rtc.metrics.direction_summary import summarise_direction
from rtc.metrics.vbv import vbv_delays_us
from rtc.report.folder_names import NAMES
from rtc.report.folder_suitability import refuse_unsuitable
from rtc.report.run_folder import RunFolder
from rtc.report.summary_document import summary_document
from rtc.values.errors import LocalMisuse
from tests.support.direction_records import made_up_direction

SCENARIO = {"scenario": {"seed": 7, "clip": "talking-head"}, "versions": {"rtc": "0.1.0"}}
HEADER = '{"schema":1,"format":"rtc-trace","time_unit":"us","seed":7}\n'
DIRECTIONS = {"a_to_b": made_up_direction(seconds=2), "b_to_a": made_up_direction(seconds=2, seed=2)}


def write_all(path: Path) -> RunFolder:
    with RunFolder.prepare(path) as folder:
        folder.write_scenario(SCENARIO)
        with folder.trace_stream() as stream:
            stream.write(HEADER)
        folder.write_records(DIRECTIONS)
        summaries = {name: summarise_direction(direction) for name, direction in DIRECTIONS.items()}
        folder.write_summary(
            summary_document(seed=7, versions={"rtc": "0.1.0"}, scenario={"fps": 30}, directions=summaries)
        )
        folder.write_run({"wall_s": 1.5})
        folder.write_page("<html></html>")
    return folder


def test_a_folder_holds_whole_files_under_their_names_and_nothing_else(tmp_path: Path) -> None:
    write_all(tmp_path / "new" / "call")
    names = {entry.name for entry in (tmp_path / "new" / "call").iterdir()}
    assert names == NAMES - {"received.mp4", "trace.jsonl.gz"}
    assert yaml.safe_load((tmp_path / "new/call/scenario.yaml").read_text()) == SCENARIO


def test_the_summary_has_its_schema_seed_and_directions(tmp_path: Path) -> None:
    summary = json.loads((write_all(tmp_path / "call").path / "summary.json").read_text())
    assert list(summary) == ["schema", "seed", "versions", "scenario", "directions"]
    assert (summary["schema"], summary["seed"]) == (1, 7)
    assert summary["directions"]["a_to_b"]["frames_captured"] == 60


def test_the_same_call_leaves_the_same_bytes(tmp_path: Path) -> None:
    first, second = write_all(tmp_path / "first").path, write_all(tmp_path / "second").path
    for name in ("summary.json", "frames.parquet", "packets.parquet", "scenario.yaml"):
        assert (first / name).read_bytes() == (second / name).read_bytes()


def test_frames_are_a_row_a_captured_frame_with_its_direction(tmp_path: Path) -> None:
    table = pq.read_table(write_all(tmp_path / "call").path / "frames.parquet")
    rows = table.to_pylist()
    assert len(rows) == 120
    assert table.column_names[0] == "direction"
    assert [rows[0]["direction"], rows[60]["direction"]] == ["a_to_b", "b_to_a"]
    first, frame = rows[0], DIRECTIONS["a_to_b"].frames[0]
    assert (first["codec"], first["frame_type"], first["coded_width"], first["drop_reason"]) == (
        "av1",
        "key",
        640,
        None,
    )
    assert first["displayed_at_us"] == frame.displayed_at_us
    assert first["psnr_y_db"] == round(frame.psnr_y_db, 6)
    delays = vbv_delays_us(DIRECTIONS["a_to_b"].frames, DIRECTIONS["a_to_b"].target_steps)
    assert tuple(row["vbv_delay_us"] for row in rows[:60]) == delays


def test_packets_are_a_row_a_datagram(tmp_path: Path) -> None:
    rows = pq.read_table(write_all(tmp_path / "call").path / "packets.parquet").to_pylist()
    assert [(row["direction"], row["packet_index"], row["kind"]) for row in rows[58:62]] == [
        ("a_to_b", 58, "media"), ("a_to_b", 59, "media"), ("b_to_a", 0, "media"), ("b_to_a", 1, "media"),
    ]  # fmt: skip


def test_a_call_without_frames_still_leaves_tables(tmp_path: Path) -> None:
    with RunFolder.prepare(tmp_path / "call") as folder:
        folder.write_records({})
    table = pq.read_table(folder.path / "frames.parquet")
    assert table.num_rows == 0
    assert table.schema.field("psnr_y_db").type == "double"


def test_a_compressed_trace_has_the_same_bytes_whenever_it_is_written(tmp_path: Path) -> None:
    contents = []
    for name in ("first", "second"):
        with RunFolder.prepare(tmp_path / name) as folder, folder.trace_stream(compressed=True) as stream:
            stream.write('{"time_us":0}\n' * 1_000)
        contents.append((folder.path / "trace.jsonl.gz").read_bytes())
    assert contents[0] == contents[1]
    assert gzip.decompress(contents[0]) == b'{"time_us":0}\n' * 1_000


def test_a_file_that_could_not_be_finished_does_not_take_its_name(tmp_path: Path) -> None:
    def fail_half_way(folder: RunFolder) -> None:
        with folder.whole("report.html") as unfinished:
            unfinished.write_text("half")
            raise RuntimeError

    with RunFolder.prepare(tmp_path / "call") as folder:
        with pytest.raises(ValueError, match="JSON"):
            folder.write_summary({"figure": float("nan")})
        with pytest.raises(RuntimeError):
            fail_half_way(folder)
    assert list(folder.path.iterdir()) == []


def test_an_earlier_calls_files_make_way(tmp_path: Path) -> None:
    write_all(tmp_path / "call")
    (tmp_path / "call" / ".unfinished-received.mp4").write_bytes(b"half a film")
    with RunFolder.prepare(tmp_path / "call"):
        assert list((tmp_path / "call").iterdir()) == []


@pytest.mark.parametrize(
    "left",
    [
        {},
        {".unfinished-received.mp4": b"half", ".unfinished-scenario.yaml": b""},
        {"scenario.yaml": b"scenario:\n", "trace.jsonl": b""},
        {"scenario.yaml": b"scenario:\n", "trace.jsonl": HEADER.encode(), "received.mp4": b"", ".running": b"1"},
        {"scenario.yaml": b"scenario:\n", "trace.jsonl.gz": gzip.compress(HEADER.encode(), mtime=0)},
    ],
    ids=lambda left: " ".join(left) or "nothing",
)
def test_what_a_call_that_was_killed_may_leave_makes_way(left: dict[str, bytes], tmp_path: Path) -> None:
    for name, content in left.items():
        (tmp_path / name).write_bytes(content)
    refuse_unsuitable(tmp_path)


@pytest.mark.parametrize(
    "held",
    [
        {"summary.json": b"precious"},
        {"scenario.yaml": b"scenario:\n"},
        {"trace.jsonl": HEADER.encode()},
        {"scenario.yaml": b"precious", "trace.jsonl": HEADER.encode()},
        {"scenario.yaml": b"scenario:\n", "trace.jsonl": b"precious"},
        {"scenario.yaml": b"scenario:\n", "trace.jsonl": b'["rtc-trace"]\n'},
        {"scenario.yaml": b"scenario:\n", "trace.jsonl.gz": b"precious"},
        {"scenario.yaml": b"scenario:\n", "trace.jsonl.gz": gzip.compress(HEADER.encode(), mtime=0)[:12]},
        {"scenario.yaml": b"scenario:\n", "trace.jsonl": HEADER.encode(), ".unfinished-thesis": b"precious"},
    ],
    ids=lambda held: " ".join(f"{name}={content[:12]!r}" for name, content in held.items()),
)
def test_names_of_ours_alone_do_not_make_a_calls_folder(held: dict[str, bytes], tmp_path: Path) -> None:
    for name, content in held.items():
        (tmp_path / name).write_bytes(content)
    with pytest.raises(LocalMisuse, match="not an earlier call's folder"):
        refuse_unsuitable(tmp_path)
    assert {entry.name: entry.read_bytes() for entry in tmp_path.iterdir()} == held


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with names")
def test_a_pipe_in_the_folder_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "scenario.yaml").write_text("scenario:\n")
    os.mkfifo(tmp_path / "trace.jsonl")
    with pytest.raises(LocalMisuse, match="not an earlier call's folder"):
        refuse_unsuitable(tmp_path)


def test_what_the_system_refuses_to_write_is_one_line_and_leaves_nothing_half_done(tmp_path: Path) -> None:
    def fill_the_disk() -> None:
        with RunFolder.prepare(tmp_path / "call") as folder, folder.whole("report.html") as unfinished:
            unfinished.write_text("half")
            raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(LocalMisuse, match=r"^output folder [^\n]*\(No space left on device\)[^\n]*$"):
        fill_the_disk()
    assert list((tmp_path / "call").iterdir()) == []


def test_trouble_with_a_file_elsewhere_is_not_blamed_on_the_folder(tmp_path: Path) -> None:
    def lose_a_clip() -> None:
        with RunFolder.prepare(tmp_path / "call"):
            raise OSError(errno.EIO, "Input/output error", str(tmp_path / "clip.mp4"))

    with pytest.raises(OSError, match=r"clip\.mp4"):
        lose_a_clip()


def test_who_stops_a_call_is_told_what_its_folder_keeps(tmp_path: Path) -> None:
    def stop() -> None:
        with RunFolder.prepare(tmp_path / "call"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as stopped:
        stop()
    assert stopped.value.__notes__ == [f"{tmp_path / 'call'} keeps the trace as far as it came"]


def unsuitable(kind: str, folder: Path) -> Path:  # noqa: PLR0911 - one a kind
    match kind:
        case "a file":
            (folder / "file").write_text("mine")
            return folder / "file"
        case "below a file":
            (folder / "file").write_text("mine")
            return folder / "file" / "call"
        case "someone's papers":
            (folder / "thesis.tex").write_text("mine")
            return folder
        case "a lone report":
            (folder / "report.html").write_text("mine")
            return folder
        case "a call's folder with more in it":
            write_all(folder)
            (folder / "notes").mkdir()
            return folder
        case "a dangling link":
            (folder / "link").symlink_to(folder / "nowhere")
            return folder / "link"
        case "a name too long":
            return folder / ("x" * 300)
        case _:
            return Path("/proc/version/call")


@pytest.mark.parametrize(
    "kind",
    [
        "a file",
        "below a file",
        "someone's papers",
        "a lone report",
        "a call's folder with more in it",
        "a dangling link",
        "a name too long",
        "not writable",
    ],
)
def test_what_cannot_become_a_calls_folder_is_refused_in_one_line_and_left_alone(kind: str, tmp_path: Path) -> None:
    path = unsuitable(kind, tmp_path)
    before = sorted((entry, entry.stat().st_size) for entry in tmp_path.rglob("*") if not entry.is_symlink())
    with pytest.raises(LocalMisuse, match=r"^output folder [^\n]*$"):
        refuse_unsuitable(path)
    with pytest.raises(LocalMisuse, match=r"^output folder [^\n]*$"):
        RunFolder.prepare(path).__enter__()
    assert sorted((entry, entry.stat().st_size) for entry in tmp_path.rglob("*") if not entry.is_symlink()) == before
