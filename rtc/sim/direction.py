"""One direction of a simulated call: the path packets take, and the books about what goes through it."""

from collections.abc import Callable
from typing import cast

from netem.packet import NetworkPacket
from netem.path import Path
from rtc.call.config import UDP_IP_BYTES
from rtc.call.outputs import SendDatagram
from rtc.sim.codec_worker import PictureSource, picture_of
from rtc.sim.complete_stream import CompleteStream
from rtc.sim.picture_store import PictureStore
from rtc.sim.quality_scorer import QualityScorer
from rtc.sim.recorder import DirectionRecorder
from rtc.values.encoding import EncodeResult
from rtc.values.frames import CapturedFrame, VideoFrame
from rtc.values.trace_events import PacketDelivered, PacketDropped, PacketSent, TraceSink

ShowPicture = Callable[[int, VideoFrame], None]
"""Called with the time and the picture of each displayed frame."""


class Direction:
    """From one side's camera to the other side's screen.

    The driver tells it of each picture, frame and datagram; it puts datagrams on the path and keeps records, scores and
    the drift check. Scores and film are optional, the rest always is kept.
    """

    def __init__(
        self,
        *,
        path: Path,
        recorder: DirectionRecorder,
        path_trace: TraceSink,
        complete: CompleteStream,
        pictures: PictureStore,
        scorer: QualityScorer | None,
        show: ShowPicture | None,
    ) -> None:
        self.path = path
        self.recorder = recorder
        self.complete = complete
        self.pictures = pictures
        self._trace = path_trace
        self._scorer = scorer
        self._show = show
        self._packets = 0

    def on_captured(self, frame: CapturedFrame, picture: VideoFrame) -> None:
        """The camera made a picture."""
        self.pictures.put(frame.capture_index, picture)

    def on_encoded(self, result: EncodeResult) -> None:
        """An encode of a picture is sent."""
        self.complete.on_encoded(result)

    def on_order_taken(self, capture_index: int) -> None:
        """The encoder has read a picture, and may yet be asked to again; without scores, nobody wants older ones."""
        if self._scorer is None:
            for index in self.pictures.indices_before(capture_index):
                self.pictures.forget(index)

    def send(self, datagram: SendDatagram, now_us: int) -> None:
        """A datagram enters the path."""
        size_bytes = len(datagram.data) + UDP_IP_BYTES
        self._trace.record(
            now_us,
            PacketSent(
                packet_index=self._packets,
                kind=datagram.kind,
                size_bytes=size_bytes,
                frame_id=datagram.frame_id,
                unwrapped_sequence=datagram.unwrapped_sequence,
            ),
        )
        payload = (self._packets, datagram.data)
        self.path.send(NetworkPacket(size_bytes=size_bytes, payload=payload, sent_at_us=now_us), now_us)
        self._packets += 1

    def poll_arrivals(self, now_us: int) -> list[bytes]:
        """Datagrams that come out of the path by now, and the books about those that never will."""
        arrivals = []
        for delivered in self.path.poll_delivered(now_us):
            index, data = _carried(delivered.packet)
            event = PacketDelivered(packet_index=index, queue_delay_us=delivered.queue_delay_us)
            self._trace.record(delivered.at_us, event)
            arrivals.append(data)
        for dropped in self.path.poll_dropped():
            index, _data = _carried(dropped.packet)
            self._trace.record(dropped.at_us, PacketDropped(packet_index=index, reason=dropped.reason.value))
        return arrivals

    def on_shown(self, frame_id: int, picture: PictureSource, now_us: int) -> None:
        """A picture reached the screen."""
        record = self.recorder.frame(frame_id)
        if self._scorer is not None and record is not None:
            self._scorer.on_shown(record.capture_index, picture)
        if self._show is not None:
            self._show(now_us, picture_of(picture))

    def finish_scores(self) -> None:
        """Wait for the last score."""
        if self._scorer is not None:
            self._scorer.finish()


def _carried(packet: NetworkPacket) -> tuple[int, bytes]:
    """What `send` put into a packet: its place in the books, and the datagram."""
    index, data = cast("tuple[int, bytes]", packet.payload)
    return index, data
