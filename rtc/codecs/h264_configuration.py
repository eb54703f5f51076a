"""OpenH264's parameters for a call, and which of them an order changes."""

from typing import Any, Final

from rtc.codecs.encoder_values import Content, EncoderOptions
from rtc.codecs.openh264_binding.constants import (
    CONSTANT_PARAMETER_SET_ID,
    ONE_THREAD,
    PROFILE_BASELINE,
    SINGLE_SLICE,
    USAGE_CAMERA_REAL_TIME,
    USAGE_SCREEN_REAL_TIME,
)
from rtc.codecs.openh264_binding.loader import ffi
from rtc.values.formats import FrameSize
from rtc.values.units import US_PER_S

INITIAL_BPS: Final = 300_000
INITIAL_FRAME_RATE: Final = 30
MIN_QUANTIZER: Final = 12
"""The finest that OpenH264's rate control goes to in any case (its GOM_MIN_QP_MODE)."""
DEFAULT_MAX_QUANTIZER: Final = 51
SLOWEST_COMPLEXITY: Final = 2
COARSEST_QUANTIZER: Final = 51
COARSER_STEPS: Final = 6
"""Twice the quantization step: a bit less for each coefficient."""
BASE_LAYER_OFFSET: Final = 3
"""With two temporal layers OpenH264 makes the base layer's quantizer this much finer than it was told."""


class Configuration:
    """Remembers what the encoder was last told; each method says whether the encoder must be told anew."""

    def __init__(self, size: FrameSize, options: EncoderOptions) -> None:
        self.parameters: Any = ffi.new("SEncParamExt *")
        self.coded_size = size
        self._options = options
        self._frame_duration_us = US_PER_S // INITIAL_FRAME_RATE
        self._ordered_quantizer = 0
        self._finest_quantizer = 0
        self._fill(size, options)

    def speed(self, speed: int) -> bool:
        """0 slowest to 2 fastest."""
        complexity = SLOWEST_COMPLEXITY - speed
        changed = bool(self.parameters.iComplexityMode != complexity)
        self.parameters.iComplexityMode = complexity
        return changed

    def resize(self, coded: FrameSize) -> bool:
        """Code at this size; OpenH264 starts anew for another, with an IDR."""
        if coded == self.coded_size:
            return False
        self.coded_size = coded
        layer = self.parameters.sSpatialLayers[0]
        layer.iVideoWidth, layer.iVideoHeight = coded.width, coded.height
        self.parameters.iPicWidth, self.parameters.iPicHeight = coded.width, coded.height
        return True

    def quantizer(self, quantizer: int, temporal_layer: int) -> bool:
        """Code the next frame with exactly this quantizer, or the finest that `coarsen` left."""
        self._ordered_quantizer = quantizer
        offset = BASE_LAYER_OFFSET if self._options.temporal_layers > 1 and temporal_layer == 0 else 0
        layer = self.parameters.sSpatialLayers[0]
        told = max(quantizer, self._finest_quantizer) + offset
        changed = bool(layer.iDLayerQp != told)
        layer.iDLayerQp = told
        return changed

    def coarsen(self) -> bool:
        """Rule out quantizers as fine as that of a frame that did not fit, and some more; False when none is left.

        The encoder takes this only when it starts anew; so also for `allow_all_quantizers`.
        """
        did_not_fit = max(self._finest_quantizer, self._ordered_quantizer)
        if did_not_fit >= COARSEST_QUANTIZER:
            return False
        self._finest_quantizer = min(COARSEST_QUANTIZER, did_not_fit + COARSER_STEPS)
        self._limit_native()
        self.quantizer(self._ordered_quantizer, temporal_layer=0)  # it starts with an IDR, which is of the base layer
        return True

    def allow_all_quantizers(self) -> bool:
        """Take back what `coarsen` ruled out."""
        changed = self._finest_quantizer > 0
        self._finest_quantizer = 0
        self._limit_native()
        return changed

    def target(self, target_bps: int) -> bool:
        """Aim OpenH264's own rate control at this rate."""
        changed = bool(self.parameters.iTargetBitrate != target_bps)
        self.parameters.iTargetBitrate = self.parameters.sSpatialLayers[0].iSpatialBitrate = target_bps
        return changed

    def own_rate_control(self, target_bps: int) -> None:
        """Leave the quantizer to OpenH264, aimed at this rate, with what it switches on for that unless told not to."""
        self.target(target_bps)
        self.parameters.bEnableBackgroundDetection = self._options.content is Content.CAMERA

    def frame_duration(self, duration_us: int) -> bool:
        """Tell OpenH264's own rate control how long frames last."""
        changed = duration_us != self._frame_duration_us
        self._frame_duration_us = duration_us
        rate = US_PER_S / duration_us
        self.parameters.fMaxFrameRate = self.parameters.sSpatialLayers[0].fFrameRate = rate
        return changed

    def _limit_native(self) -> None:
        self.parameters.iMinQp = max(MIN_QUANTIZER, self._finest_quantizer)

    def _fill(self, size: FrameSize, options: EncoderOptions) -> None:
        p = self.parameters
        p.iUsageType = USAGE_SCREEN_REAL_TIME if options.content is Content.SCREEN else USAGE_CAMERA_REAL_TIME
        p.iPicWidth, p.iPicHeight = size.width, size.height
        p.iTargetBitrate = INITIAL_BPS
        p.fMaxFrameRate = INITIAL_FRAME_RATE
        p.iTemporalLayerNum = options.temporal_layers
        p.iSpatialLayerNum = 1
        p.iComplexityMode = SLOWEST_COMPLEXITY
        p.uiIntraPeriod = 0  # key frames only on order
        p.iNumRefFrame = 1
        p.eSpsPpsIdStrategy = CONSTANT_PARAMETER_SET_ID
        p.iMultipleThreadIdc = ONE_THREAD
        p.bEnableFrameSkip = False
        p.iMinQp = MIN_QUANTIZER
        p.iMaxQp = DEFAULT_MAX_QUANTIZER if options.native_max_quantizer is None else options.native_max_quantizer
        p.bEnableFrameCroppingFlag = True
        # At a quantizer per frame it would hold a resting picture back, then code all of it at once.
        p.bEnableBackgroundDetection = False
        # The library would place key frames of its own. On screen content it insists: then `is_key` tells.
        p.bEnableSceneChangeDetect = options.content is Content.SCREEN
        layer = p.sSpatialLayers[0]
        layer.iVideoWidth, layer.iVideoHeight = size.width, size.height
        layer.fFrameRate = INITIAL_FRAME_RATE
        layer.iSpatialBitrate = INITIAL_BPS
        layer.uiProfileIdc = PROFILE_BASELINE
        layer.sSliceArgument.uiSliceMode = SINGLE_SLICE
        layer.sSliceArgument.uiSliceNum = 1
