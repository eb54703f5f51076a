"""What both encoders check of an order before the C call: an impossible one raises and changes nothing."""

from rtc.codecs.encoder_values import EncoderOptions
from rtc.values.encoding import (
    MAX_REFERENCES,
    REFERENCE_SLOTS,
    ConstantQuantizer,
    EncodedAs,
    FrameEncodeSettings,
    NativeCbr,
)
from rtc.values.errors import LocalMisuse
from rtc.values.formats import FrameSize
from rtc.values.frames import VideoFrame
from rtc.values.units import US_PER_S

MIN_DURATION_US = 1_000
MAX_DURATION_US = 10 * US_PER_S
MIN_TARGET_BPS = 1_000
MAX_TARGET_BPS = 1_000_000_000


def check_picture(frame: VideoFrame, size: FrameSize) -> None:
    """Refuse a picture of another size, or one whose bytes are not exactly its I420 planes."""
    if frame.size != size:
        raise LocalMisuse(f"the picture is {frame.size}; this encoder was opened for {size}")
    if frame.data.nbytes != size.i420_bytes or not frame.data.c_contiguous:
        raise LocalMisuse(
            f"the picture holds {frame.data.nbytes} bytes; {size} as contiguous I420 has {size.i420_bytes}"
        )


def check_order(settings: FrameEncodeSettings, options: EncoderOptions, *, speeds: range, quantizers: range) -> None:
    """Refuse what no encoder could do: ranges, slot numbers, and what a key frame rules out."""
    if settings.speed not in speeds:
        raise LocalMisuse(f"speed is {settings.speed}; it must be from {speeds.start} to {speeds.stop - 1}")
    if not MIN_DURATION_US <= settings.duration_us <= MAX_DURATION_US:
        raise LocalMisuse(
            f"duration_us is {settings.duration_us}; it must be from {MIN_DURATION_US} to {MAX_DURATION_US}"
        )
    if not 0 <= settings.temporal_layer < options.temporal_layers:
        raise LocalMisuse(
            f"temporal layer {settings.temporal_layer} of an encoder opened for {options.temporal_layers}"
        )
    _check_rate(settings.rate, quantizers)
    _check_slots(settings)


def _check_rate(rate: ConstantQuantizer | NativeCbr, quantizers: range) -> None:
    if isinstance(rate, ConstantQuantizer):
        if rate.quantizer not in quantizers:
            raise LocalMisuse(
                f"quantizer is {rate.quantizer}; it must be from {quantizers.start} to {quantizers.stop - 1}"
            )
    elif not MIN_TARGET_BPS <= rate.target_bps <= MAX_TARGET_BPS:
        raise LocalMisuse(f"target_bps is {rate.target_bps}; it must be from {MIN_TARGET_BPS} to {MAX_TARGET_BPS}")


def _check_slots(settings: FrameEncodeSettings) -> None:
    references = settings.references
    for slot in (*references, *settings.update_slots):
        if not 0 <= slot < REFERENCE_SLOTS:
            raise LocalMisuse(f"slot {slot} is named; slots are 0 to {REFERENCE_SLOTS - 1}")
    if settings.encode_as is EncodedAs.KEY:
        if references:
            raise LocalMisuse(f"a key frame with references {references}; it must have none")
        if settings.temporal_layer:
            raise LocalMisuse(f"a key frame in temporal layer {settings.temporal_layer}; it must be in layer 0")
    elif not 1 <= len(references) <= MAX_REFERENCES or len(set(references)) != len(references):
        raise LocalMisuse(
            f"a delta frame with references {references}; it must have 1 to {MAX_REFERENCES}, all different"
        )
