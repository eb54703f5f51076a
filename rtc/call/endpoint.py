"""One side of a call: bytes and the time in, bytes and orders to codecs out."""

from collections import deque
from typing import Final

from rtc.call.arrival_recorder import ArrivalRecorder
from rtc.call.config import EndpointConfig
from rtc.call.datagram_writer import DatagramWriter
from rtc.call.feedback_datagrams import feedback_datagrams
from rtc.call.outputs import CommitEncode, DecodeFrame, EncodeFrame, Output, SendDatagram, ShowFrame
from rtc.call.payload_types import EXTENSIONS, PayloadTypeMap, PayloadTypes
from rtc.call.receiver import VideoReceiver
from rtc.call.reporting import Reporting
from rtc.call.round_trip import RoundTripEstimator
from rtc.call.sender import VideoSender
from rtc.call.timers import Timer, TimerTable
from rtc.rtp.header_extensions import ExtensionUri
from rtc.rtp.packet import RtpPacket, is_rtcp, parse
from rtc.rtp.rtcp.compound import parse_compound
from rtc.values.encoding import DecodeResult, EncodeResult
from rtc.values.errors import LocalMisuse, RemoteProtocolError
from rtc.values.feedback import (
    FullIntraRequest,
    Nack,
    PictureLossIndication,
    ReceiverReport,
    RtcpMessage,
    SenderReport,
)
from rtc.values.frames import CapturedFrame
from rtc.values.targets import NetworkEstimate
from rtc.values.trace_events import InvalidPacketDropped, KeyFrameRequestKind, TraceSink

TRANSPORT_FEEDBACK_INTERVAL_US: Final = 50_000
"""Chromium sends about 16 a second; 20 keep a loss known within two frames."""
_TRANSPORT_ID: Final = EXTENSIONS.id_of(ExtensionUri.TRANSPORT_SEQUENCE)
_TRANSPORT_BYTES: Final = 2


class CallEndpoint:
    """One side of a one-to-one call, without I/O and without a clock.

    Its methods are of four kinds: `handle_*` tell it what happened and when; `poll_output` gives what is to be done
    about it, one value at a time; `next_timeout_us` says when to call `handle_timeout`; properties read its state.
    After every `handle_*` the driver polls until None, then arms one timer. A handle before that raises LocalMisuse and
    changes nothing. Bytes from the peer never raise: what does not parse is traced and dropped.
    """

    def __init__(self, config: EndpointConfig, trace: TraceSink) -> None:
        types = PayloadTypeMap(PayloadTypes())
        self._config = config
        self._trace = trace
        self._round_trip = RoundTripEstimator()
        self._sender = VideoSender(config, types, trace) if config.may_send else None
        self._receiver = VideoReceiver(config, types, self._round_trip, trace) if config.may_receive else None
        self._writer = DatagramWriter(config.local, types)
        self._remote_ssrcs = frozenset({config.remote.media_ssrc, config.remote.retransmission_ssrc})
        self._arrivals = ArrivalRecorder(config.local.media_ssrc, config.remote.media_ssrc)
        self._reporting = Reporting(config.local, config.remote, self._round_trip)
        self._timers = TimerTable()
        self._timers.set(Timer.REPORT, self._reporting.next_report_us)
        self._feedback: deque[SendDatagram] = deque()

    @property
    def target_bps(self) -> int | None:
        """The encoder's target; None on a side that sends no video."""
        return None if self._sender is None else self._sender.target_bps

    @property
    def round_trip_us(self) -> int:
        """Smoothed round trip, or the assumption before it was measured."""
        return self._round_trip.round_trip_us

    def handle_captured_frame(self, frame: CapturedFrame, now_us: int) -> None:
        """The camera delivered a picture."""
        self._enter()
        self._sending().on_captured_frame(frame, now_us)

    def handle_encode_result(self, result: EncodeResult, now_us: int) -> None:
        """The answer to an EncodeFrame."""
        self._enter()
        self._sending().on_encode_result(result, now_us)

    def handle_decode_result(self, result: DecodeResult, now_us: int) -> None:
        """The answer to a DecodeFrame, in the order of the orders."""
        self._enter()
        if self._receiver is None:
            raise LocalMisuse("a decode result on a side that receives nothing")
        self._receiver.on_decode_result(result, now_us)
        self._send_feedback()

    def handle_known_capacity(self, capacity_bps: int, now_us: int) -> None:
        """What the path carries now, told rather than estimated."""
        self._enter()
        self._sending().on_network_estimate(
            NetworkEstimate(
                at_us=now_us,
                capacity_bps=capacity_bps,
                round_trip_us=self._round_trip.round_trip_us,
                loss_fraction=self._reporting.peer_loss_fraction,
            )
        )

    def handle_datagram(self, data: bytes, now_us: int) -> None:
        """Bytes from the peer."""
        self._enter()
        try:
            if is_rtcp(data):
                for message in parse_compound(data):
                    self._on_rtcp(message, now_us)
            else:
                self._on_rtp(parse(data), now_us)
        except RemoteProtocolError as error:
            self._trace.record(now_us, InvalidPacketDropped(reason=str(error)))

    def handle_timeout(self, now_us: int) -> None:
        """The time of `next_timeout_us` has come; too early does nothing."""
        self._enter()
        if self._timers.take_expired(Timer.REPORT, now_us):
            self._report(now_us)
        if self._timers.take_expired(Timer.TRANSPORT_FEEDBACK, now_us):
            report = self._arrivals.take_report()
            if report is not None:
                self._queue_feedback([report])
        if self._receiver is not None:
            self._receiver.on_timeout(now_us)
            self._send_feedback()

    def next_timeout_us(self) -> int | None:
        """When `handle_timeout` should be called if nothing else happens before."""
        own = self._timers.next_timeout_us()
        receiving = None if self._receiver is None else self._receiver.next_timeout_us()
        if own is None or receiving is None:
            return receiving if own is None else own
        return min(own, receiving)

    def poll_output(self) -> Output | None:
        """The next thing to do, or None when all is done."""
        if self._feedback:
            return self._feedback.popleft()
        return self._poll_sender() or self._poll_receiver()

    def _poll_sender(self) -> SendDatagram | EncodeFrame | CommitEncode | None:
        if self._sender is None:
            return None
        packet = self._sender.poll_packet()
        if packet is not None:
            return self._writer.write(*packet)
        return self._sender.poll_encode()

    def _poll_receiver(self) -> DecodeFrame | ShowFrame | None:
        return None if self._receiver is None else self._receiver.poll_output()

    def _enter(self) -> None:
        if (
            self._feedback
            or (self._sender is not None and self._sender.has_output)
            or (self._receiver is not None and self._receiver.has_output)
        ):
            raise LocalMisuse("poll_output must be polled to None before the next handle_ call")

    def _sending(self) -> VideoSender:
        if self._sender is None:
            raise LocalMisuse("this side sends no video")
        return self._sender

    def _on_rtp(self, packet: RtpPacket, now_us: int) -> None:
        if self._receiver is None:
            raise RemoteProtocolError("media on a side that receives none")
        if packet.ssrc in self._remote_ssrcs:
            self._record_arrival(packet, now_us)
        media = self._receiver.on_media(packet, now_us)
        if media is not None:
            self._reporting.on_media(media, now_us)
        self._send_feedback()

    def _record_arrival(self, packet: RtpPacket, now_us: int) -> None:
        sequence = packet.extension(_TRANSPORT_ID)
        if sequence is None or len(sequence) != _TRANSPORT_BYTES:
            return
        self._arrivals.on_packet(int.from_bytes(sequence, "big"), now_us)
        if not self._timers.is_set(Timer.TRANSPORT_FEEDBACK):
            self._timers.set(Timer.TRANSPORT_FEEDBACK, now_us + TRANSPORT_FEEDBACK_INTERVAL_US)

    def _on_rtcp(self, message: RtcpMessage, now_us: int) -> None:
        match message:
            case SenderReport() | ReceiverReport():
                self._reporting.on_report(message, now_us)
            case Nack() | PictureLossIndication() | FullIntraRequest():
                if self._sender is not None and message.media_ssrc == self._config.local.media_ssrc:
                    self._on_request(self._sender, message, now_us)

    def _on_request(
        self, sender: VideoSender, message: Nack | PictureLossIndication | FullIntraRequest, now_us: int
    ) -> None:
        round_trip_us = self._round_trip.round_trip_us
        match message:
            case Nack():
                sender.on_nack(message.sequences, now_us, round_trip_us)
            case PictureLossIndication():
                sender.on_key_frame_request(KeyFrameRequestKind.PLI, now_us, round_trip_us)
            case FullIntraRequest():
                sender.on_key_frame_request(KeyFrameRequestKind.FIR, now_us, round_trip_us)

    def _report(self, now_us: int) -> None:
        reporting = self._reporting
        if self._sender is None:
            self._queue_feedback([reporting.receiver_report(now_us)])
        else:
            writer = self._writer
            self._queue_feedback(
                [reporting.sender_report(now_us, packets=writer.media_packets, octets=writer.media_octets)]
            )
        self._timers.set(Timer.REPORT, reporting.next_report_us)

    def _send_feedback(self) -> None:
        if self._receiver is not None:
            self._queue_feedback(self._receiver.poll_feedback())

    def _queue_feedback(self, messages: list[RtcpMessage]) -> None:
        self._feedback.extend(feedback_datagrams(messages))
