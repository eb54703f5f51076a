"""A camera of this machine as a clip; the one clip whose pictures differ from run to run."""

import re

import cv2
import numpy as np

from clips.clip import Clip
from clips.frames import Plane, Planes, new_picture
from clips.supersampled import cover_crop
from rtc.values.errors import LocalMisuse
from rtc.values.formats import FrameSize
from rtc.values.frames import VideoFrame

_NAME = re.compile(r"camera(?::(\d{1,2}))?")


def camera_number(name: str) -> int | None:
    """Which camera a clip name means: 0 for `camera`, N for `camera:N`, None when it is no camera's name."""
    match = _NAME.fullmatch(name)
    return int(match[1] or 0) if match else None


class CameraClip(Clip):
    """Each frame is the next picture the camera delivers, cropped about the centre to the frame's aspect and scaled.

    The call must ask in real time: asking waits for the camera.
    """

    def __init__(self, number: int, *, size: FrameSize, fps: int) -> None:
        """Open the camera.

        Raises:
            LocalMisuse: there is no such camera, or it gives no picture.

        """
        super().__init__(name=f"camera:{number}", size=size, fps=fps)
        cv2.utils.logging.setLogLevel(
            cv2.utils.logging.LOG_LEVEL_SILENT
        )  # a missing camera is our error to report, in one line
        self._capture = cv2.VideoCapture(number)
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, size.width)
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size.height)
        self._capture.set(cv2.CAP_PROP_FPS, fps)
        if not self._capture.isOpened() or not self._capture.grab():
            self.close()
            raise LocalMisuse(
                f"clip camera:{number}: no such camera gives pictures here; name a file or a clip made in code"
            )

    def close(self) -> None:
        """Let go of the camera."""
        self._capture.release()

    def _render(self, index: int) -> VideoFrame:
        try:
            there, picture = self._capture.read()
            if there:
                return _fitted(np.asarray(picture, np.uint8), self.size)
        except cv2.error as error:
            raise LocalMisuse(f"clip {self.name}: frame {index} cannot be read or scaled") from error
        raise LocalMisuse(f"clip {self.name}: the camera gave no frame {index}; is it still plugged in?")


def _fitted(bgr: Plane, size: FrameSize) -> VideoFrame:
    whole = Planes(bgr[..., 0], bgr[..., 1], bgr[..., 2])
    rows, columns = bgr.shape[:2]
    crop = cover_crop(whole, aspect=size, centre=(columns // 2, rows // 2), margin=0)
    cut = bgr[crop.top : crop.top + crop.height, crop.left : crop.left + crop.width]
    scaled = cv2.resize(cut, (size.width, size.height), interpolation=cv2.INTER_AREA)
    frame, _ = new_picture(size)
    np.copyto(np.frombuffer(frame.data, np.uint8), np.asarray(cv2.cvtColor(scaled, cv2.COLOR_BGR2YUV_I420)).reshape(-1))
    return frame
