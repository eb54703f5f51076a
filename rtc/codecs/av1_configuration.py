"""libaom's settings for a call: those libwebrtc settled on, single thread, one spatial layer."""

from collections.abc import Sequence
from typing import Any, Final

from rtc.codecs.av1_quantizer_bounds import Bounds
from rtc.codecs.encoder_values import Content, EncoderOptions
from rtc.codecs.libaom_binding.constants import KEY_FRAME_MODE_DISABLED, RATE_CBR
from rtc.values.formats import FrameSize
from rtc.values.units import US_PER_S

INITIAL_SPEED: Final = 10
INITIAL_BPS: Final = 300_000
MIN_QUANTIZER: Final = 2
DEFAULT_MAX_QUANTIZER: Final = 56
SHOOT_PERCENT: Final = 50
"""How far libaom's rate control may under- and overshoot; libwebrtc's value."""
KEY_FRAME_NEVER: Final = 1 << 30
BASE_LAYER_PERCENT: Final = 60
"""The base layer's part of the target with two temporal layers; libwebrtc's value."""

CYCLIC_REFRESH: Final = 3
"""libaom's aq-mode that codes a part of the resting blocks finer, another part in every frame."""
BUFFER_MS: Final = 1
"""Of libaom's own rate control while it is kept at a bound: nothing may be saved up."""

TOOLS: Final[dict[str, int | str]] = {
    "cpu-used": INITIAL_SPEED,
    "enable-cdef": 1,
    "noise-sensitivity": 0,
    # What follows costs time and gains next to nothing at real-time speeds.
    "enable-order-hint": 0,
    "enable-tpl-model": 0,
    "deltaq-mode": 0,
    "enable-obmc": 0,
    "enable-warped-motion": 0,
    "enable-global-motion": 0,
    "enable-ref-frame-mvs": 0,
    "coeff-cost-upd-freq": 3,
    "mode-cost-upd-freq": 3,
    "mv-cost-upd-freq": 3,
    "enable-cfl-intra": 0,
    "enable-smooth-intra": 0,
    "enable-angle-delta": 0,
    "enable-filter-intra": 0,
    "enable-tx64": 0,
    "enable-rect-tx": 0,
    "reduced-tx-type-set": 1,
}
"""Options by their command-line names."""
SCREEN_TOOLS: Final[dict[str, int | str]] = {"tune-content": "screen", "enable-palette": 1, "enable-intrabc": 1}
CAMERA_TOOLS: Final[dict[str, int | str]] = {"tune-content": "default", "enable-palette": 0, "enable-intrabc": 0}


def configure(
    configuration: Any,  # noqa: ANN401 - a cffi struct
    size: FrameSize,
    options: EncoderOptions,
    target_bps: int,
) -> None:
    """Fill in libaom's configuration; the time base is one microsecond."""
    c = configuration
    c.g_w, c.g_h = size.width, size.height
    c.g_timebase_num, c.g_timebase_den = 1, US_PER_S
    c.g_threads = 1
    c.g_lag_in_frames = 0
    # With resilience on, decoders refuse frames after a gap; references chosen frame by frame do its work.
    c.g_error_resilient = 0
    c.kf_mode = KEY_FRAME_MODE_DISABLED
    c.kf_max_dist = KEY_FRAME_NEVER
    c.rc_end_usage = RATE_CBR
    c.rc_dropframe_thresh = 0
    c.rc_target_bitrate = to_kbps(target_bps)
    c.rc_min_quantizer, c.rc_max_quantizer = MIN_QUANTIZER, max_quantizer(options)
    c.rc_undershoot_pct = c.rc_overshoot_pct = SHOOT_PERCENT
    c.rc_buf_sz = options.native_buffer.size_ms
    c.rc_buf_initial_sz = options.native_buffer.initial_ms
    c.rc_buf_optimal_sz = options.native_buffer.optimal_ms


def fill_layers(parameters: Any, options: EncoderOptions, target_bps: int) -> None:  # noqa: ANN401 - a cffi struct
    """Describe one spatial layer and one or two temporal ones, whose targets are cumulative, in kbit/s."""
    layers = options.temporal_layers
    parameters.number_spatial_layers = 1
    parameters.number_temporal_layers = layers
    parameters.scaling_factor_num[0] = parameters.scaling_factor_den[0] = 1
    for layer in range(layers):
        percent = 100 if layer == layers - 1 else BASE_LAYER_PERCENT
        parameters.min_quantizers[layer] = MIN_QUANTIZER
        parameters.max_quantizers[layer] = max_quantizer(options)
        parameters.framerate_factor[layer] = 1 << (layers - 1 - layer)
        parameters.layer_target_bitrate[layer] = to_kbps(target_bps * percent // 100)


def set_bounds(configuration: Any, bounds: Bounds) -> None:  # noqa: ANN401 - a cffi struct
    """Keep libaom's own rate control at the coarsest quantizer of these."""
    c = configuration
    c.rc_target_bitrate = bounds.kbps
    c.rc_min_quantizer, c.rc_max_quantizer = bounds.finest, bounds.coarsest
    c.rc_buf_sz = c.rc_buf_initial_sz = c.rc_buf_optimal_sz = BUFFER_MS


def set_layer_bounds(parameters: Any, layers: Sequence[Bounds]) -> None:  # noqa: ANN401 - a cffi struct
    """The same for each temporal layer: with more than one, libaom takes no notice of the configuration's bounds."""
    for layer, bounds in enumerate(layers):
        parameters.min_quantizers[layer] = bounds.finest
        parameters.max_quantizers[layer] = bounds.coarsest
        parameters.layer_target_bitrate[layer] = bounds.kbps


def tools(options: EncoderOptions) -> dict[str, int | str]:
    """The coding tools, by libaom's option names."""
    mode = aq_mode(refresh=options.native_cyclic_refresh)
    return {**TOOLS, "aq-mode": mode, **(SCREEN_TOOLS if options.content is Content.SCREEN else CAMERA_TOOLS)}


def aq_mode(*, refresh: bool) -> int:
    """The aq-mode with or without cyclic refresh."""
    return CYCLIC_REFRESH if refresh else 0


def max_quantizer(options: EncoderOptions) -> int:
    """The coarsest quantizer libaom's own rate control may use, 0..63."""
    return DEFAULT_MAX_QUANTIZER if options.native_max_quantizer is None else options.native_max_quantizer


def to_kbps(bps: int) -> int:
    """Libaom counts rates in kbit/s, and takes none of zero."""
    return max(1, bps // 1000)
