"""The virtual driver: jumps to the earliest deadline, moves what is due, and drains the endpoint it touched."""

from collections.abc import Callable, Iterator, Sequence

from rtc.call.outputs import DecodeFrame, EncodeFrame, SendDatagram, ShowFrame
from rtc.sim.participant import Participant
from rtc.values.errors import LocalMisuse

CAPACITY_TICK_US = 100_000
CAPACITY_WINDOW_US = 500_000
"""How far ahead the known capacity looks: about as long as a queue may stand before a call suffers."""


class VirtualDriver:
    """Runs participants against each other in virtual time.

    At each step, in this order whatever the time: packets arrive, codecs answer, timers fall due, cameras deliver. So
    the same call takes the same course every time. `tells_capacity` makes senders follow the known capacity.
    """

    def __init__(self, participants: Sequence[Participant], *, tells_capacity: bool) -> None:
        self._participants = participants
        self._tells_capacity = tells_capacity
        self._next_capacity_us = 0

    def run(self, until_us: int, on_progress: Callable[[int], None] | None = None) -> None:
        """Run the call until nothing is left to do or `until_us` is reached."""
        while (now_us := min(self._deadlines())) < until_us:
            if now_us >= self._next_capacity_us:
                self._tick_capacity(now_us)
                if on_progress is not None:
                    on_progress(now_us)
            for participant in self._participants:
                self._receive(participant, now_us)
            for participant in self._participants:
                self._collect_codec_results(participant, now_us)
            for participant in self._participants:
                self._expire(participant, now_us)
            for participant in self._participants:
                self._capture(participant, now_us)

    def _deadlines(self) -> Iterator[int]:
        yield self._next_capacity_us
        for participant in self._participants:
            for at_us in (
                participant.incoming.path.next_event_us(),
                participant.encoder.next_result_us(),
                participant.decoder.next_result_us(),
                participant.endpoint.next_timeout_us(),
                None if participant.camera is None else participant.camera.next_frame_us(),
            ):
                if at_us is not None:
                    yield at_us

    def _tick_capacity(self, now_us: int) -> None:
        """Note what each link carries, and tell the senders that are to know it."""
        self._next_capacity_us = now_us + CAPACITY_TICK_US
        for participant in self._participants:
            if participant.camera is None:
                continue
            path = participant.outgoing.path
            participant.outgoing.recorder.on_capacity(now_us, path.capacity_bps(now_us, CAPACITY_TICK_US))
            if self._tells_capacity:
                participant.endpoint.handle_known_capacity(path.capacity_bps(now_us, CAPACITY_WINDOW_US), now_us)
                self._drain(participant, now_us)

    def _receive(self, participant: Participant, now_us: int) -> None:
        at_us = participant.incoming.path.next_event_us()
        if at_us is None or at_us > now_us:
            return
        for datagram in participant.incoming.poll_arrivals(now_us):
            participant.endpoint.handle_datagram(datagram, now_us)
            self._drain(participant, now_us)

    def _collect_codec_results(self, participant: Participant, now_us: int) -> None:
        encoded = participant.encoder.poll(now_us)
        if encoded is not None:
            participant.outgoing.on_encoded(encoded)
            participant.endpoint.handle_encode_result(encoded, now_us)
            self._drain(participant, now_us)
        while (decoded := participant.decoder.poll(now_us)) is not None:
            participant.endpoint.handle_decode_result(decoded, now_us)
            self._drain(participant, now_us)

    def _expire(self, participant: Participant, now_us: int) -> None:
        at_us = participant.endpoint.next_timeout_us()
        if at_us is not None and at_us <= now_us:
            participant.endpoint.handle_timeout(now_us)
            self._drain(participant, now_us)

    def _capture(self, participant: Participant, now_us: int) -> None:
        camera = participant.camera
        if camera is None:
            return
        at_us = camera.next_frame_us()
        if at_us is None or at_us > now_us:
            return
        frame, picture = camera.capture()
        participant.outgoing.on_captured(frame, picture)
        participant.endpoint.handle_captured_frame(frame, now_us)
        self._drain(participant, now_us)

    def _drain(self, participant: Participant, now_us: int) -> None:
        while (output := participant.endpoint.poll_output()) is not None:
            match output:
                case SendDatagram():
                    participant.outgoing.send(output, now_us)
                case EncodeFrame():
                    self._encode(participant, output, now_us)
                case DecodeFrame():
                    participant.incoming.on_decode_ordered(output)
                    participant.decoder.order(output, now_us)
                case ShowFrame():
                    picture = participant.decoder.take_picture(output.frame_id)
                    participant.incoming.on_shown(output.frame_id, picture, now_us)

    def _encode(self, participant: Participant, order: EncodeFrame, now_us: int) -> None:
        picture = participant.outgoing.pictures.picture(order.capture_index)
        if picture is None:
            raise LocalMisuse(f"picture {order.capture_index} was let go before it was encoded")
        participant.encoder.order(order, picture, now_us)
        participant.outgoing.on_order_taken(order.capture_index)
