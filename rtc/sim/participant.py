"""One side of a simulated call: its endpoint, its camera and its codecs."""

from dataclasses import dataclass

from rtc.call.endpoint import CallEndpoint
from rtc.sim.camera import Camera
from rtc.sim.codec_worker import DecodeWorker, EncodeWorker
from rtc.sim.direction import Direction


@dataclass(frozen=True, slots=True, kw_only=True)
class Participant:
    """What the driver moves things between; `outgoing` and `incoming` are the two directions from here."""

    endpoint: CallEndpoint
    camera: Camera | None
    encoder: EncodeWorker
    decoder: DecodeWorker
    outgoing: Direction
    incoming: Direction
