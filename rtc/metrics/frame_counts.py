"""How many frames got how far."""

from collections.abc import Sequence

from rtc.metrics.distributions import Figures
from rtc.metrics.records import FrameRecord
from rtc.values.frames import FrameType


class FrameCounts(Figures):
    """Figures of the frames group of a direction."""

    frames_captured: int
    frames_encoded: int
    frames_dropped: int
    """Captured and never sent: the encoder was busy, rate control skipped them, or the call ended first."""
    frames_displayed: int
    key_frames_encoded: int
    recovery_frames_encoded: int
    frames_drifted: int | None
    """Displayed frames whose pixels differ from those of a decoder fed the complete stream; null when not compared."""


def frame_counts(frames: Sequence[FrameRecord]) -> FrameCounts:
    """Count the frames of one direction."""
    compared = [frame.drifted for frame in frames if frame.drifted is not None]
    types = [frame.frame_type for frame in frames if frame.encoded_bytes is not None]
    return FrameCounts(
        frames_captured=len(frames),
        frames_encoded=len(types),
        frames_dropped=sum(frame.drop_reason is not None for frame in frames),
        frames_displayed=sum(frame.displayed_at_us is not None for frame in frames),
        key_frames_encoded=types.count(FrameType.KEY),
        recovery_frames_encoded=types.count(FrameType.RECOVERY),
        frames_drifted=sum(compared) if compared else None,
    )
