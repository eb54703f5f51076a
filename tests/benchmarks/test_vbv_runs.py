"""Tiny real runs of the VBV bench, one a subject, and what is written of them."""

import json
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from benchmarks.vbv import native_grid
from benchmarks.vbv.bench import run
from benchmarks.vbv.matrix import Job, Run
from benchmarks.vbv.measurement import Failure, Row
from benchmarks.vbv.plots import FILE_NAME, check_plots, write_plots
from benchmarks.vbv.points import P180, Subject
from benchmarks.vbv.run_log import RunLog
from benchmarks.vbv.schedules import Schedule
from benchmarks.vbv.shown_quality import shown_pictures, shown_psnr_db
from benchmarks.vbv.svg_plot import tick_step
from benchmarks.vbv.work import rendered, work
from rtc.values.errors import CodecError, LocalMisuse
from rtc.values.formats import Codec
from tests.support.vbv_runs import frame, point, row

SMALL = point(picture_format=P180, kbps=60)


def results_of(subject, *points):
    return work(Job(runs=tuple(Run(point=one, subject=subject) for one in points), vmaf=False))


@pytest.mark.parametrize("subject", Subject)
def test_every_subject_gives_a_stream_that_decodes_at_both_ends_of_its_rates(subject, monkeypatch):
    monkeypatch.setattr("benchmarks.vbv.work.GRID", native_grid.GRID[:2])
    rows = results_of(subject, SMALL) + results_of(subject, replace(SMALL, kbps=200))
    for one in rows:
        assert isinstance(one, Row), one
        assert one.quality.psnr_db > 20
        assert 0 < one.rate.encoded_bps < 1_000_000
        assert one.effort.encode_ms > 0
        assert len(one.curve) + one.effort.dropped == P180.fps
        assert bool(one.settings) is (subject is Subject.TUNED_AV1)


@pytest.mark.parametrize("schedule", Schedule)
@pytest.mark.parametrize("subject", [Subject.OURS_AV1, Subject.OURS_H264, Subject.NATIVE_AV1, Subject.NATIVE_H264])
def test_every_schedule_can_be_driven(subject, schedule):
    where = point(picture_format=P180, kbps=100, schedule=schedule, seconds=3)
    (found,) = results_of(subject, where)
    assert isinstance(found, Row), found
    assert (found.drop is not None) is (schedule in {Schedule.DROP_4, Schedule.DROP_7})


def test_a_run_that_fails_does_not_stop_the_others(monkeypatch):
    def fail(*_args, **_options):
        raise CodecError("the encoder broke")

    monkeypatch.setattr("benchmarks.vbv.work.encode", fail)
    (failed,) = results_of(Subject.OURS_AV1, SMALL)
    assert (failed.reason, failed.point) == ("the encoder broke", SMALL)


def test_a_dropped_picture_shows_the_one_before():
    pictures = rendered(SMALL)[:3]
    dropped = [frame(index, None) for index in range(3)]
    assert len({bytes(shown.data) for shown in shown_pictures(Codec.AV1, dropped, pictures)}) == 1
    assert shown_psnr_db(Codec.AV1, dropped, pictures) < 20


def test_a_stream_that_breaks_is_an_error_and_no_score():
    with pytest.raises(CodecError, match="frame 0 of the av1 stream"):
        list(shown_pictures(Codec.AV1, [frame(0, 10)], rendered(SMALL)[:1]))


def test_each_run_is_a_line_as_soon_as_it_is_done(tmp_path):
    failed = Failure(subject=Subject.X264, point=SMALL, reason="no such encoder")
    with RunLog(tmp_path / "vbv.json") as log:
        log.write([row(), failed])
        lines = [json.loads(line) for line in (tmp_path / "vbv.runs.jsonl").read_text().splitlines()]
    assert [line["subject"] for line in lines] == ["ours-av1", "x264"]
    assert lines[1]["failed"] == "no such encoder"


def test_without_a_file_for_the_report_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with RunLog(None) as log:
        log.write([row()])
    assert list(tmp_path.iterdir()) == []


def test_the_plot_has_a_panel_for_each_case_that_was_run(tmp_path):
    rows = [
        row(subject, point(schedule=schedule, seconds=10))
        for subject in (Subject.OURS_AV1, Subject.NATIVE_AV1)
        for schedule in (Schedule.STEADY, Schedule.DROP_7)
    ]
    check_plots(tmp_path / "plots")
    write_plots(rows, tmp_path / "plots")
    texts = [node.text for node in ET.parse(tmp_path / "plots" / FILE_NAME).iter() if node.text]
    titles = [text for text in texts if "talking_head" in text]
    assert titles == [
        "steady: talking_head, 360p30, 100 kbps",
        "drop-7: talking_head, 360p30, 100 kbps, target down to 14 kbps",
    ]
    assert texts.count("native-av1") == 2


@pytest.mark.parametrize(("most", "step"), [(5, 1), (220, 50), (1_000, 200), (0.3, 0.1), (11, 5)])
def test_ticks_are_round_numbers(most, step):
    assert tick_step(most) == pytest.approx(step)


def test_a_folder_for_plots_that_cannot_be_made_is_refused(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(LocalMisuse, match="--plots"):
        check_plots(tmp_path / "file")


def test_nothing_left_of_the_matrix_is_refused():
    with pytest.raises(LocalMisuse, match="no such run in this matrix with --quick"):
        run(quick=True, only=["x264"])


def test_vmaf_that_is_not_there_is_refused_before_anything_runs(monkeypatch):
    monkeypatch.setattr("benchmarks.vbv.bench.vmaf_available", lambda: False)
    with pytest.raises(LocalMisuse, match="pip install"):
        run(quick=True, vmaf=True)
