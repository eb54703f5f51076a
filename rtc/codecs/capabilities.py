"""What this machine's codec libraries can do, found out by trying: the figures behind `rtc doctor`."""

import dataclasses
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rtc.codecs.interface import open_decoder, open_encoder
from rtc.codecs.libraries import wheel_files
from rtc.values.encoding import REFERENCE_SLOTS, ConstantQuantizer, EncodedAs, FrameEncodeSettings
from rtc.values.errors import CallError, CodecError
from rtc.values.formats import Codec, FrameSize
from rtc.values.frames import VideoFrame

PROBE_SIZE: Final = FrameSize(64, 64)
PROBE_QUANTIZER: Final = 30
PROBE_SPEED: Final = {Codec.AV1: 10, Codec.H264: 2}
GREY: Final = 128
ENCODER_LIBRARIES: Final = {Codec.AV1: "libaom", Codec.H264: "OpenH264"}
DECODER_LIBRARIES: Final = {Codec.AV1: "dav1d", Codec.H264: "FFmpeg h264"}
DECODER_FILES: Final = {Codec.AV1: "dav1d", Codec.H264: "avcodec"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Capability:
    """One library and what it proved able to do."""

    library: str
    codec: Codec
    role: str
    """"encode" or "decode"."""
    version: str | None = None
    path: str | None = None
    """Where it was found; the system's name for it where the system found it."""
    size_bytes: int | None = None
    """Size of that file."""
    works: bool = False
    problem: str | None = None
    """One line on what is wrong and what would be right."""


def find_capabilities() -> tuple[Capability, ...]:
    """Try each encoder and each decoder on one small picture; never raises for a library that is missing."""
    capabilities = []
    for codec in Codec:
        encoder, payload = _probe_encoder(codec)
        capabilities += [encoder, _probe_decoder(codec, payload)]
    return tuple(capabilities)


def library_versions() -> dict[str, str]:
    """Versions of the encoder libraries by name, "not found" for one that is missing; the decoders' are PyAV's own."""
    versions = {}
    for codec, name in ENCODER_LIBRARIES.items():
        try:
            versions[name], _ = _load_encoder_library(codec)
        except CodecError:
            versions[name] = "not found"
    return versions


def _probe_encoder(codec: Codec) -> tuple[Capability, bytes]:
    found = Capability(library=ENCODER_LIBRARIES[codec], codec=codec, role="encode")
    try:
        version, path = _load_encoder_library(codec)
        found = dataclasses.replace(found, version=version, path=path, size_bytes=_size_of(path))
        payload = _encode_grey(codec)
    except CallError as error:
        return dataclasses.replace(found, problem=str(error)), b""
    return dataclasses.replace(found, works=True), payload


def _load_encoder_library(codec: Codec) -> tuple[str, str]:
    if codec is Codec.AV1:
        from rtc.codecs.libaom_binding import loader as libaom  # noqa: PLC0415 - a library is loaded only when asked for

        library = libaom.load()
        return library.version.removeprefix("v"), library.path
    from rtc.codecs.openh264_binding import loader as openh264  # noqa: PLC0415 - as above

    other = openh264.load()
    return other.version, other.path


def _encode_grey(codec: Codec) -> bytes:
    grey = VideoFrame(size=PROBE_SIZE, data=memoryview(bytes([GREY]) * PROBE_SIZE.i420_bytes))
    with open_encoder(codec, PROBE_SIZE) as encoder:
        return encoder.encode(grey, _key_order(codec)).payload


def _key_order(codec: Codec) -> FrameEncodeSettings:
    return FrameEncodeSettings(
        encode_as=EncodedAs.KEY,
        rate=ConstantQuantizer(quantizer=PROBE_QUANTIZER),
        references=(),
        update_slots=frozenset(range(REFERENCE_SLOTS)),
        coded_size=PROBE_SIZE,
        speed=PROBE_SPEED[codec],
        duration_us=33_333,
    )


def _probe_decoder(codec: Codec, payload: bytes) -> Capability:
    found = Capability(library=DECODER_LIBRARIES[codec], codec=codec, role="decode")
    try:
        import av  # noqa: PLC0415 - a missing PyAV is an answer here

        file = next((str(path) for path in wheel_files(DECODER_FILES[codec])), None)
        found = dataclasses.replace(
            found, version=f"in PyAV {av.__version__}", path=file, size_bytes=_size_of(file) if file else None
        )
        with open_decoder(codec) as decoder:
            picture = decoder.decode(payload)
    except (ImportError, CallError) as error:
        return dataclasses.replace(found, problem=" ".join(str(error).split()))
    if not payload:
        return dataclasses.replace(found, problem="not tried: there was no encoder to make a frame for it")
    if picture is None or picture.size != PROBE_SIZE:
        return dataclasses.replace(found, problem="it refused a frame that this program's encoder made")
    return dataclasses.replace(found, works=True)


def _size_of(path: str) -> int | None:
    file = Path(path)
    return file.stat().st_size if file.is_file() else None
