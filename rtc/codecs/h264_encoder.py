"""H.264 through OpenH264: constrained baseline, one slice, single thread, a quantizer or a target per frame."""

from typing import Any, Final

from rtc.codecs.closing import Closing
from rtc.codecs.encoder_values import EncodedPicture, EncoderOptions
from rtc.codecs.h264_configuration import Configuration
from rtc.codecs.h264_scaling import scaled
from rtc.codecs.openh264_binding.constants import (
    ALL_LAYER_IDS,
    ALL_SPATIAL_LAYERS,
    IMAGE_I420,
    LOG_QUIET,
    MEMORY_ERROR,
    FrameKind,
    Option,
    RateControl,
)
from rtc.codecs.openh264_binding.loader import ffi, load
from rtc.codecs.requests import check_order, check_picture
from rtc.values.encoding import ConstantQuantizer, EncodedAs, FrameEncodeSettings, NativeCbr
from rtc.values.errors import CodecError, LocalMisuse
from rtc.values.formats import Codec, FrameSize
from rtc.values.frames import VideoFrame
from rtc.values.units import US_PER_MS, US_PER_S

SPEEDS: Final = range(3)
QUANTIZERS: Final = range(52)
THE_SLOT: Final = 0
"""OpenH264 keeps its own references; its newest base-layer frame goes by this slot."""


class H264Encoder(Closing):
    """An OpenH264 encoder; see `VideoEncoder` for what drives it and what it promises.

    Output is an access unit in Annex B, with the parameter sets in front of every IDR. It starts with the first
    order's way of rate control and keeps to it. Another coded size begins with a key frame. With two temporal layers
    frames alternate, layer 0 first after a key frame; layer 1 updates no slot.

    OpenH264 has room for a frame of two thirds of the raw picture, and gives up its state at a larger one, which takes
    pure noise at a fine quantizer. Such a picture becomes a key frame, ordered or not, at a quantizer coarse enough
    (`EncodedPicture` tells both), and until the next key frame that is ordered no finer one is used.
    """

    codec = Codec.H264

    def __init__(self, size: FrameSize, options: EncoderOptions) -> None:
        self.size = size
        self._options = options
        self._library = load().functions
        self._configuration = Configuration(size, options)
        self._rate_control: RateControl | None = None
        self._frames_since_key: int | None = None
        self._failure: str | None = None
        self._clock_us = 0
        self._picture = ffi.new("SSourcePicture *")
        self._output = ffi.new("SFrameBSInfo *")
        self._statistics = ffi.new("SEncoderStatistics *")
        self._bitrate = ffi.new("SBitrateInfo *", {"iLayer": ALL_SPATIAL_LAYERS})
        self._frame_rate = ffi.new("float *")
        self._encoder = self._create()
        self._initialize(RateControl.OFF)

    def close(self) -> None:
        """Give the memory back; closing twice is harmless."""
        if self._encoder is not None:
            self._table.Uninitialize(self._encoder)
            ffi.release(self._encoder)
            self._encoder = None

    def encode(self, frame: VideoFrame, settings: FrameEncodeSettings) -> EncodedPicture:
        """Encode one picture as ordered; `LocalMisuse` changes nothing, after `CodecError` only `close` is left."""
        self._check(frame, settings)
        self._apply_rate_control(settings.rate)
        if settings.encode_as is EncodedAs.KEY and self._configuration.allow_all_quantizers():
            self._start_anew()
        self._apply_parameters(settings)
        if isinstance(settings.rate, NativeCbr):
            self._apply_target(settings.rate, settings.duration_us)
        if settings.encode_as is EncodedAs.KEY:
            self._expect(self._table.ForceIntraFrame(self._encoder, True, ALL_LAYER_IDS), "ForceIntraFrame")
        return self._encode_picture(frame, settings)

    def _check(self, frame: VideoFrame, settings: FrameEncodeSettings) -> None:
        if self._encoder is None:
            raise LocalMisuse("this H.264 encoder is closed; open another")
        if self._failure is not None:
            raise LocalMisuse(f"this H.264 encoder failed earlier ({self._failure}); close it and open another")
        check_picture(frame, self.size)
        check_order(settings, self._options, speeds=SPEEDS, quantizers=self._quantizers)
        if self._rate_control not in {None, _rate_control(settings.rate)}:
            raise LocalMisuse(
                "native rate control and a quantizer per frame do not mix in OpenH264; open another encoder"
            )
        coded = settings.coded_size
        if coded.width > self.size.width or coded.height > self.size.height:
            raise LocalMisuse(f"coded size {coded} is larger than the picture's {self.size}")
        if settings.encode_as is EncodedAs.KEY:
            if THE_SLOT not in settings.update_slots:
                raise LocalMisuse("a key frame that does not update slot 0; it updates slot 0")
        else:
            self._check_delta(settings)

    def _check_delta(self, settings: FrameEncodeSettings) -> None:
        if self._frames_since_key is None:
            raise LocalMisuse("the first frame is a delta frame; start with a key frame")
        if settings.coded_size != self._configuration.coded_size:
            now = self._configuration.coded_size
            raise LocalMisuse(f"coded size {settings.coded_size} after {now}; H.264 needs a key frame for that")
        layer = (self._frames_since_key + 1) % self._options.temporal_layers
        if settings.temporal_layer != layer:
            raise LocalMisuse(
                f"temporal layer {settings.temporal_layer}; OpenH264 alternates, the next is layer {layer}"
            )
        update = frozenset() if layer else frozenset({THE_SLOT})
        if settings.references != (THE_SLOT,) or settings.update_slots != update:
            raise LocalMisuse(
                f"references {settings.references}, slots to update {sorted(settings.update_slots)}; OpenH264 manages "
                f"its own, and takes (0,) and {sorted(update)} in layer {layer}"
            )

    @property
    def _quantizers(self) -> range:
        # Its offset between layers stops at 1.
        return QUANTIZERS if self._options.temporal_layers == 1 else QUANTIZERS[1:]

    def _apply_rate_control(self, rate: ConstantQuantizer | NativeCbr) -> None:
        if self._rate_control is not None:
            return
        chosen = _rate_control(rate)
        if chosen is not RateControl.OFF:
            if isinstance(rate, NativeCbr):
                self._configuration.own_rate_control(rate.target_bps)
            self._rate_control = chosen
            self._start_anew()
        self._rate_control = chosen

    def _apply_parameters(self, settings: FrameEncodeSettings) -> None:
        configuration = self._configuration
        changed = configuration.speed(settings.speed)
        changed |= configuration.resize(settings.coded_size)
        if isinstance(settings.rate, ConstantQuantizer):
            changed |= configuration.quantizer(settings.rate.quantizer, settings.temporal_layer)
        if changed:
            self._set(Option.SVC_ENCODE_PARAM_EXT, configuration.parameters)

    def _apply_target(self, rate: NativeCbr, duration_us: int) -> None:
        if self._configuration.target(rate.target_bps):
            self._bitrate.iBitrate = rate.target_bps
            self._set(Option.BITRATE, self._bitrate)
        if self._configuration.frame_duration(duration_us):
            self._frame_rate[0] = US_PER_S / duration_us
            self._set(Option.FRAME_RATE, self._frame_rate)

    def _encode_picture(self, frame: VideoFrame, settings: FrameEncodeSettings) -> EncodedPicture:
        frame = scaled(frame, settings.coded_size)
        self._describe_picture(frame.size)
        pixels = ffi.from_buffer("unsigned char[]", frame.data)
        luma = frame.size.pixels
        planes = self._picture.pData
        planes[0] = pixels
        planes[1] = pixels + luma
        planes[2] = pixels + luma + luma // 4
        self._picture.uiTimeStamp = self._clock_us // US_PER_MS
        status = self._table.EncodeFrame(self._encoder, self._picture, self._output)
        while status == MEMORY_ERROR and self._configuration.coarsen():
            self._start_anew()
            status = self._table.EncodeFrame(self._encoder, self._picture, self._output)
        self._expect(status, "EncodeFrame")
        self._clock_us += settings.duration_us
        kind = self._output.eFrameType
        if kind == FrameKind.SKIPPED:
            return EncodedPicture(payload=b"", is_key=False, quantizer=self._used_quantizer())
        is_key = kind == FrameKind.IDR
        self._frames_since_key = 0 if is_key or self._frames_since_key is None else self._frames_since_key + 1
        return EncodedPicture(payload=self._take_output(), is_key=is_key, quantizer=self._used_quantizer())

    def _take_output(self) -> bytes:
        """The access unit; layers lie one after the other in memory of the library's own."""
        output, payload = self._output, b""
        for index in range(output.iLayerNum):
            layer = output.sLayerInfo[index]
            lengths = layer.pNalLengthInByte
            payload += ffi.buffer(layer.pBsBuf, sum(lengths[nal] for nal in range(layer.iNalCount)))[:]
        return payload

    def _used_quantizer(self) -> int:
        """The mean over the frame's macroblocks; with a quantizer per frame they all have that one."""
        self._expect(self._table.GetOption(self._encoder, Option.GET_STATISTICS, self._statistics), "GET_STATISTICS")
        return int(self._statistics.uiAverageFrameQP)

    def _describe_picture(self, size: FrameSize) -> None:
        picture, width = self._picture, size.width
        picture.iColorFormat = IMAGE_I420
        picture.iPicWidth, picture.iPicHeight = width, size.height
        picture.iStride[0], picture.iStride[1], picture.iStride[2] = width, width // 2, width // 2

    def _create(self) -> Any:  # noqa: ANN401 - a cffi pointer
        holder = ffi.new("ISVCEncoder **")
        if self._library.WelsCreateSVCEncoder(holder) or not holder[0]:
            raise CodecError("OpenH264 cannot create an encoder; is there memory left?")
        self._table = holder[0][0]
        return ffi.gc(holder[0], self._library.WelsDestroySVCEncoder)

    def _start_anew(self) -> None:
        """Begin another stream, with an IDR, as the configuration now is."""
        self._table.Uninitialize(self._encoder)
        self._initialize(RateControl.OFF if self._rate_control is None else self._rate_control)

    def _initialize(self, rate_control: RateControl) -> None:
        level = ffi.new("int *", LOG_QUIET)
        self._table.SetOption(self._encoder, Option.TRACE_LEVEL, level)
        parameters = self._configuration.parameters
        parameters.iRCMode = rate_control
        if self._table.InitializeExt(self._encoder, parameters):
            raise CodecError(f"OpenH264 cannot open an encoder for {self.size}; its sides must suit H.264 level 5.2")

    def _set(self, option: Option, value: Any) -> None:  # noqa: ANN401 - a cffi pointer
        self._expect(self._table.SetOption(self._encoder, option, value), option.name)

    def _expect(self, status: int, what: str) -> None:
        if status:
            self._failure = f"{what}: error {status}"
            raise CodecError(f"OpenH264 refused {self._failure}; close this encoder and open another")


def _rate_control(rate: ConstantQuantizer | NativeCbr) -> RateControl:
    return RateControl.OFF if isinstance(rate, ConstantQuantizer) else RateControl.BITRATE
