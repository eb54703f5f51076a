"""What every source of pictures promises."""

import abc
from types import TracebackType
from typing import Self

from rtc.values.errors import LocalMisuse
from rtc.values.formats import FrameSize
from rtc.values.frames import VideoFrame
from rtc.values.units import US_PER_S


class Clip(abc.ABC):
    """An endless source of pictures at one size and rate, driven by its caller, frame by frame from index 0.

    Every frame handed out has memory that is never written to again, so the caller may keep it as long as it likes.
    Not safe to share between threads; any one thread may drive it.
    """

    def __init__(self, *, name: str, size: FrameSize, fps: int) -> None:
        self.name = name
        self.size = size
        self.fps = fps
        self._next_index = 0

    def frame(self, index: int) -> VideoFrame:
        """The picture of capture instant `index` / `fps`.

        Raises:
            LocalMisuse: `index` is not the one after the last asked for (0 at first), or the source failed.

        """
        if index != self._next_index:
            raise LocalMisuse(f"clip {self.name}: frame {index} was asked for, frame {self._next_index} comes next")
        picture = self._render(index)
        self._next_index += 1
        return picture

    def instant_us(self, index: int) -> int:
        """When frame `index` is captured, in microseconds since frame 0."""
        return index * US_PER_S // self.fps

    def close(self) -> None:  # noqa: B027 - most clips hold nothing but memory
        """Let go of files and devices; no frame may be asked for afterwards."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    @abc.abstractmethod
    def _render(self, index: int) -> VideoFrame:
        """Make the picture; called once for each index, in order."""
