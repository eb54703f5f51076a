"""The measured points: which clip, in which format, at which rate, on which schedule, by which subject."""

import enum
from dataclasses import dataclass, replace
from typing import Final, Self

from benchmarks.vbv.schedules import Schedule
from rtc.values.formats import Codec, FrameSize
from rtc.values.units import US_PER_S


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureFormat:
    """A picture size and rate, and the target rates it is measured at."""

    name: str
    size: FrameSize
    fps: int
    rates_kbps: tuple[int, ...]


P180: Final = PictureFormat(name="180p15", size=FrameSize(320, 180), fps=15, rates_kbps=(15, 30, 60, 100, 200))
P360: Final = PictureFormat(name="360p30", size=FrameSize(640, 360), fps=30, rates_kbps=(60, 100, 200, 400, 800))
FORMATS: Final = (P180, P360)


class Subject(enum.Enum):
    """An encoder under some rate control."""

    OURS_AV1 = "ours-av1"
    """Our controller, AV1."""
    OURS_AV1_2 = "ours-av1-2"
    """Our controller, AV1, the better of two encodes of each picture."""
    OURS_H264 = "ours-h264"
    """Our controller, OpenH264 at a quantizer per frame."""
    NATIVE_AV1 = "native-av1"
    """libaom's own CBR with libwebrtc's buffers."""
    TUNED_AV1 = "tuned-av1"
    """libaom's own CBR with the best settings of a grid, chosen point by point."""
    NATIVE_H264 = "native-h264"
    """OpenH264's own bitrate mode."""
    X264 = "x264"
    """x264 without latency, under VBV."""
    SVT_AV1 = "svt-av1"
    """SVT-AV1's real-time mode, CBR."""

    @property
    def codec(self) -> Codec:
        """What it makes."""
        return Codec.H264 if self in H264_SUBJECTS else Codec.AV1


H264_SUBJECTS: Final = frozenset({Subject.OURS_H264, Subject.NATIVE_H264, Subject.X264})
STEADY_ONLY: Final = frozenset({Subject.X264, Subject.SVT_AV1})
"""Through PyAV, which changes neither target nor size of an open encoder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """What one run is given."""

    clip: str
    """As `clips.catalogue.open_clip` takes it."""
    format: PictureFormat
    kbps: int
    """The target, or the highest of a schedule that changes it."""
    schedule: Schedule
    duration_us: int

    @property
    def peak_bps(self) -> int:
        """The rate in bits a second."""
        return self.kbps * 1000

    @property
    def frame_count(self) -> int:
        """Pictures captured."""
        return self.duration_us * self.format.fps // US_PER_S

    def on(self, schedule: Schedule) -> Self:
        """The same on another schedule."""
        return replace(self, schedule=schedule)

    def __str__(self) -> str:
        return f"{clip_title(self.clip)} {self.format.name} {self.kbps} kbps {self.schedule.value}"


def clip_title(clip: str) -> str:
    """A clip's name without its folder."""
    return clip.replace("\\", "/").rpartition("/")[2]
