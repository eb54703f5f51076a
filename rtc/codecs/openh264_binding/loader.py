"""Loads OpenH264 once, and refuses a release whose structures are laid out differently."""

import functools
from dataclasses import dataclass
from typing import Any, Final

from cffi import FFI

from rtc.codecs.libraries import HOW_TO_GET, OPENH264, open_library
from rtc.codecs.openh264_binding.declarations import CDEF
from rtc.values.errors import CodecError

SUPPORTED_RELEASE: Final = (2, 6)
"""Major and minor number of the release whose headers the declarations follow; 2.3 to 2.5 have other layouts."""

ffi: Any = FFI()
ffi.cdef(CDEF)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenH264:
    """A loaded OpenH264."""

    functions: Any
    path: str
    version: str


@functools.cache
def load() -> OpenH264:
    """Load OpenH264; `CodecError` in one line when it is missing or of another release."""
    functions, path = open_library(ffi, OPENH264)
    version = ffi.new("OpenH264Version *")
    try:
        functions.WelsGetCodecVersionEx(version)
    except AttributeError as error:
        raise CodecError(f"{path} is not OpenH264: it has no WelsGetCodecVersionEx; {HOW_TO_GET}") from error
    text = f"{version.uMajor}.{version.uMinor}.{version.uRevision}"
    if (version.uMajor, version.uMinor) != SUPPORTED_RELEASE:
        raise CodecError(
            f"OpenH264 {text} at {path} has other structures than release 2.6; {HOW_TO_GET}, "
            f"or name a 2.6 library in {OPENH264.environment_variable}"
        )
    return OpenH264(functions=functions, path=path, version=text)
