"""Scores in a thread: which picture each frame is scored against, and what becomes of a failure."""

from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from clips.frames import solid_frame
from rtc.metrics.quality import PSNR_CAP_DB, psnr_y_db
from rtc.metrics.records import FrameRecord
from rtc.sim.picture_store import PictureStore
from rtc.sim.quality_scorer import QualityScorer
from rtc.values.errors import CodecError
from rtc.values.formats import FrameSize

SIZE = FrameSize(32, 32)


def _grey(level):
    return solid_frame(SIZE, y=level)


@pytest.fixture
def pool():
    with ThreadPoolExecutor(max_workers=1) as workers:
        yield workers


def _scorer(pool, count):
    """A scorer of `count` captured frames, frame i of level 40 + i; its records."""
    sources = PictureStore()
    for index in range(count):
        sources.put(index, _grey(40 + index))
    records = [FrameRecord(capture_index=index, captured_at_us=index) for index in range(count)]
    return QualityScorer(sources, records, pool), records


def test_a_frame_not_shown_is_scored_against_the_picture_that_stood_in_its_place(pool):
    scorer, records = _scorer(pool, 6)

    scorer.on_shown(1, _grey(41))
    scorer.on_shown(4, _grey(45))
    scorer.finish()

    assert [record.psnr_y_db for record in records] == [
        None,
        PSNR_CAP_DB,
        None,
        None,
        psnr_y_db(_grey(44), _grey(45)),
        None,
    ]
    # Nothing was on the screen for frame 0; frames 2 and 3 stood still on frame 1, frame 5 on frame 4.
    assert [record.psnr_with_freeze_db for record in records] == [
        None,
        PSNR_CAP_DB,
        psnr_y_db(_grey(42), _grey(41)),
        psnr_y_db(_grey(43), _grey(41)),
        psnr_y_db(_grey(44), _grey(45)),
        psnr_y_db(_grey(45), _grey(45)),
    ]


def test_a_failure_in_the_thread_comes_out_at_the_end(pool):
    scorer, _records = _scorer(pool, 2)
    never_decoded = Future()
    never_decoded.set_exception(CodecError("the decoder broke"))

    scorer.on_shown(0, never_decoded)

    with pytest.raises(CodecError, match="the decoder broke"):
        scorer.finish()
