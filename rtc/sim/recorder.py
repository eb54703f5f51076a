"""Turns the events of a call into the rows its figures are made from, while passing them on to the trace."""

from collections.abc import Callable
from typing import Any

from rtc.metrics.direction_records import DirectionRecords
from rtc.metrics.rate_timeline import RateStep
from rtc.metrics.records import Decision, FrameRecord, PacketRecord
from rtc.metrics.repair import RepairCounters
from rtc.values.trace_events import (
    DecisionMade,
    DropReason,
    FrameAssembled,
    FrameCaptured,
    FrameDecoded,
    FrameDisplayed,
    FrameDropped,
    FrameEncoded,
    KeyFrameRequestKind,
    KeyFrameRequestSent,
    NackSent,
    PacketDelivered,
    PacketDropped,
    PacketSent,
    TargetChanged,
    TraceEvent,
    TraceSink,
)

_Handler = Callable[[int, Any], None]


class DirectionRecorder:
    """The rows of one direction. The sender's, the path's and the receiver's events each come through a sink of theirs.

    Promises that records are in capture and sending order, and that rows exist for all that was captured and sent.
    """

    def __init__(self) -> None:
        self.frames: list[FrameRecord] = []
        self.packets: list[PacketRecord] = []
        self.decisions: list[Decision] = []
        self.targets: list[RateStep] = []
        self.capacity: list[RateStep] = []
        self._by_frame_id: dict[int, FrameRecord] = {}
        self._nacks = 0
        self._requests = dict.fromkeys(KeyFrameRequestKind, 0)
        self.sender_handlers: dict[type, _Handler] = {
            FrameCaptured: self._on_captured,
            FrameDropped: self._on_dropped,
            FrameEncoded: self._on_encoded,
            TargetChanged: self._on_target,
            DecisionMade: self._on_decision,
        }
        self.path_handlers: dict[type, _Handler] = {
            PacketSent: self._on_packet_sent,
            PacketDelivered: self._on_packet_delivered,
            PacketDropped: self._on_packet_dropped,
        }
        self.receiver_handlers: dict[type, _Handler] = {
            FrameAssembled: self._on_assembled,
            FrameDecoded: self._on_decoded,
            FrameDisplayed: self._on_displayed,
            NackSent: self._on_nack,
            KeyFrameRequestSent: self._on_request,
        }

    def frame(self, frame_id: int) -> FrameRecord | None:
        """The row of an encoded frame."""
        return self._by_frame_id.get(frame_id)

    def on_capacity(self, now_us: int, bps: int) -> None:
        """What the link carries from now on."""
        if not self.capacity or self.capacity[-1].bps != bps:
            self.capacity.append(RateStep(at_us=now_us, bps=bps))

    def records(self, *, duration_us: int, ended_at_us: int) -> DirectionRecords:
        """Everything seen until the call's end, for the metrics; what the encoder never came to was dropped."""
        for frame in self.frames:
            if frame.encoded_bytes is None and frame.drop_reason is None:
                frame.drop_reason = DropReason.CALL_ENDED
        return DirectionRecords(
            frames=self.frames,
            packets=self.packets,
            decisions=self.decisions,
            counters=RepairCounters(
                nack_count=self._nacks,
                pli_count=self._requests[KeyFrameRequestKind.PLI],
                fir_count=self._requests[KeyFrameRequestKind.FIR],
            ),
            duration_us=duration_us,
            ended_at_us=ended_at_us,
            targets=self.targets,
            capacity=self.capacity,
        )

    def _on_captured(self, now_us: int, event: FrameCaptured) -> None:
        self.frames.append(FrameRecord(capture_index=event.capture_index, captured_at_us=now_us))

    def _on_dropped(self, _now_us: int, event: FrameDropped) -> None:
        self.frames[event.capture_index].drop_reason = event.reason

    def _on_encoded(self, now_us: int, event: FrameEncoded) -> None:
        record = self.frames[event.capture_index]
        record.frame_id = event.frame_id
        record.codec = event.codec
        record.frame_type = event.frame_type
        record.temporal_layer = event.temporal_layer
        record.is_long_term_reference = event.is_long_term_reference
        record.coded_size = event.size
        record.quantizer = event.quantizer
        record.speed = event.speed
        record.target_bps = event.target_bps
        record.encoded_bytes = event.encoded_bytes
        record.encode_time_us = event.encode_time_us
        record.encodes = event.encodes
        record.encoded_at_us = now_us
        self._by_frame_id[event.frame_id] = record

    def _on_target(self, now_us: int, event: TargetChanged) -> None:
        self.targets.append(RateStep(at_us=now_us, bps=event.target_bps))

    def _on_decision(self, now_us: int, event: DecisionMade) -> None:
        self.decisions.append(Decision(at_us=now_us, kind=event.kind, reason=event.reason))

    def _on_packet_sent(self, now_us: int, event: PacketSent) -> None:
        self.packets.append(
            PacketRecord(
                packet_index=event.packet_index,
                sent_at_us=now_us,
                kind=event.kind,
                size_bytes=event.size_bytes,
                frame_id=event.frame_id,
                unwrapped_sequence=event.unwrapped_sequence,
            )
        )
        if event.frame_id is not None:
            self._by_frame_id[event.frame_id].packets += 1

    def _on_packet_delivered(self, now_us: int, event: PacketDelivered) -> None:
        record = self.packets[event.packet_index]
        if record.delivered_at_us is None:  # a duplicate counts when it is the first to come
            record.delivered_at_us = now_us
            record.queue_delay_us = event.queue_delay_us
            record.loss_reason = None

    def _on_packet_dropped(self, _now_us: int, event: PacketDropped) -> None:
        record = self.packets[event.packet_index]
        if record.delivered_at_us is None:
            record.loss_reason = event.reason

    def _on_assembled(self, now_us: int, event: FrameAssembled) -> None:
        self._by_frame_id[event.frame_id].assembled_at_us = now_us

    def _on_decoded(self, now_us: int, event: FrameDecoded) -> None:
        record = self._by_frame_id[event.frame_id]
        record.decode_time_us = event.decode_time_us
        if event.size is not None:
            record.decoded_at_us = now_us

    def _on_displayed(self, now_us: int, event: FrameDisplayed) -> None:
        self._by_frame_id[event.frame_id].displayed_at_us = now_us

    def _on_nack(self, _now_us: int, _event: NackSent) -> None:
        self._nacks += 1

    def _on_request(self, _now_us: int, event: KeyFrameRequestSent) -> None:
        self._requests[event.kind] += 1


class RecordingSink:
    """A TraceSink that enters events into rows and hands them on."""

    def __init__(self, handlers: dict[type, _Handler], onward: TraceSink | None) -> None:
        self._handlers = handlers
        self._onward = onward

    def record(self, now_us: int, event: TraceEvent) -> None:
        """Take one event."""
        handler = self._handlers.get(event.__class__)
        if handler is not None:
            handler(now_us, event)
        if self._onward is not None:
            self._onward.record(now_us, event)
