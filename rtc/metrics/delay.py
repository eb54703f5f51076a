"""Delays that a viewer or a packet meets."""

from collections.abc import Iterable

from rtc.metrics.distributions import DelayDistribution, MedianAndTail
from rtc.metrics.records import FrameRecord, PacketRecord
from rtc.values.trace_events import PacketKind


def capture_to_display_us(frames: Iterable[FrameRecord]) -> list[int]:
    """From the camera to the screen, for each frame that reached it: encode, send, wait, decode and display."""
    return [frame.displayed_at_us - frame.captured_at_us for frame in frames if frame.displayed_at_us is not None]


def capture_to_display(frames: Iterable[FrameRecord]) -> DelayDistribution:
    """The distribution over displayed frames; frames never shown are the business of smoothness, not of delay."""
    return DelayDistribution.of_us(capture_to_display_us(frames))


def queue_delay(packets: Iterable[PacketRecord]) -> MedianAndTail:
    """Time in the bottleneck's queue, over delivered packets other than feedback."""
    return MedianAndTail.of_us(
        packet.queue_delay_us
        for packet in packets
        if packet.queue_delay_us is not None and packet.kind is not PacketKind.FEEDBACK
    )
