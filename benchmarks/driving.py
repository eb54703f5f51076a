"""A real encoder driven by the call's controller, picture by picture, as in a call and without one.

The controller orders, the encoder encodes, the controller looks at the size and may order the same picture again: the
same objects as in `rtc call`, minus network, trace and virtual time. Time is the pictures' own: picture k is captured
at k / fps.
"""

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from clips.picture_change import PictureChangeMeter
from ratecontrol.target import PERMILLE, OverheadModel
from rtc.call.config import EndpointConfig, RateControl, StreamIdentity
from rtc.call.controller import CallController, FrameOrder
from rtc.call.encode_attempts import EncodeAttempts
from rtc.codecs.interface import VideoEncoder
from rtc.metrics.rate_timeline import RateStep
from rtc.values.encoding import EncodeResult
from rtc.values.errors import LocalMisuse
from rtc.values.formats import Codec, FrameSize
from rtc.values.frames import PictureChange, VideoFrame
from rtc.values.targets import NetworkEstimate
from rtc.values.units import BITS_PER_BYTE, US_PER_S

HEADROOM_PERMILLE: Final = 100
"""What `TargetPlanner` leaves unused of an estimate unless told otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SizeStep:
    """From this moment on pictures are coded at `size`."""

    at_us: int
    size: FrameSize


@dataclass(frozen=True, slots=True, kw_only=True)
class DrivingPlan:
    """What happens to an encoder while it is driven; all in time order."""

    targets: tuple[RateStep, ...]
    """The first is in force from the start. With more than one, none may be above the controller's ceiling."""
    key_frames_at_us: tuple[int, ...] = ()
    """Requests for a key frame."""
    sizes: tuple[SizeStep, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DrivenFrame:
    """What became of one picture."""

    captured_at_us: int
    target_bps: int
    payload: bytes | None
    """The frame that is sent; None when the controller dropped the picture or the codec skipped it."""
    is_key: bool
    quantizer: int | None
    """Of the frame that is sent, in the codec's own scale."""
    encodes: int
    """How often the picture was encoded: 0 when dropped, above 1 when a frame was made again."""
    encode_ns: int
    """CPU time of all its encodes."""
    control_ns: int
    """Time of the controller."""

    @property
    def bits(self) -> int:
        """Of the frame that is sent; 0 without one."""
        return len(self.payload or b"") * BITS_PER_BYTE


def open_controller(
    codec: Codec,
    size: FrameSize,
    *,
    fps: int,
    speed: int,
    targets: tuple[RateStep, ...],
    rate_control: RateControl = RateControl.OURS,
    candidates: int = 1,
) -> CallController:
    """The controller of an endpoint that sends this codec alone, and whose packets have no headers."""
    config = EndpointConfig(
        local=StreamIdentity(media_ssrc=1, retransmission_ssrc=2),
        remote=StreamIdentity(media_ssrc=3, retransmission_ssrc=4),
        size=size,
        frames_per_second=fps,
        may_send=(codec,),
        may_receive=(),
        fixed_target_bps=targets[0].bps if len(targets) == 1 else None,
        rate_control=rate_control,
        candidates=candidates,
        speeds=((codec, speed),),
    )
    return CallController(
        config, OverheadModel(header_bytes_per_packet=0, payload_bytes_per_packet=1200, frames_per_second=fps)
    )


class DrivenEncoder:
    """An encoder under a controller and a plan; `encode` takes its pictures one after the other."""

    def __init__(self, encoder: VideoEncoder, controller: CallController, plan: DrivingPlan, *, fps: int) -> None:
        self._encoder = encoder
        self._controller = controller
        self._plan = plan
        self._fps = fps
        self._meter = PictureChangeMeter()
        self._change = PictureChange()
        self._index = 0
        self._next_frame_id = 0
        self._applied_until_us = -1
        self._target_bps = plan.targets[0].bps

    def encode(self, picture: VideoFrame) -> DrivenFrame:
        """Encode the next picture, as often as the controller asks, or drop it if the controller says so."""
        captured_at_us = self._index * US_PER_S // self._fps
        self._index += 1
        self._change = self._change.plus(self._meter.measure(picture))
        clocks = _Clocks()
        self._apply_plan(captured_at_us)
        clocks.start_control()
        order = self._controller.order_frame(captured_at_us, self._change)
        clocks.end_control()
        attempts = EncodeAttempts()
        while order is not None:
            clocks.start_encode()
            result = self._encode_once(picture, order)
            clocks.end_encode()
            attempts.add(order, result)
            clocks.start_control()
            order = self._review(order, result)
            clocks.end_control()
        sent = self._send(attempts, clocks)
        return DrivenFrame(
            captured_at_us=captured_at_us,
            target_bps=self._target_bps,
            payload=sent.payload if sent else None,
            is_key=sent.is_key if sent else False,
            quantizer=sent.quantizer if sent else None,
            encodes=attempts.encodes,
            encode_ns=clocks.encode_ns,
            control_ns=clocks.control_ns,
        )

    def _encode_once(self, picture: VideoFrame, order: FrameOrder) -> EncodeResult:
        encoded = self._encoder.encode(picture, order.settings)
        return EncodeResult(
            frame_id=self._next_frame_id,
            codec=order.codec,
            settings=order.settings,
            payload=encoded.payload,
            is_key=encoded.is_key,
            quantizer=encoded.quantizer,
            encode_time_us=0,
        )

    def _review(self, order: FrameOrder, result: EncodeResult) -> FrameOrder | None:
        """Another order for the same picture; None when it has enough, or the codec skips it."""
        if not result.payload:
            return None
        return self._controller.review(order, encoded_bytes=len(result.payload), is_key=result.is_key)

    def _send(self, attempts: EncodeAttempts, clocks: "_Clocks") -> EncodeResult | None:
        """The encode that the controller chooses, noted as sent; None where there is none."""
        sendable = attempts.sendable
        if not sendable:
            return None
        choices = [(attempt.order, len(attempt.result.payload)) for attempt in sendable]
        clocks.start_control()
        index = self._controller.choose(choices)
        order, result = sendable[index].order, sendable[index].result
        self._controller.on_frame_encoded(
            order,
            self._next_frame_id,
            encoded_bytes=len(result.payload),
            is_key=result.is_key,
            quantizer=result.quantizer,
        )
        clocks.end_control()
        self._next_frame_id += 1
        self._change = PictureChange()
        return result

    def _apply_plan(self, now_us: int) -> None:
        """Whatever the plan has between the last picture and this one."""
        plan, since_us = self._plan, self._applied_until_us
        for target in plan.targets:
            if since_us < target.at_us <= now_us:
                self._apply_target(target)
        for size in plan.sizes:
            if since_us < size.at_us <= now_us:
                self._controller.set_coded_size(size.size, size.at_us)
        if any(since_us < at_us <= now_us for at_us in plan.key_frames_at_us):
            self._controller.on_key_frame_request()
        self._applied_until_us = now_us

    def _apply_target(self, step: RateStep) -> None:
        self._controller.on_network_estimate(
            NetworkEstimate(
                at_us=step.at_us,
                capacity_bps=-(-step.bps * PERMILLE // (PERMILLE - HEADROOM_PERMILLE)),
                round_trip_us=0,
                loss_fraction=0.0,
            )
        )
        self._target_bps = self._controller.target_bps
        if self._target_bps != step.bps:
            raise LocalMisuse(f"a target of {step.bps} bit/s; at this size the controller goes to {self._target_bps}")


class _Clocks:
    """Where the time of one picture goes.

    Encodes are told in CPU time of this thread, which nothing else on the machine adds to. Asking for that is a call of
    the kernel, dear beside the controller's few microseconds, so the controller is told in time passed.
    """

    def __init__(self) -> None:
        self.encode_ns = 0
        self.control_ns = 0
        self._began_ns = 0

    def start_encode(self) -> None:
        self._began_ns = time.thread_time_ns()

    def end_encode(self) -> None:
        self.encode_ns += time.thread_time_ns() - self._began_ns

    def start_control(self) -> None:
        self._began_ns = time.perf_counter_ns()

    def end_control(self) -> None:
        self.control_ns += time.perf_counter_ns() - self._began_ns


def drive(
    pictures: Iterable[VideoFrame], encoder: VideoEncoder, controller: CallController, plan: DrivingPlan, *, fps: int
) -> Iterator[DrivenFrame]:
    """All pictures through one encoder, from the first."""
    driven = DrivenEncoder(encoder, controller, plan, fps=fps)
    for picture in pictures:
        yield driven.encode(picture)
