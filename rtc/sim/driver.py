"""The virtual driver: jumps to the earliest deadline, moves what is due, and drains the endpoint it touched."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from netem.packet import NEVER
from rtc.call.outputs import CommitEncode, DecodeFrame, EncodeFrame, SendDatagram, ShowFrame
from rtc.sim.participant import Participant
from rtc.values.errors import LocalMisuse

CAPACITY_TICK_US: Final = 100_000
CAPACITY_WINDOW_US: Final = 500_000
"""How far ahead the known capacity looks: about as long as a queue may stand before a call suffers."""


@dataclass(frozen=True, slots=True)
class _Source:
    """Something that can happen: when it next will, and what to do then; of no one participant where None."""

    next_us: Callable[[], int | None]
    act: Callable[[int], None]
    participant: Participant | None


class VirtualDriver:
    """Runs participants against each other in virtual time.

    It keeps one deadline for each thing that can happen, takes the earliest, and asks anew only for the deadlines of
    the participant it touched. At one and the same time things happen in a fixed order: packets arrive, codecs answer,
    timers fall due, cameras deliver. So the same call takes the same course every time. `tells_capacity` makes senders
    follow the known capacity.
    """

    def __init__(self, participants: Sequence[Participant], *, tells_capacity: bool) -> None:
        self._participants = participants
        self._tells_capacity = tells_capacity
        self._next_capacity_us = 0
        self._on_progress: Callable[[int], None] | None = None
        self._sources = [_Source(lambda: self._next_capacity_us, self._tick_capacity, None)]
        self._sources += [self._arrivals(participant) for participant in participants]
        self._sources += [self._encoder(participant) for participant in participants]
        self._sources += [self._decoder(participant) for participant in participants]
        self._sources += [self._timer(participant) for participant in participants]
        self._sources += [self._camera(participant) for participant in participants if participant.camera is not None]
        self._deadlines = [NEVER] * len(self._sources)
        self._affected = [self._affected_by(source) for source in self._sources]

    def run(self, until_us: int, on_progress: Callable[[int], None] | None = None) -> None:
        """Run the call until `until_us`; `on_progress` is told the time now and then."""
        self._on_progress = on_progress
        deadlines = self._deadlines
        self._refresh(range(len(deadlines)))
        now_us = 0
        while (at_us := min(deadlines)) < until_us:
            index = deadlines.index(at_us)
            # A deadline may turn out to be past already, as when a playout delay shrinks; time never goes back.
            now_us = max(now_us, at_us)
            self._sources[index].act(now_us)
            self._refresh(self._affected[index])

    def _refresh(self, indices: Iterable[int]) -> None:
        for index in indices:
            at_us = self._sources[index].next_us()
            self._deadlines[index] = NEVER if at_us is None else at_us

    def _affected_by(self, source: _Source) -> tuple[int, ...]:
        """Deadlines that acting on a source may move: all of its participant's, and the path it sends into."""
        touched = source.participant
        return tuple(
            index
            for index, other in enumerate(self._sources)
            if touched is None
            or other.participant is touched
            or (other.participant is not None and other.participant.incoming is touched.outgoing)
        )

    def _arrivals(self, participant: Participant) -> _Source:
        def act(now_us: int) -> None:
            for datagram in participant.incoming.poll_arrivals(now_us):
                participant.endpoint.handle_datagram(datagram, now_us)
                self._drain(participant, now_us)

        return _Source(participant.incoming.path.next_event_us, act, participant)

    def _encoder(self, participant: Participant) -> _Source:
        def act(now_us: int) -> None:
            encoded = participant.encoder.poll(now_us)
            if encoded is not None:
                participant.endpoint.handle_encode_result(encoded, now_us)
                self._drain(participant, now_us)

        return _Source(participant.encoder.next_result_us, act, participant)

    def _decoder(self, participant: Participant) -> _Source:
        def act(now_us: int) -> None:
            while (decoded := participant.decoder.poll(now_us)) is not None:
                participant.endpoint.handle_decode_result(decoded, now_us)
                self._drain(participant, now_us)

        return _Source(participant.decoder.next_result_us, act, participant)

    def _timer(self, participant: Participant) -> _Source:
        def act(now_us: int) -> None:
            participant.endpoint.handle_timeout(now_us)
            self._drain(participant, now_us)

        return _Source(participant.endpoint.next_timeout_us, act, participant)

    def _camera(self, participant: Participant) -> _Source:
        camera = participant.camera
        if camera is None:
            raise LocalMisuse("a participant without a camera captures nothing")

        def act(now_us: int) -> None:
            frame, picture = camera.capture()
            participant.outgoing.on_captured(frame, picture)
            participant.endpoint.handle_captured_frame(frame, now_us)
            self._drain(participant, now_us)

        return _Source(camera.next_frame_us, act, participant)

    def _tick_capacity(self, now_us: int) -> None:
        """Note what each link carries, and tell the senders that are to know it."""
        self._next_capacity_us = now_us + CAPACITY_TICK_US
        if self._on_progress is not None:
            self._on_progress(now_us)
        for participant in self._participants:
            if participant.camera is None:
                continue
            path = participant.outgoing.path
            participant.outgoing.recorder.on_capacity(now_us, path.capacity_bps(now_us, CAPACITY_TICK_US))
            if self._tells_capacity:
                participant.endpoint.handle_known_capacity(path.capacity_bps(now_us, CAPACITY_WINDOW_US), now_us)
                self._drain(participant, now_us)

    def _drain(self, participant: Participant, now_us: int) -> None:
        while (output := participant.endpoint.poll_output()) is not None:
            match output:
                case SendDatagram():
                    participant.outgoing.send(output, now_us)
                case EncodeFrame():
                    self._encode(participant, output, now_us)
                case CommitEncode():
                    participant.outgoing.on_encoded(participant.encoder.commit(output))
                case DecodeFrame():
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
