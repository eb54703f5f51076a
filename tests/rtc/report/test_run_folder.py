import gzip
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml

from rtc.metrics.direction_summary import summarise_direction
from rtc.metrics.vbv import vbv_delays_us
from rtc.report.run_folder import NAMES, RunFolder, refuse_unsuitable
from rtc.report.summary_document import summary_document
from rtc.values.errors import LocalMisuse
from tests.support.direction_records import made_up_direction

DIRECTIONS = {"a_to_b": made_up_direction(seconds=2), "b_to_a": made_up_direction(seconds=2, seed=2)}


def write_all(path: Path) -> RunFolder:
    folder = RunFolder.prepare(path)
    with folder.trace_stream() as stream:
        stream.write("{}\n")
    folder.write_records(DIRECTIONS)
    summaries = {name: summarise_direction(direction) for name, direction in DIRECTIONS.items()}
    folder.write_summary(
        summary_document(seed=7, versions={"rtc": "0.1.0"}, scenario={"fps": 30}, directions=summaries)
    )
    folder.write_scenario({"seed": 7, "clip": "talking-head"})
    folder.write_run({"wall_s": 1.5})
    folder.write_page("<html></html>")
    return folder


def test_a_folder_holds_whole_files_under_their_names_and_nothing_else(tmp_path: Path) -> None:
    write_all(tmp_path / "new" / "call")
    names = {entry.name for entry in (tmp_path / "new" / "call").iterdir()}
    assert names == NAMES - {"received.mp4", "trace.jsonl.gz"}
    assert yaml.safe_load((tmp_path / "new/call/scenario.yaml").read_text()) == {"seed": 7, "clip": "talking-head"}


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
    folder = RunFolder.prepare(tmp_path / "call")
    folder.write_records({})
    table = pq.read_table(folder.path / "frames.parquet")
    assert table.num_rows == 0
    assert table.schema.field("psnr_y_db").type == "double"


def test_a_compressed_trace_has_the_same_bytes_whenever_it_is_written(tmp_path: Path) -> None:
    contents = []
    for name in ("first", "second"):
        folder = RunFolder.prepare(tmp_path / name)
        with folder.trace_stream(compressed=True) as stream:
            stream.write('{"time_us":0}\n' * 1_000)
        contents.append((folder.path / "trace.jsonl.gz").read_bytes())
    assert contents[0] == contents[1]
    assert gzip.decompress(contents[0]) == b'{"time_us":0}\n' * 1_000


def test_a_file_that_could_not_be_finished_does_not_take_its_name(tmp_path: Path) -> None:
    folder = RunFolder.prepare(tmp_path / "call")
    with pytest.raises(ValueError, match="JSON"):
        folder.write_summary({"figure": float("nan")})

    def fail_half_way() -> None:
        with folder.whole("report.html") as unfinished:
            unfinished.write_text("half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail_half_way()
    assert list(folder.path.iterdir()) == []


def test_an_earlier_calls_files_make_way(tmp_path: Path) -> None:
    write_all(tmp_path / "call")
    (tmp_path / "call" / ".unfinished-received.mp4").write_bytes(b"half a film")
    RunFolder.prepare(tmp_path / "call")
    assert list((tmp_path / "call").iterdir()) == []


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
        RunFolder.prepare(path)
    assert sorted((entry, entry.stat().st_size) for entry in tmp_path.rglob("*") if not entry.is_symlink()) == before
