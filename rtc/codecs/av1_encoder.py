"""AV1 through libaom: every reference, slot, quantizer, size and speed chosen frame by frame by the caller."""

from typing import Any, Final

from rtc.codecs.av1_configuration import (
    INITIAL_BPS,
    INITIAL_SPEED,
    aq_mode,
    configure,
    fill_layers,
    set_bounds,
    set_layer_bounds,
    to_kbps,
    tools,
)
from rtc.codecs.av1_quantizer_bounds import FRAME_US, QuantizerBounds
from rtc.codecs.av1_reference_tables import ReferenceTables
from rtc.codecs.av1_scaling import FULL_SIZE_MODE, scale_modes
from rtc.codecs.av1_slots import SlotTracker
from rtc.codecs.closing import Closing
from rtc.codecs.encoder_values import EncodedPicture, EncoderOptions
from rtc.codecs.libaom_binding.constants import (
    FLAG_FORCE_KEY_FRAME,
    FRAME_IS_KEY,
    IMAGE_I420,
    PACKET_FRAME,
    USAGE_REALTIME,
    Control,
)
from rtc.codecs.libaom_binding.loader import ABI_MISMATCH, ENCODER_ABI_VERSION, abi_mismatch, ffi, load
from rtc.codecs.requests import check_order, check_picture
from rtc.values.encoding import EncodedAs, FrameEncodeSettings, NativeCbr
from rtc.values.errors import CodecError, LocalMisuse
from rtc.values.formats import Codec, FrameSize
from rtc.values.frames import VideoFrame

SPEEDS: Final = range(5, 12)
QUANTIZERS: Final = range(64)
OK: Final = 0
BYTES: Final = ffi.typeof("unsigned char[]")


class Av1Encoder(Closing):
    """A libaom encoder in real-time mode, single thread; see `VideoEncoder` for what drives it and what it promises.

    Output is a temporal unit with its temporal delimiter and size fields. Native rate control and a quantizer of the
    caller's may take turns, frame by frame.
    """

    codec = Codec.AV1

    def __init__(self, size: FrameSize, options: EncoderOptions) -> None:
        library = load()
        self.size = size
        self._options = options
        self._library = library.functions
        self._slots = SlotTracker(size)
        self._scale_modes = scale_modes(size)
        self._speed = INITIAL_SPEED
        self._target_bps = INITIAL_BPS
        self._aq_mode = aq_mode(refresh=options.native_cyclic_refresh)
        self._bounds = QuantizerBounds(self.size)
        self._pts_us = 0
        self._failure: str | None = None
        self._configuration = ffi.new("aom_codec_enc_cfg_t *")
        self._image = ffi.new("aom_image_t *")
        self._layer = ffi.new("aom_svc_layer_id_t *")
        self._layers = ffi.new("aom_svc_params_t *")
        self._reference_tables = ReferenceTables()
        self._scale = ffi.new("aom_scaling_mode_t *")
        self._used_quantizer = ffi.new("int *")
        self._iterator = ffi.new("const void **")
        self._ints = [ffi.cast("int", value) for value in QUANTIZERS]
        self._context: Any = None
        self._open()

    def close(self) -> None:
        """Give the memory back; closing twice is harmless."""
        if self._context is not None:
            ffi.release(self._context)
            self._context = None

    def encode(self, frame: VideoFrame, settings: FrameEncodeSettings) -> EncodedPicture:
        """Encode one picture as ordered; `LocalMisuse` changes nothing, after `CodecError` only `close` is left."""
        self._check(frame, settings)
        self._apply_rate(settings)
        self._apply_speed(settings.speed)
        self._apply_scale(settings.coded_size)
        self._apply_layer(settings.temporal_layer)
        self._control(Control.SET_SVC_REF_FRAME_CONFIG, self._reference_tables.table(settings, self._slots))
        picture = self._encode_picture(frame, settings)
        self._slots.on_encoded(settings)
        return picture

    def _check(self, frame: VideoFrame, settings: FrameEncodeSettings) -> None:
        if self._context is None:
            raise LocalMisuse("this AV1 encoder is closed; open another")
        if self._failure is not None:
            raise LocalMisuse(f"this AV1 encoder failed earlier ({self._failure}); close it and open another")
        check_picture(frame, self.size)
        check_order(settings, self._options, speeds=SPEEDS, quantizers=QUANTIZERS)
        if settings.coded_size not in self._scale_modes:
            offered = ", ".join(str(size) for size in self._scale_modes)
            raise LocalMisuse(f"coded size {settings.coded_size} of {self.size} pictures; AV1 offers {offered}")
        self._slots.check(settings)

    def _apply_speed(self, speed: int) -> None:
        if speed != self._speed:
            self._control(Control.SET_CPUUSED, self._ints[speed])
            self._speed = speed

    def _apply_rate(self, settings: FrameEncodeSettings) -> None:
        rate = settings.rate
        if isinstance(rate, NativeCbr):
            self._apply_native(rate.target_bps)
            return
        self._apply_aq_mode(aq_mode(refresh=rate.cyclic_refresh))
        if self._bounds.change(settings, rate):
            self._apply_bounds()

    def _apply_native(self, target_bps: int) -> None:
        if self._bounds.in_force:
            self._bounds = QuantizerBounds(self.size)
            self._apply_aq_mode(aq_mode(refresh=self._options.native_cyclic_refresh))
            configure(self._configuration, self.size, self._options, target_bps)
        elif target_bps == self._target_bps:
            return
        self._apply_target(target_bps)

    def _apply_aq_mode(self, mode: int) -> None:
        if mode != self._aq_mode:
            self._set_option("aq-mode", mode)
            self._aq_mode = mode

    def _apply_bounds(self) -> None:
        if self._options.temporal_layers > 1:
            set_layer_bounds(self._layers, self._bounds.layers)
            self._control(Control.SET_SVC_PARAMS, self._layers)
        set_bounds(self._configuration, self._bounds.layers[0])
        self._set_configuration()

    def _apply_target(self, target_bps: int) -> None:
        self._target_bps = target_bps
        if self._slots.is_empty:
            # Only an encoder opened at its target starts with that target's buffer.
            self.close()
            self._open()
            return
        # The control made for this (163) is refused where there are layers.
        self._configuration.rc_target_bitrate = to_kbps(target_bps)
        self._set_configuration()
        if self._options.temporal_layers > 1:
            self._set_layer_targets(target_bps)

    def _set_layer_targets(self, target_bps: int) -> None:
        fill_layers(self._layers, self._options, target_bps)
        self._control(Control.SET_SVC_PARAMS, self._layers)

    def _apply_scale(self, coded: FrameSize) -> None:
        # It holds for one frame; unset means full size.
        mode = self._scale_modes[coded]
        if mode != FULL_SIZE_MODE:
            self._scale.h_scaling_mode = self._scale.v_scaling_mode = mode
            self._control(Control.SET_SCALEMODE, self._scale)

    def _apply_layer(self, temporal_layer: int) -> None:
        if temporal_layer != self._layer.temporal_layer_id:
            self._layer.temporal_layer_id = temporal_layer
            self._control(Control.SET_SVC_LAYER_ID, self._layer)

    def _encode_picture(self, frame: VideoFrame, settings: FrameEncodeSettings) -> EncodedPicture:
        library, context = self._library, self._context
        pixels = ffi.from_buffer(BYTES, frame.data)
        library.aom_img_wrap(self._image, IMAGE_I420, self.size.width, self.size.height, 1, pixels)
        flags = FLAG_FORCE_KEY_FRAME if settings.encode_as is EncodedAs.KEY else 0
        duration_us = FRAME_US if self._bounds.in_force else settings.duration_us
        status = library.aom_codec_encode(context, self._image, self._pts_us, duration_us, flags)
        self._expect(status, "encode")
        self._pts_us += duration_us
        payload, is_key = self._take_packets()
        self._control(Control.GET_LAST_QUANTIZER_64, self._used_quantizer)
        return EncodedPicture(payload=payload, is_key=is_key, quantizer=self._used_quantizer[0])

    def _take_packets(self) -> tuple[bytes, bool]:
        self._iterator[0] = ffi.NULL
        payload, is_key = b"", False
        while packet := self._library.aom_codec_get_cx_data(self._context, self._iterator):
            if packet.kind == PACKET_FRAME:
                data = packet.data.frame
                payload += ffi.buffer(data.buf, data.sz)[:]
                is_key = is_key or bool(data.flags & FRAME_IS_KEY)
        return payload, is_key

    def _open(self) -> None:
        self._context = self._open_context()
        self._speed = INITIAL_SPEED
        for name, value in tools(self._options).items():
            self._set_option(name, value)
        self._set_layer_targets(self._target_bps)

    def _open_context(self) -> Any:  # noqa: ANN401 - a cffi pointer
        library, interface = self._library, self._library.aom_codec_av1_cx()
        configuration = self._configuration
        context = ffi.new("aom_codec_ctx_t *")
        status = library.aom_codec_enc_config_default(interface, configuration, USAGE_REALTIME)
        if status == OK:
            configure(configuration, self.size, self._options, self._target_bps)
            status = library.aom_codec_enc_init_ver(context, interface, configuration, 0, ENCODER_ABI_VERSION)
        if status == ABI_MISMATCH:
            raise abi_mismatch(load())
        if status != OK:
            raise CodecError(f"libaom cannot open an encoder for {self.size}: {self._explain(context, status)}")
        return ffi.gc(context, library.aom_codec_destroy)

    def _set_configuration(self) -> None:
        self._expect(self._library.aom_codec_enc_config_set(self._context, self._configuration), "enc_config_set")

    def _set_option(self, name: str, value: int | str) -> None:
        self._expect(self._library.aom_codec_set_option(self._context, name.encode(), str(value).encode()), name)

    def _control(self, control: Control, value: Any) -> None:  # noqa: ANN401 - a cffi value or pointer
        status = self._library.aom_codec_control(self._context, control, value)
        if status != OK:
            self._expect(status, control.name)

    def _expect(self, status: int, what: str) -> None:
        """Anything libaom refuses leaves it in a state it does not recover from."""
        if status != OK:
            self._failure = f"{what}: {self._explain(self._context, status)}"
            raise CodecError(f"libaom refused {self._failure}; close this encoder and open another")

    def _explain(self, context: Any, status: int) -> str:  # noqa: ANN401 - a cffi pointer
        detail = self._library.aom_codec_error_detail(context)
        text = detail or self._library.aom_codec_err_to_string(status)
        return str(ffi.string(text).decode(errors="replace"))
