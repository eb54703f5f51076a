"""Wires the policies that decide what each frame is; no arithmetic of its own."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from ratecontrol.cbr import CbrController
from ratecontrol.frame_class import FrameClass
from ratecontrol.frame_plan import FramePlan
from ratecontrol.size_planner import CodedSizePlanner
from ratecontrol.target import OverheadModel, TargetPlanner, ceiling_bps
from rtc.call.config import EndpointConfig, RateControl
from rtc.call.reference_planning import ReferencePlan, ReferencePlanner
from rtc.values.encoding import ConstantQuantizer, FrameEncodeSettings, NativeCbr
from rtc.values.formats import Codec, FrameSize
from rtc.values.frames import PictureChange
from rtc.values.targets import NetworkEstimate, TargetBitrate
from rtc.values.units import BITS_PER_BYTE, BPS_PER_KBPS, US_PER_MS, US_PER_S

START_TARGET_BPS: Final = 300_000
"""Where libwebrtc starts, too, when nothing is known of the path."""
SPARE_SLOTS: Final = 2
"""So that of two encodes of a picture either can be sent, and one more can be made in the place of the first."""


class FrameOrder(NamedTuple):
    """What to encode next, and what to note once it is encoded."""

    codec: Codec
    settings: FrameEncodeSettings
    references: ReferencePlan
    target_bps: int
    """The target in force when the frame was ordered."""
    attempt: int
    """0 for the first encode of the picture."""
    rate_plan: FramePlan | None
    """What our rate control wants of this encode; None under the codec's own."""


class CallController:
    """Decides codec, rate, references and speed of every frame sent.

    Driven by the sender: `on_network_estimate`, `on_key_frame_request` and `set_coded_size` as they come; for each
    picture `order_frame`, `review` after every encode until it answers None, `choose` among the encodes, and
    `on_frame_encoded` for the one that is sent.
    """

    def __init__(self, config: EndpointConfig, overhead: OverheadModel) -> None:
        self._config = config
        self._planner = TargetPlanner(overhead, ceiling_bps(config.size, config.frames_per_second))
        self._codec = config.may_send[0]
        self._speed = config.speed(self._codec)
        self._size = config.size
        self._frame_interval_us = US_PER_S // config.frames_per_second
        self._target_bps = config.fixed_target_bps or START_TARGET_BPS
        self._key_frame_wanted = True
        self._rate = self._own_rate_control()
        self._sizes = CodedSizePlanner(self._codec, config.size, config.frames_per_second)
        self._planned_size = config.size
        is_av1 = self._codec is Codec.AV1
        self._references = ReferencePlanner(spares=SPARE_SLOTS if is_av1 and self._rate else 0, can_resize=is_av1)

    @property
    def target_bps(self) -> int:
        """What the encoder should make."""
        return self._target_bps

    @property
    def key_frame_pending(self) -> bool:
        """Whether the next frame ordered will be a key frame."""
        return self._key_frame_wanted

    @property
    def drop_reason(self) -> str:
        """Why `order_frame` wants no frame, for people."""
        kbps = self._target_bps // BPS_PER_KBPS
        owed_ms = self._rate.vbv_delay_us // US_PER_MS if self._rate else 0
        return f"{owed_ms} ms in the VBV bucket; even the coarsest frame would break its bound at {kbps} kbps"

    def on_network_estimate(self, estimate: NetworkEstimate) -> TargetBitrate | None:
        """Follow the path; the new target where it changed, None under a fixed target."""
        if self._config.fixed_target_bps is not None:
            return None
        target = self._planner.target(estimate)
        if target.bps == self._target_bps:
            return None
        self._target_bps = target.bps
        if self._rate is not None:
            self._rate.on_target(target.bps, estimate.at_us)
        return target

    def on_key_frame_request(self) -> None:
        """Make the next frame a key frame."""
        self._key_frame_wanted = True

    def set_coded_size(self, size: FrameSize, now_us: int) -> None:
        """Code the following frames at `size`; in H.264 the first of them is a key frame."""
        del now_us
        self._size = size

    def order_frame(self, captured_at_us: int, change: PictureChange) -> FrameOrder | None:
        """The order for the first encode of a picture; None to drop it, because too much is owed already.

        `change` is what differs from the picture encoded before it.
        """
        if self._rate is not None and self._sizes.grows_by_key_frame(self._target_bps, self._size):
            self._key_frame_wanted = True
        self._planned_size = self._size_now()
        references = self._references.plan(key=self._key_frame_wanted, size=self._planned_size)
        if self._rate is None:
            return self._order(references, NativeCbr(target_bps=self._target_bps), None)
        plan = self._rate.plan(captured_at_us, is_key=references.is_key, size=references.size, change=change)
        return None if plan is None else self._order(references, _constant_quantizer(plan), plan)

    def review(self, order: FrameOrder, *, encoded_bytes: int, is_key: bool) -> FrameOrder | None:
        """The order for another encode of the same picture from the same references; None when it has enough."""
        self._references.on_encoded(order.references)
        if self._rate is None or order.rate_plan is None or is_key != order.references.is_key:
            return None
        plan = self._rate.review(order.rate_plan, encoded_bytes * BITS_PER_BYTE)
        size = order.references.size
        if plan is None:
            plan, size = self._at_smaller_size(self._rate, order, order.rate_plan, encoded_bytes)
        references = None if plan is None else self._references_again(order.references, plan, size)
        if plan is None or references is None:
            return None
        again = self._order(references, _constant_quantizer(plan), plan)
        return again._replace(target_bps=order.target_bps)

    def choose(self, attempts: Sequence[tuple[FrameOrder, int]]) -> int:
        """The index of the encode to send among those that can be, oldest first, each with its bytes."""
        planned = [
            (order.rate_plan, encoded_bytes * BITS_PER_BYTE)
            for order, encoded_bytes in attempts
            if order.rate_plan is not None
        ]
        if self._rate is None or len(planned) == 1:
            return len(attempts) - 1
        return self._rate.choose(planned)

    def on_frame_encoded(
        self, order: FrameOrder, frame_id: int, *, encoded_bytes: int, is_key: bool, quantizer: int
    ) -> None:
        """The encode of `order` is sent as frame `frame_id`.

        A codec may have made it a key frame unasked, or at another quantizer than ordered.
        """
        references = order.references
        if is_key:
            self._key_frame_wanted = False
            references = self._references.plan(key=True, size=references.size)
        self._references.commit(references, frame_id)
        plan = order.rate_plan
        if self._rate is None or plan is None:
            return
        if quantizer != plan.quantizer:
            plan = plan._replace(quantizer=quantizer)
        if is_key and plan.frame_class is not FrameClass.KEY:
            plan = plan._replace(frame_class=FrameClass.KEY)
        self._rate.commit(plan, encoded_bytes * BITS_PER_BYTE)
        is_smaller = references.size.pixels < self._planned_size.pixels
        self._sizes.on_sent(references.size, self._rate.log_coarsest_bits, is_smaller=is_smaller)

    def key_frame_overrun(self, order: FrameOrder, *, encoded_bytes: int) -> str | None:
        """What to tell people of a key frame just sent that broke its bound on VBV delay; None of any other frame."""
        plan = order.rate_plan
        if self._rate is None or plan is None or not order.references.is_key:
            return None
        if encoded_bytes * BITS_PER_BYTE <= plan.budget.limit_bits:
            return None
        delay_ms = self._rate.vbv_delay_us // US_PER_MS
        return f"a key frame at quantizer {plan.quantizer} leaves {delay_ms} ms of VBV delay at {order.references.size}"

    @staticmethod
    def key_frame_instead(order: FrameOrder) -> str | None:
        """What to tell people of a key frame nobody asked for; None of any other frame."""
        plan = order.rate_plan
        if plan is None or plan.instead_of_us is None:
            return None
        would_ms = plan.instead_of_us // US_PER_MS
        return f"a key frame of a picture mostly new, whose delta frame would have left {would_ms} ms of VBV delay"

    def _references_again(self, references: ReferencePlan, plan: FramePlan, size: FrameSize) -> ReferencePlan | None:
        """For another encode of the same picture, which may be a key frame after a delta frame."""
        if plan.frame_class is FrameClass.KEY and not references.is_key:
            return self._references.plan(key=True, size=size)
        return self._references.again(references, size)

    def _size_now(self) -> FrameSize:
        """What was set, or smaller where the target is too low for that; H.264 goes smaller at key frames alone."""
        if self._rate is None:
            return self._size
        share_bits = max(1, self._target_bps * self._frame_interval_us // US_PER_S)
        affordable = self._sizes.size(self._target_bps, share_bits, is_key=self._key_frame_wanted)
        return affordable if affordable.pixels < self._size.pixels else self._size

    def _at_smaller_size(
        self, rate: CbrController, order: FrameOrder, plan: FramePlan, encoded_bytes: int
    ) -> tuple[FramePlan | None, FrameSize]:
        """For a picture that breaks its bound at the coarsest quantizer; no plan where no smaller size is in reach."""
        size = order.references.size
        overrun = rate.overrun(plan, encoded_bytes * BITS_PER_BYTE)
        smaller = (
            None if overrun is None else self._sizes.smaller(size, overrun, is_key=plan.frame_class is FrameClass.KEY)
        )
        return (None, size) if smaller is None else (rate.at_size(plan, smaller.pixels), smaller)

    def _own_rate_control(self) -> CbrController | None:
        config = self._config
        if config.rate_control is RateControl.NATIVE:
            return None
        return CbrController(self._codec, self._target_bps, self._frame_interval_us, candidates=config.candidates)

    def _order(
        self, references: ReferencePlan, rate: ConstantQuantizer | NativeCbr, plan: FramePlan | None
    ) -> FrameOrder:
        settings = FrameEncodeSettings(
            encode_as=references.encode_as,
            rate=rate,
            references=references.references,
            update_slots=references.update_slots,
            coded_size=references.size,
            speed=self._speed,
            duration_us=self._frame_interval_us,
        )
        return FrameOrder(
            codec=self._codec,
            settings=settings,
            references=references,
            target_bps=self._target_bps,
            attempt=plan.attempt if plan else 0,
            rate_plan=plan,
        )


def _constant_quantizer(plan: FramePlan) -> ConstantQuantizer:
    return ConstantQuantizer(quantizer=plan.quantizer, cyclic_refresh=plan.cyclic_refresh)
