"""The sending half of an endpoint: from captured frames to media packets, and again on request."""

from collections import deque
from typing import Final

from ratecontrol.target import OverheadModel
from resilience.nack.retransmission_buffer import RetransmissionBuffer
from rtc.call.config import UDP_IP_BYTES, EndpointConfig
from rtc.call.controller import CallController, FrameOrder
from rtc.call.encode_attempts import EncodeAttempt, EncodeAttempts
from rtc.call.encode_queue import EncodeQueue
from rtc.call.key_frame_gate import KeyFrameGate
from rtc.call.outputs import CommitEncode, EncodeFrame
from rtc.call.packetizer import (
    EXTENSION_BYTES,
    MAX_PAYLOAD_BYTES,
    RTP_HEADER_BYTES,
    OutgoingPacket,
    Packetizer,
)
from rtc.call.payload_types import PayloadTypeMap
from rtc.call.retransmission_budget import RetransmissionBudget
from rtc.values.encoding import EncodeResult
from rtc.values.errors import LocalMisuse
from rtc.values.frames import CapturedFrame, EncodedFrame, FrameMetadata, FrameType, PictureChange
from rtc.values.targets import NetworkEstimate
from rtc.values.trace_events import (
    DecisionKind,
    DecisionMade,
    DropReason,
    FrameCaptured,
    FrameDropped,
    FrameEncoded,
    KeyFrameRequestKind,
    KeyFrameRequestReceived,
    PacketKind,
    TargetChanged,
    TraceSink,
)
from rtc.values.units import BPS_PER_KBPS, US_PER_S, VIDEO_CLOCK_HZ

MIN_RESEND_INTERVAL_US: Final = 10_000
"""Between two answers for one packet, however short the round trip claims to be."""
MAX_NACKED: Final = 1_000
"""Requests read of one NACK: what a `NackTracker` remembers and a `RetransmissionBuffer` keeps at most."""


class VideoSender:
    """Turns captured frames into packets and answers NACKs and key frame requests.

    Driven by the endpoint: `on_*` for what happens, `poll_encode` and `poll_packet` for what to do about it. Promises
    one encode at a time, frame ids without gaps, and no packet sent again twice within a round trip.
    """

    def __init__(self, config: EndpointConfig, types: PayloadTypeMap, trace: TraceSink) -> None:
        self._trace = trace
        self._controller = CallController(config, _overhead(config))
        self._queue = EncodeQueue()
        self._packetizer = Packetizer(config.local.media_ssrc, types, config.local.first_sequence)
        self._sent = RetransmissionBuffer[OutgoingPacket]()
        self._budget = RetransmissionBudget()
        self._gate = KeyFrameGate()
        self._order: FrameOrder | None = None
        self._attempts = EncodeAttempts()
        self._encoding_change = PictureChange()
        """Since the last picture sent, up to the one in the encoder."""
        self._unsent_change = PictureChange()
        """Of the pictures dropped after that."""
        self._coded_size = config.size
        self._is_dropping = False
        self._next_frame_id = 0
        self._orders: deque[EncodeFrame | CommitEncode] = deque()
        self._packets: deque[tuple[PacketKind, OutgoingPacket]] = deque()

    @property
    def target_bps(self) -> int:
        """What the encoder is asked to make."""
        return self._controller.target_bps

    @property
    def has_output(self) -> bool:
        """Whether `poll_encode` or `poll_packet` has something."""
        return bool(self._orders or self._packets)

    def poll_encode(self) -> EncodeFrame | CommitEncode | None:
        """The next order to the encoder, or word of which encode is sent."""
        return self._orders.popleft() if self._orders else None

    def poll_packet(self) -> tuple[PacketKind, OutgoingPacket] | None:
        """The next packet to send."""
        return self._packets.popleft() if self._packets else None

    def on_captured_frame(self, frame: CapturedFrame, now_us: int) -> None:
        """A picture from the camera."""
        self._trace.record(now_us, FrameCaptured(capture_index=frame.capture_index))
        dropped = self._queue.offer(frame)
        if dropped is not None:
            self._drop(dropped, dropped.change, DropReason.ENCODER_BUSY, now_us)
        self._start_encode(now_us)

    def on_encode_result(self, result: EncodeResult, now_us: int) -> None:
        """The encoder's answer to the order in flight."""
        order, captured = self._order, self._queue.encoding
        if order is None or captured is None or result.frame_id != self._next_frame_id:
            raise LocalMisuse(f"encode result for frame {result.frame_id}, which was not ordered")
        if result.attempt != order.attempt:
            raise LocalMisuse(f"encode result {result.attempt} for frame {result.frame_id}, which was not ordered")
        if result.codec is not order.codec:
            raise LocalMisuse(f"encode result of {result.codec.value} where {order.codec.value} was ordered")
        self._attempts.add(order, result)
        again = self._review(order, result)
        if again is not None:
            self._encode(again, captured)
            return
        sendable = self._attempts.sendable
        if sendable:
            self._send(self._choose(sendable), captured, now_us)
        else:
            self._drop(captured, self._encoding_change, DropReason.ENCODER_SKIPPED, now_us)
        self._queue.finish()
        self._attempts.clear()
        self._order = None
        self._start_encode(now_us)

    def on_network_estimate(self, estimate: NetworkEstimate) -> None:
        """What the path carries changed."""
        target = self._controller.on_network_estimate(estimate)
        if target is not None:
            event = TargetChanged(target_bps=target.bps, capacity_bps=estimate.capacity_bps)
            self._trace.record(estimate.at_us, event)

    def on_nack(self, sequences: tuple[int, ...], now_us: int, round_trip_us: int) -> None:
        """The peer misses these 16-bit sequence numbers."""
        highest = self._packetizer.highest_sequence
        not_within_us = max(round_trip_us, MIN_RESEND_INTERVAL_US)
        for wire in sequences[:MAX_NACKED]:
            if not self._budget.has_credit(self.target_bps, now_us):
                return
            sequence = highest - ((highest - wire) & 0xFFFF)
            packet = self._sent.take(sequence, now_us, not_within_us)
            if packet is not None:
                self._budget.spend(len(packet.packet.payload))
                self._packets.append((PacketKind.RETRANSMISSION, packet))

    def on_key_frame_request(self, kind: KeyFrameRequestKind, now_us: int, round_trip_us: int) -> None:
        """The peer cannot go on without a key frame."""
        honoured = self._gate.honours(now_us, round_trip_us, pending=self._controller.key_frame_pending)
        if honoured:
            self._controller.on_key_frame_request()
        self._trace.record(now_us, KeyFrameRequestReceived(kind=kind, honoured=honoured))

    def _start_encode(self, now_us: int) -> None:
        while (frame := self._queue.start_next()) is not None:
            change = self._unsent_change.plus(frame.change)
            order = self._controller.order_frame(frame.captured_at_us, change)
            if order is not None:
                self._encoding_change, self._unsent_change = change, PictureChange()
                self._is_dropping = False
                self._encode(order, frame)
                return
            self._queue.finish()
            self._drop_on_purpose(frame, now_us)

    def _encode(self, order: FrameOrder, frame: CapturedFrame) -> None:
        self._order = order
        self._orders.append(
            EncodeFrame(
                frame_id=self._next_frame_id,
                capture_index=frame.capture_index,
                attempt=order.attempt,
                codec=order.codec,
                settings=order.settings,
            )
        )

    def _review(self, order: FrameOrder, result: EncodeResult) -> FrameOrder | None:
        if not result.payload:
            return None
        return self._controller.review(order, encoded_bytes=len(result.payload), is_key=result.is_key)

    def _choose(self, sendable: list[EncodeAttempt]) -> EncodeAttempt:
        return sendable[self._controller.choose([(attempt.order, len(attempt.result.payload)) for attempt in sendable])]

    def _send(self, chosen: EncodeAttempt, captured: CapturedFrame, now_us: int) -> None:
        order, result = chosen.order, chosen.result
        metadata = _metadata(result, order, captured)
        # First, because it refuses a malformed frame, and then nothing may have changed.
        packets = self._packetizer.packetize(EncodedFrame(metadata=metadata, payload=result.payload))
        self._controller.on_frame_encoded(
            order,
            result.frame_id,
            encoded_bytes=len(result.payload),
            is_key=result.is_key,
            quantizer=result.quantizer,
        )
        if result.settings.coded_size != self._coded_size:
            self._coded_size = result.settings.coded_size
            reason = f"coded at {self._coded_size} from now on, for {order.target_bps // BPS_PER_KBPS} kbps"
            self._trace.record(now_us, DecisionMade(kind=DecisionKind.RESOLUTION, reason=reason))
        instead = self._controller.key_frame_instead(order)
        if instead is not None:
            self._trace.record(now_us, DecisionMade(kind=DecisionKind.KEY_FRAME, reason=instead))
        overrun = self._controller.key_frame_overrun(order, encoded_bytes=len(result.payload))
        if overrun is not None:
            self._trace.record(now_us, DecisionMade(kind=DecisionKind.KEY_FRAME, reason=overrun))
        self._orders.append(CommitEncode(frame_id=result.frame_id, attempt=result.attempt))
        self._next_frame_id += 1
        if metadata.frame_type is FrameType.KEY:
            self._gate.on_key_frame_sent(now_us)
        self._trace.record(now_us, _encoded_event(chosen, metadata, captured, self._attempts))
        for packet in packets:
            size_bytes = len(packet.packet.payload)
            self._sent.on_packet_sent(packet.unwrapped_sequence, packet, now_us, size_bytes=size_bytes)
            self._packets.append((PacketKind.MEDIA, packet))

    def _drop(self, frame: CapturedFrame, change: PictureChange, reason: DropReason, now_us: int) -> None:
        """Send nothing of a picture; what changed in it counts with the next."""
        self._unsent_change = self._unsent_change.plus(change)
        self._trace.record(now_us, FrameDropped(capture_index=frame.capture_index, reason=reason))

    def _drop_on_purpose(self, frame: CapturedFrame, now_us: int) -> None:
        """Rate control wants no frame; of frames dropped in a row, the first is a decision people are told of."""
        self._drop(frame, frame.change, DropReason.RATE_CONTROL, now_us)
        if not self._is_dropping:
            self._is_dropping = True
            self._trace.record(now_us, DecisionMade(kind=DecisionKind.FRAME_DROP, reason=self._controller.drop_reason))


def _overhead(config: EndpointConfig) -> OverheadModel:
    return OverheadModel(
        header_bytes_per_packet=RTP_HEADER_BYTES + EXTENSION_BYTES + UDP_IP_BYTES,
        payload_bytes_per_packet=MAX_PAYLOAD_BYTES,
        frames_per_second=config.frames_per_second,
    )


def _metadata(result: EncodeResult, order: FrameOrder, captured: CapturedFrame) -> FrameMetadata:
    return FrameMetadata(
        frame_id=result.frame_id,
        codec=order.codec,
        frame_type=FrameType.KEY if result.is_key else FrameType.DELTA,
        references=() if result.is_key else order.references.reference_frame_ids,
        temporal_layer=order.settings.temporal_layer,
        rtp_timestamp=captured.captured_at_us * VIDEO_CLOCK_HZ // US_PER_S,
    )


def _encoded_event(
    chosen: EncodeAttempt, metadata: FrameMetadata, captured: CapturedFrame, attempts: EncodeAttempts
) -> FrameEncoded:
    result = chosen.result
    return FrameEncoded(
        frame_id=metadata.frame_id,
        capture_index=captured.capture_index,
        codec=metadata.codec,
        frame_type=metadata.frame_type,
        references=metadata.references,
        temporal_layer=metadata.temporal_layer,
        is_long_term_reference=metadata.is_long_term_reference,
        size=result.settings.coded_size,
        speed=result.settings.speed,
        target_bps=chosen.order.target_bps,
        encoded_bytes=len(result.payload),
        quantizer=result.quantizer,
        encode_time_us=attempts.encode_time_us,
        encodes=attempts.encodes,
    )
