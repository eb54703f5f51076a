"""From a scenario to the parts of a call: who sends what, with which codecs, cameras and identities."""

from typing import Final

from clips.catalogue import open_clip
from clips.clip import Clip
from rtc.call.config import EndpointConfig, StreamIdentity
from rtc.call.negotiation import ALL_CODECS, NegotiatedCodecs, negotiate
from rtc.sim.codec_cost import CodecCostModel
from rtc.sim.codec_timing import CodecTiming, MeasuredTiming, ModelledTiming
from rtc.sim.scenario import CodecTime, Scenario
from rtc.sim.sides import DirectionName, Side
from rtc.values.formats import CodecEligibility
from rtc.values.randomness import RandomStream
from rtc.values.units import US_PER_S

KBPS: Final = 1_000


def sends(scenario: Scenario, side: Side) -> bool:
    """Whether a side sends video."""
    return side is Side.A or not scenario.one_way


def directions_carried(scenario: Scenario) -> tuple[DirectionName, ...]:
    """The directions that carry video."""
    return tuple(side.outgoing for side in Side if sends(scenario, side))


def agreed_codecs(scenario: Scenario) -> NegotiatedCodecs:
    """What set-up ends with; both sides offer the same."""
    side = CodecEligibility(may_encode=scenario.codec.codecs, may_decode=ALL_CODECS)
    return negotiate(local=side, remote=side)


def endpoint_config(scenario: Scenario, side: Side, random_stream: RandomStream) -> EndpointConfig:
    """One side's configuration."""
    agreed = agreed_codecs(scenario)
    return EndpointConfig(
        local=_identity(side, random_stream),
        remote=_identity(side.peer, random_stream),
        size=scenario.size,
        frames_per_second=scenario.fps,
        may_send=agreed.may_send if sends(scenario, side) else (),
        may_receive=agreed.may_receive if sends(scenario, side.peer) else (),
        fixed_target_bps=None if scenario.target_kbps is None else scenario.target_kbps * KBPS,
        rate_control=scenario.rate_control,
        candidates=scenario.candidates,
        nack=scenario.nack,
    )


def open_side_clip(scenario: Scenario, side: Side, random_stream: RandomStream) -> Clip:
    """What a side's camera sees; LocalMisuse when there is no such clip."""
    named = scenario.peer_clip if side is Side.B and scenario.peer_clip is not None else scenario.clip
    seed = random_stream.substream(f"clip/{side.value}").getrandbits(32)
    return open_clip(named, size=scenario.size, fps=scenario.fps, seed=seed)


def first_capture_us(scenario: Scenario, side: Side) -> int:
    """Two cameras are never in step: half a frame apart keeps the sides from always acting at once."""
    return 0 if side is Side.A else US_PER_S // (2 * scenario.fps)


def codec_timing(scenario: Scenario) -> CodecTiming:
    """How codecs' times are told."""
    if scenario.codec_time is CodecTime.MEASURED:
        return MeasuredTiming()
    return ModelledTiming(CodecCostModel.load())


def _identity(side: Side, random_stream: RandomStream) -> StreamIdentity:
    draws = random_stream.substream(f"identity/{side.value}")
    media_ssrc = draws.getrandbits(32)
    return StreamIdentity(
        media_ssrc=media_ssrc,
        retransmission_ssrc=media_ssrc ^ (1 + draws.getrandbits(16)),
        first_sequence=draws.getrandbits(15),
    )
