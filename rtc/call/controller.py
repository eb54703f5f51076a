"""Wires the policies that decide what each frame is; no arithmetic of its own."""

from dataclasses import dataclass

from ratecontrol.target import OverheadModel, TargetPlanner, ceiling_bps
from rtc.call.config import EndpointConfig
from rtc.call.reference_planning import ReferencePlan, ReferencePlanner
from rtc.values.encoding import FrameEncodeSettings, NativeCbr
from rtc.values.formats import Codec
from rtc.values.targets import NetworkEstimate, TargetBitrate
from rtc.values.units import US_PER_S

START_TARGET_BPS = 300_000
"""Where libwebrtc starts, too, when nothing is known of the path."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameOrder:
    """What to encode next, and the references to note once it is encoded."""

    codec: Codec
    settings: FrameEncodeSettings
    references: ReferencePlan
    target_bps: int
    """The target in force when the frame was ordered."""


class CallController:
    """Decides codec, rate, references and speed of every frame sent.

    Driven by the sender: `on_network_estimate` and `on_key_frame_request` as they come, `order_frame` before each
    encode and `on_frame_encoded` after it.
    """

    def __init__(self, config: EndpointConfig, overhead: OverheadModel) -> None:
        self._config = config
        self._planner = TargetPlanner(overhead, ceiling_bps(config.size, config.frames_per_second))
        self._references = ReferencePlanner()
        self._key_frame_wanted = True
        self._codec = config.may_send[0]
        self._target_bps = config.fixed_target_bps or START_TARGET_BPS

    @property
    def target_bps(self) -> int:
        """What the encoder should make."""
        return self._target_bps

    @property
    def key_frame_pending(self) -> bool:
        """Whether the next frame ordered will be a key frame."""
        return self._key_frame_wanted

    def on_network_estimate(self, estimate: NetworkEstimate) -> TargetBitrate | None:
        """Follow the path; the new target where it changed, None under a fixed target."""
        if self._config.fixed_target_bps is not None:
            return None
        target = self._planner.target(estimate)
        if target.bps == self._target_bps:
            return None
        self._target_bps = target.bps
        return target

    def on_key_frame_request(self) -> None:
        """Make the next frame a key frame."""
        self._key_frame_wanted = True

    def order_frame(self) -> FrameOrder:
        """The order for the next frame."""
        references = self._references.plan(key=self._key_frame_wanted)
        settings = FrameEncodeSettings(
            encode_as=references.encode_as,
            rate=NativeCbr(target_bps=self._target_bps),
            references=references.references,
            update_slots=references.update_slots,
            coded_size=self._config.size,
            speed=self._config.speed(self._codec),
            duration_us=US_PER_S // self._config.frames_per_second,
        )
        return FrameOrder(codec=self._codec, settings=settings, references=references, target_bps=self._target_bps)

    def on_frame_encoded(self, order: FrameOrder, frame_id: int, *, is_key: bool) -> None:
        """Note that the order became frame `frame_id`; a codec may make it a key frame unasked."""
        references = order.references
        if is_key:
            self._key_frame_wanted = False
            references = self._references.plan(key=True)
        self._references.commit(references, frame_id)
