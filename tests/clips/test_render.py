import stat

import av
import cv2
import numpy as np
import pytest

from clips.catalogue import open_clip
from clips.clip import Clip
from clips.frames import planes, solid_frame
from clips.render import write_picture, write_video
from rtc.values.errors import LocalMisuse
from rtc.values.formats import FrameSize

SIZE = FrameSize(96, 54)


class BrokenClip(Clip):
    """Gives two frames and then fails."""

    def _render(self, index):
        if index == 2:
            raise LocalMisuse("the camera is gone")
        return solid_frame(self.size)


def names(folder):
    return [path.name for path in folder.iterdir()]


def a_clip():
    return open_clip("motion", size=SIZE, fps=30, seed=1)


@pytest.mark.parametrize(("suffix", "near"), [("y4m", 0), ("mp4", 4), ("mkv", 4), ("webm", 8)])
def test_a_rendered_video_reads_back_as_it_was(tmp_path, suffix, near):
    path = tmp_path / f"it.{suffix}"
    done = []
    write_video(a_clip(), path, frames=6, progress=done.append)

    assert done == [1, 2, 3, 4, 5, 6]
    assert names(tmp_path) == [path.name]
    with a_clip() as clip, av.open(str(path)) as container:
        pictures = [picture.to_ndarray()[:54] for picture in container.decode(video=0)]
        assert len(pictures) == 6
        for index, picture in enumerate(pictures):
            assert np.abs(picture.astype(int) - planes(clip.frame(index)).y).mean() <= near


def test_a_rendered_picture_is_the_frame_asked_for(tmp_path):
    path = tmp_path / "it.png"
    write_picture(a_clip(), path, index=4)

    with a_clip() as clip:
        for index in range(4):
            clip.frame(index)
        luma = planes(clip.frame(4)).y
    grey = cv2.cvtColor(cv2.imread(str(path)), cv2.COLOR_BGR2GRAY)
    assert np.corrcoef(grey.ravel(), luma.ravel())[0, 1] > 0.99
    assert names(tmp_path) == ["it.png"]


def test_a_rendered_file_may_be_read_by_whoever_may_read_new_files(tmp_path):
    write_video(a_clip(), tmp_path / "it.y4m", frames=1)
    (tmp_path / "other").touch()

    modes = {stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("it.y4m", "other")}
    assert len(modes) == 1


@pytest.mark.parametrize("suffix", ["y4m", "mp4"])
def test_a_clip_that_fails_leaves_nothing_and_spoils_nothing(tmp_path, suffix):
    path = tmp_path / f"it.{suffix}"
    path.write_bytes(b"from before")

    with pytest.raises(LocalMisuse, match="the camera is gone"):
        write_video(BrokenClip(name="broken", size=SIZE, fps=30), path, frames=5)
    assert path.read_bytes() == b"from before"
    assert names(tmp_path) == [path.name]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("it.avi", "must end in y4m, mp4, mkv, webm or png"),
        ("none/it.mp4", "there is no folder"),
        (".", "must end in"),
        ("q" * 5_000 + ".mp4", "cannot be written .file name too long"),
    ],
)
def test_a_file_that_cannot_be_written_is_refused(tmp_path, name, says):
    with pytest.raises(LocalMisuse, match=says):
        write_video(a_clip(), tmp_path / name, frames=1)
    assert names(tmp_path) == []


def test_a_folder_named_like_a_video_is_refused(tmp_path):
    (tmp_path / "it.mp4").mkdir()

    with pytest.raises(LocalMisuse, match="is a folder; name a file to write"):
        write_video(a_clip(), tmp_path / "it.mp4", frames=1)
