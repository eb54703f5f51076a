"""The receiving half of an endpoint: from media packets to frames on the screen, and what to ask the peer for."""

from collections import deque
from typing import Final

from resilience.nack.tracker import NackTracker
from resilience.receive.decodable_frames import DecodableFrames
from resilience.receive.frame_assembler import FrameAssembler
from resilience.receive.jitter_buffer import JitterBuffer
from resilience.receive.keyframe_requester import KeyFrameRequestConfig, KeyFrameRequester
from rtc.call.config import EndpointConfig
from rtc.call.depacketizer import Depacketizer, encoded_frame
from rtc.call.nack_round_trip import NackRoundTrip
from rtc.call.outputs import DecodeFrame, ShowFrame
from rtc.call.payload_types import PayloadTypeMap
from rtc.call.round_trip import RoundTripEstimator
from rtc.rtp.packet import RtpPacket
from rtc.values.encoding import DecodeResult
from rtc.values.errors import LocalMisuse, RemoteProtocolError
from rtc.values.feedback import Nack, PictureLossIndication, RtcpMessage
from rtc.values.packets import AssembledFrame, MediaPacket
from rtc.values.trace_events import (
    FrameAssembled,
    FrameDecoded,
    FrameDisplayed,
    FrameSkipped,
    InvalidPacketDropped,
    KeyFrameRequestKind,
    KeyFrameRequestSent,
    NackSent,
    SkipReason,
    TraceSink,
)

MAX_MISSED_AT_START: Final = 64
"""A first packet this far behind the peer's first sequence shows that those before it were lost: a large key frame. One
farther off shows only that the peer counts from elsewhere."""
MAX_SEQUENCES_IN_NACK: Final = 256
"""At most 4 bytes each: within a datagram."""


class VideoReceiver:
    """Takes the peer's media packets and decides what is decoded, what is shown, and what is asked for again.

    Driven by the endpoint: `on_media`, `on_decode_result` and `on_timeout`, then `poll_output` and `poll_feedback`
    until they are empty. Promises to decode nothing whose references are missing and to show frames in order.
    """

    def __init__(
        self, config: EndpointConfig, types: PayloadTypeMap, round_trip: RoundTripEstimator, trace: TraceSink
    ) -> None:
        self._config = config
        self._trace = trace
        self._round_trip = round_trip
        self._depacketizer = Depacketizer(config.remote, types, config.may_receive)
        self._nacks = NackTracker() if config.nack else None
        self._nack_round_trip = NackRoundTrip()
        self._assembler = FrameAssembler()
        self._decodable = DecodableFrames()
        self._jitter_buffer = JitterBuffer()
        patience = KeyFrameRequestConfig() if config.nack else KeyFrameRequestConfig(repair_rounds=0)
        self._key_frames = KeyFrameRequester(patience)
        self._decoding: dict[int, AssembledFrame] = {}
        self._has_begun = False
        self._outputs: deque[DecodeFrame | ShowFrame] = deque()
        self._feedback: list[RtcpMessage] = []

    def on_media(self, packet: RtpPacket, now_us: int) -> MediaPacket | None:
        """A packet of the peer's video or of its retransmissions; None when it is neither and was dropped."""
        try:
            media = self._depacketizer.read(packet, now_us)
        except RemoteProtocolError as error:
            self._trace.record(now_us, InvalidPacketDropped(reason=str(error)))
            return None
        self._follow_sequence(media, now_us)
        self._key_frames.on_packet(now_us, of_key_frame=not media.metadata.references)
        frame = self._assembler.on_packet(media)
        if frame is not None:
            self._on_frame(frame, now_us)
            self._show(now_us)  # a frame that teaches the playout clock may make another due
        self._ask(now_us)
        return media

    def on_decode_result(self, result: DecodeResult, now_us: int) -> None:
        """The decoder's answer to the oldest order in flight."""
        frame = self._decoding.pop(result.frame_id, None)
        if frame is None:
            raise LocalMisuse(f"decode result for frame {result.frame_id}, which was not ordered")
        event = FrameDecoded(frame_id=result.frame_id, size=result.size, decode_time_us=result.decode_time_us)
        self._trace.record(now_us, event)
        if result.size is None:
            self._on_refused(frame)
        else:
            self._jitter_buffer.on_frame_decoded(result.frame_id)
        self._feed(now_us)
        self._show(now_us)
        self._ask(now_us)

    def on_timeout(self, now_us: int) -> None:
        """Some deadline of `next_timeout_us` has passed."""
        self._feed(now_us)
        self._show(now_us)
        self._ask(now_us)

    def next_timeout_us(self) -> int | None:
        """When the next frame is due for decoding or showing, or the next request."""
        earliest = self._decodable.next_timeout_us()
        for at_us in (
            self._jitter_buffer.next_timeout_us(),
            self._key_frames.next_timeout_us(),
            None if self._nacks is None else self._nacks.next_timeout_us(),
        ):
            if at_us is not None and (earliest is None or at_us < earliest):
                earliest = at_us
        return earliest

    @property
    def has_output(self) -> bool:
        """Whether `poll_output` has something."""
        return bool(self._outputs)

    def poll_output(self) -> DecodeFrame | ShowFrame | None:
        """The next frame to decode or to show."""
        return self._outputs.popleft() if self._outputs else None

    def poll_feedback(self) -> list[RtcpMessage]:
        """Requests to send to the peer at once."""
        feedback, self._feedback = self._feedback, []
        return feedback

    def _follow_sequence(self, media: MediaPacket, now_us: int) -> None:
        if self._nacks is None:
            return
        self._nacks.on_packet(media.unwrapped_sequence, now_us, is_retransmission=media.is_retransmission)
        if not self._has_begun:
            self._has_begun = True
            missed = media.unwrapped_sequence - self._config.remote.first_sequence
            if 0 < missed <= MAX_MISSED_AT_START:
                self._nacks.expect(self._config.remote.first_sequence, media.unwrapped_sequence, now_us)
        if media.is_retransmission:
            sample_us = self._nack_round_trip.on_retransmission(media.unwrapped_sequence, now_us)
            # Sender reports give a better figure where the peer answers ours.
            if sample_us is not None and not self._config.may_send:
                self._round_trip.on_sample(sample_us)

    def _on_frame(self, frame: AssembledFrame, now_us: int) -> None:
        self._trace.record(now_us, FrameAssembled(frame_id=frame.metadata.frame_id))
        hold_until_us = None if self._nacks is None else self._jitter_buffer.decode_deadline_us(frame)
        self._decodable.on_frame(frame, now_us, hold_until_us=hold_until_us)
        self._feed(now_us)
        self._key_frames.on_frame_assembled(now_us, is_stuck=self._decodable.is_stuck)

    def _feed(self, now_us: int) -> None:
        """Order the decoding of all that may be decoded now."""
        while (frame := self._decodable.poll_decodable(now_us)) is not None:
            self._jitter_buffer.on_frame_decodable(frame)
            self._key_frames.on_frame_decodable(frame)
            self._forget_before(frame)
            self._order_decode(frame, now_us)
        while (skipped := self._decodable.poll_skipped()) is not None:
            self._jitter_buffer.on_frame_refused(skipped.frame_id)
            self._trace.record(now_us, FrameSkipped(frame_id=skipped.frame_id, reason=skipped.reason))

    def _forget_before(self, frame: AssembledFrame) -> None:
        """A decoder goes only forwards: nothing older than a frame it was fed is of use any more."""
        self._assembler.discard_before(frame.metadata.frame_id)
        if self._nacks is not None:
            self._nacks.give_up_before(frame.first_sequence)

    def _order_decode(self, frame: AssembledFrame, now_us: int) -> None:
        try:
            encoded = encoded_frame(frame)
        except RemoteProtocolError as error:
            self._trace.record(now_us, InvalidPacketDropped(reason=str(error)))
            self._on_refused(frame)
            return
        self._decoding[frame.metadata.frame_id] = frame
        self._outputs.append(DecodeFrame(frame=encoded))

    def _on_refused(self, frame: AssembledFrame) -> None:
        self._jitter_buffer.on_frame_refused(frame.metadata.frame_id)
        self._decodable.on_decode_failed(frame.metadata.frame_id)
        self._key_frames.on_decoder_refused(frame)

    def _show(self, now_us: int) -> None:
        while (frame_id := self._jitter_buffer.poll_display(now_us)) is not None:
            self._trace.record(now_us, FrameDisplayed(frame_id=frame_id))
            self._outputs.append(ShowFrame(frame_id=frame_id))
        while (superseded := self._jitter_buffer.poll_superseded()) is not None:
            self._trace.record(now_us, FrameSkipped(frame_id=superseded, reason=SkipReason.SUPERSEDED))

    def _ask(self, now_us: int) -> None:
        """Ask for missing packets, and for a key frame where asking for packets leads nowhere."""
        round_trip_us = self._round_trip.round_trip_us
        self._key_frames.on_round_trip(round_trip_us)
        if self._nacks is not None:
            self._ask_for_packets(self._nacks, now_us, round_trip_us)
        if self._key_frames.poll_request(now_us) is not None:
            self._trace.record(now_us, KeyFrameRequestSent(kind=KeyFrameRequestKind.PLI))
            local, remote = self._config.local.media_ssrc, self._config.remote.media_ssrc
            self._feedback.append(PictureLossIndication(sender_ssrc=local, media_ssrc=remote))

    def _ask_for_packets(self, nacks: NackTracker, now_us: int, round_trip_us: int) -> None:
        sequences = nacks.poll_nacks(now_us, round_trip_us)
        self._key_frames.on_packets_given_up(nacks.poll_given_up())
        if not sequences:
            return
        self._trace.record(now_us, NackSent(sequences=sequences))
        self._nack_round_trip.on_nack(sequences, now_us)
        for start in range(0, len(sequences), MAX_SEQUENCES_IN_NACK):
            self._feedback.append(
                Nack(
                    sender_ssrc=self._config.local.media_ssrc,
                    media_ssrc=self._config.remote.media_ssrc,
                    sequences=tuple(sequence & 0xFFFF for sequence in sequences[start : start + MAX_SEQUENCES_IN_NACK]),
                )
            )
