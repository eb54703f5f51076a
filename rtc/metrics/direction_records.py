"""Everything that was observed of one direction of a call: what its figures, tables and pictures are made from."""

import functools
from collections.abc import Sequence
from dataclasses import dataclass, field

from rtc.metrics.rate_timeline import RateStep
from rtc.metrics.records import Decision, FrameRecord, PacketRecord
from rtc.metrics.repair import RepairCounters
from rtc.metrics.vbv import targets_of_frames, vbv_delays_us


@dataclass(frozen=True, kw_only=True)  # no slots: what is computed once is kept
class DirectionRecords:
    """One direction, in time order throughout; times count from the call's beginning."""

    frames: Sequence[FrameRecord]
    """Every captured frame, in capture order."""
    packets: Sequence[PacketRecord]
    """Every datagram that entered the path, in sending order."""
    decisions: Sequence[Decision] = ()
    counters: RepairCounters = field(default_factory=RepairCounters)
    duration_us: int
    """How long the camera ran; rates are means over it."""
    ended_at_us: int | None = None
    """Until when the screen was watched: when another frame would have been displayed, had the camera run on. None:
    the camera's end."""
    targets: Sequence[RateStep] = ()
    """Changes of the target bitrate; left empty, they are taken from the frames."""
    capacity: Sequence[RateStep] = ()
    """What the link could carry, every byte on the wire counted; empty when unlimited or unknown."""

    @property
    def end_us(self) -> int:
        """The last moment the screen was watched."""
        return self.duration_us if self.ended_at_us is None else self.ended_at_us

    @property
    def camera_interval_us(self) -> int:
        """What lies between two captured pictures on average; 0 when there are not two."""
        frames = self.frames
        return (frames[-1].captured_at_us - frames[0].captured_at_us) // (len(frames) - 1) if len(frames) > 1 else 0

    @property
    def target_steps(self) -> Sequence[RateStep]:
        """Changes of the target bitrate, from wherever they are known."""
        return self.targets or targets_of_frames(self.frames)

    @property
    def display_times_us(self) -> tuple[int, ...]:
        """When the screen changed, ascending."""
        return tuple(sorted(frame.displayed_at_us for frame in self.frames if frame.displayed_at_us is not None))

    @functools.cached_property
    def vbv_delays_us(self) -> tuple[int | None, ...]:
        """The VBV delay after each frame; None for a frame never encoded."""
        return vbv_delays_us(self.frames, self.target_steps)
