"""A whole call: two sides built from a scenario, joined by two paths, run to the end in virtual time."""

import contextlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Final, Self

from netem.path_profile import NetworkProfile, build_path
from rtc.call.endpoint import CallEndpoint
from rtc.codecs.interface import open_decoder, open_encoder
from rtc.metrics.direction_records import DirectionRecords
from rtc.metrics.distributions import nearest_rank
from rtc.sim import assembly
from rtc.sim.camera import Camera
from rtc.sim.codec_worker import DecodeWorker, EncodeWorker
from rtc.sim.complete_stream import CompleteStream
from rtc.sim.direction import Direction, ShowPicture
from rtc.sim.driver import VirtualDriver
from rtc.sim.participant import Participant
from rtc.sim.picture_store import PictureStore
from rtc.sim.quality_scorer import QualityScorer
from rtc.sim.recorder import DirectionRecorder, RecordingSink
from rtc.sim.scenario import Scenario
from rtc.sim.sides import DirectionName, Side
from rtc.trace.writer import JsonLinesTrace
from rtc.values.randomness import RandomStream
from rtc.values.trace_events import CodecsNegotiated, TraceSink
from rtc.values.units import seconds_to_us

DRAIN_US: Final = 500_000
"""How long the call runs on after the cameras stop, for what is under way to be shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallObservers:
    """Who watches a call; each may be absent."""

    trace: JsonLinesTrace | None = None
    show: Callable[[DirectionName], ShowPicture] | None = None
    """Given a direction, what to call with each displayed picture."""
    progress: Callable[[int], None] | None = None
    """Called with the call's time now and then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallOutcome:
    """What a call left: the records of each direction that carried video, by name, and where the time went."""

    directions: dict[str, DirectionRecords]
    ended_at_us: int
    wall_us: dict[str, int] = field(default_factory=dict)
    """Time on this machine inside encoders and decoders."""


class SimulatedCall:
    """One call from a checked scenario and its network; a context manager whose end closes codecs and threads.

    Opening it opens clips and codecs, which may raise LocalMisuse or CodecError; `run` runs the call once.
    """

    def __init__(self, scenario: Scenario, network: NetworkProfile) -> None:
        self._scenario = scenario
        self._network = network
        self._random = RandomStream.of_seed(scenario.seed)
        with contextlib.ExitStack() as opening:
            timing = assembly.codec_timing(scenario)
            first_codec = assembly.agreed_codecs(scenario).send_first
            self._cameras: dict[Side, Camera] = {}
            self._encoders: dict[Side, EncodeWorker] = {}
            self._decoders: dict[Side, DecodeWorker] = {}
            self._complete: dict[DirectionName, CompleteStream] = {}
            for side in Side:
                complete = self._complete[side.incoming] = CompleteStream(open_decoder)
                opening.callback(complete.close)
                self._encoders[side] = EncodeWorker(lambda codec: open_encoder(codec, scenario.size), timing)
                self._decoders[side] = DecodeWorker(open_decoder, timing, complete)
                opening.callback(self._encoders[side].close)
                opening.callback(self._decoders[side].close)
                if assembly.sends(scenario, side):
                    self._cameras[side] = self._open_camera(side)
                    opening.callback(self._cameras[side].close)
                    self._encoders[side].prepare(first_codec)
            self._opened = opening.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._opened.close()

    def run(self, observers: CallObservers | None = None) -> CallOutcome:
        """Run the call to its end."""
        watching = observers or CallObservers()
        duration_us = seconds_to_us(self._scenario.duration)
        with ThreadPoolExecutor(max_workers=1, thread_name_prefix="quality") as scoring:
            directions = {name: self._direction(name, watching, scoring) for name in DirectionName}
            participants = [self._participant(side, directions, watching) for side in Side]
            driver = VirtualDriver(participants, tells_capacity=self._scenario.target_kbps is None)
            driver.run(duration_us + DRAIN_US, watching.progress)
            records = {
                name.value: _finished(directions[name], duration_us)
                for name in assembly.directions_carried(self._scenario)
            }
        return CallOutcome(
            directions=records,
            ended_at_us=duration_us + DRAIN_US,
            wall_us={
                "encode": sum(worker.wall_us for worker in self._encoders.values()),
                "decode": sum(worker.wall_us for worker in self._decoders.values())
                + sum(complete.wall_us for complete in self._complete.values()),
            },
        )

    def _open_camera(self, side: Side) -> Camera:
        return Camera(
            assembly.open_side_clip(self._scenario, side, self._random),
            first_us=assembly.first_capture_us(self._scenario, side),
            end_us=seconds_to_us(self._scenario.duration),
        )

    def _direction(self, name: DirectionName, observers: CallObservers, scoring: ThreadPoolExecutor) -> Direction:
        recorder = DirectionRecorder()
        pictures = PictureStore()
        scored = self._scenario.quality and name in assembly.directions_carried(self._scenario)
        filmed = observers.show is not None and name in assembly.directions_carried(self._scenario)
        profile = self._network.a_to_b if name is DirectionName.A_TO_B else self._network.b_to_a
        return Direction(
            path=build_path(profile, self._random.substream(f"path/{name.value}")),
            recorder=recorder,
            path_trace=RecordingSink(recorder.path_handlers, _source(observers, name.value)),
            complete=self._complete[name],
            pictures=pictures,
            scorer=QualityScorer(pictures, recorder.frames, scoring) if scored else None,
            show=observers.show(name) if observers.show is not None and filmed else None,
        )

    def _participant(
        self, side: Side, directions: dict[DirectionName, Direction], observers: CallObservers
    ) -> Participant:
        config = assembly.endpoint_config(self._scenario, side, self._random)
        outgoing, incoming = directions[side.outgoing], directions[side.incoming]
        handlers = outgoing.recorder.sender_handlers | incoming.recorder.receiver_handlers
        trace = RecordingSink(handlers, _source(observers, side.value))
        if config.may_send:
            trace.record(
                0,
                CodecsNegotiated(
                    send_codec=config.may_send[0], may_send=config.may_send, may_receive=config.may_receive
                ),
            )
        return Participant(
            endpoint=CallEndpoint(config, trace),
            camera=self._cameras.get(side),
            encoder=self._encoders[side],
            decoder=self._decoders[side],
            outgoing=outgoing,
            incoming=incoming,
        )


def _source(observers: CallObservers, name: str) -> TraceSink | None:
    return None if observers.trace is None else observers.trace.source(name)


def _finished(direction: Direction, duration_us: int) -> DirectionRecords:
    """The direction's records, with scores and the drift check done."""
    direction.finish_scores()
    drifted = direction.complete.drifted()
    delays = []
    for record in direction.recorder.frames:
        if record.displayed_at_us is not None:
            record.drifted = record.frame_id in drifted
            delays.append(record.displayed_at_us - record.captured_at_us)
    # The screen is watched until the picture after the last would have come, had the camera run on.
    watched_us = duration_us + min(DRAIN_US, nearest_rank(sorted(delays), 50) or 0)
    return direction.recorder.records(duration_us=duration_us, ended_at_us=watched_us)
