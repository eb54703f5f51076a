"""Which parts of the matrix run."""

import pytest

from benchmarks.vbv.clip_choice import chosen_clips
from benchmarks.vbv.matrix import MADE_CLIPS, QUICK_CLIPS, jobs
from benchmarks.vbv.points import Subject
from benchmarks.vbv.schedules import Schedule
from benchmarks.vbv.selection import Selection, parse_selection
from rtc.values.errors import LocalMisuse


def runs(*only, quick=False):
    made = jobs(("motion",), parse_selection(only), quick=quick, vmaf=False)
    return [run for job in made for run in job.runs]


def test_the_full_matrix_has_every_subject_steadily_at_every_rate():
    steady = [run for run in runs() if run.point.schedule is Schedule.STEADY]
    assert len(steady) == len(Subject) * 10
    assert {run.subject for run in steady} == set(Subject)


def test_every_schedule_is_in_either_matrix():
    for quick in (True, False):
        assert {run.point.schedule for run in runs(quick=quick)} == set(Schedule)


def test_what_pyav_cannot_steer_runs_on_steady_targets_alone():
    others = {run.subject for run in runs() if run.point.schedule is not Schedule.STEADY}
    assert not others & {Subject.X264, Subject.SVT_AV1}


def test_every_other_job_turns_the_order_of_its_subjects():
    first, second = jobs(("motion",), Selection(), quick=True, vmaf=False)[:2]
    steady = [[run.subject for run in job.runs if run.point.schedule is Schedule.STEADY] for job in (first, second)]
    assert steady[0] == steady[1][::-1]


def test_words_joined_by_a_slash_must_all_fit_and_each_only_adds():
    assert {(run.subject, run.point.schedule) for run in runs("ours-av1/drop-4")} == {
        (Subject.OURS_AV1, Schedule.DROP_4)
    }
    assert {run.subject for run in runs("x264", "svt-av1/180p15/30kbps")} == {Subject.X264, Subject.SVT_AV1}
    assert len(runs("svt-av1/180p15/30kbps")) == 1


@pytest.mark.parametrize("text", ["ours", "ours-av1/", "", "ours-av1/x264", "30kbps/60kbps", "30"])
def test_words_that_mean_nothing_are_refused_in_one_line(text):
    with pytest.raises(LocalMisuse, match="--only") as refused:
        parse_selection([text])
    assert "\n" not in str(refused.value)


def test_the_usual_clips_are_those_made_in_code_and_the_real_ones(tmp_path, monkeypatch):
    monkeypatch.delenv("RTC_DATA", raising=False)
    assert chosen_clips((), quick=False) == MADE_CLIPS
    (tmp_path / "clips").mkdir()
    (tmp_path / "clips" / "head_one.mp4").touch()
    monkeypatch.setenv("RTC_DATA", str(tmp_path))
    assert chosen_clips((), quick=False) == (*MADE_CLIPS, str(tmp_path / "clips" / "head_one.mp4"))
    assert chosen_clips((), quick=True) == QUICK_CLIPS


def test_clips_that_are_named_take_the_place_of_the_usual_ones():
    assert chosen_clips(("screen", "motion", "screen"), quick=False) == ("screen", "motion")


@pytest.mark.parametrize("make", ["nothing", "empty folder", "no video"])
def test_a_clip_that_cannot_be_opened_is_refused(make, tmp_path):
    path = tmp_path / "clip.mp4"
    if make == "empty folder":
        path.mkdir()
    elif make == "no video":
        path.write_text("text")
    with pytest.raises(LocalMisuse):
        chosen_clips((str(path),), quick=False)


def test_a_camera_shows_other_pictures_every_time_and_is_refused():
    with pytest.raises(LocalMisuse, match="same pictures"):
        chosen_clips(("camera",), quick=True)
