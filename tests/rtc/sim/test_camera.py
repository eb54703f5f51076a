"""A camera in virtual time, whose pictures come from a thread."""

import pytest

from clips.clip import Clip
from clips.frames import solid_frame
from rtc.sim.camera import BATCH_FRAMES, BATCHES_AHEAD, Camera
from rtc.values.errors import LocalMisuse
from rtc.values.formats import FrameSize

SIZE = FrameSize(32, 32)


class Levels(Clip):
    """Frame i is of grey level i; from `fails_at` on there is none."""

    def __init__(self, fails_at=None):
        super().__init__(name="levels", size=SIZE, fps=30)
        self.rendered = []
        self.fails_at = fails_at
        self.is_closed = False

    def _render(self, index):
        if index == self.fails_at:
            raise LocalMisuse("clip levels: the lamp went out")
        self.rendered.append(index)
        return solid_frame(self.size, y=index)

    def close(self):
        self.is_closed = True


def _all_frames(camera):
    frames = []
    while (at_us := camera.next_frame_us()) is not None:
        frame, picture = camera.capture()
        assert frame.captured_at_us == at_us
        frames.append((frame.capture_index, at_us, picture.data[0]))
    return frames


def test_pictures_come_in_order_at_exact_times_until_the_end():
    clip = Levels()
    camera = Camera(clip, first_us=16_666, end_us=1_000_000)

    frames = _all_frames(camera)
    camera.close()

    assert frames == [(index, 16_666 + index * 1_000_000 // 30, index) for index in range(30)]
    assert clip.rendered == list(range(30))
    assert clip.is_closed


def test_it_renders_a_few_frames_ahead_and_no_more():
    clip = Levels()
    camera = Camera(clip, first_us=0, end_us=10_000_000)

    camera.capture()
    camera.close()

    assert len(clip.rendered) <= BATCH_FRAMES * (1 + BATCHES_AHEAD)


def test_a_clip_that_fails_in_the_thread_ends_the_call():
    camera = Camera(Levels(fails_at=6), first_us=0, end_us=1_000_000)

    with pytest.raises(LocalMisuse, match="the lamp went out"):
        _all_frames(camera)
    camera.close()
