"""Loads libaom once, and refuses one whose structures are laid out differently."""

import functools
import sys
from dataclasses import dataclass
from typing import Any, Final

from cffi import FFI

from rtc.codecs.libaom_binding.declarations import CDEF
from rtc.codecs.libraries import HOW_TO_GET, LIBAOM, open_library
from rtc.values.errors import CodecError

ENCODER_ABI_VERSION: Final = 29
ABI_MISMATCH: Final = 3
"""AOM_CODEC_ABI_MISMATCH, what the library answers to another version's number."""
EXPECTED_SIZES: Final = {"aom_codec_enc_cfg_t": 904, "aom_image_t": 168}
"""Bytes at ABI version 29 where pointers and `long` are 64 bits wide."""

ffi: Any = FFI()
ffi.cdef(CDEF)


@dataclass(frozen=True, slots=True, kw_only=True)
class Libaom:
    """A loaded libaom."""

    functions: Any
    path: str
    version: str


@functools.cache
def load() -> Libaom:
    """Load libaom; `CodecError` in one line when it is missing or does not fit."""
    if sys.maxsize > 2**32 and ffi.sizeof("long") == ffi.sizeof("void *"):
        for name, expected in EXPECTED_SIZES.items():
            if ffi.sizeof(name) != expected:
                raise CodecError(f"libaom: {name} is {ffi.sizeof(name)} bytes here and should be {expected}")
    functions, path = open_library(ffi, LIBAOM)
    try:
        version = ffi.string(functions.aom_codec_version_str()).decode()
    except AttributeError as error:
        raise CodecError(f"{path} is not libaom: it has no aom_codec_version_str; {HOW_TO_GET}") from error
    return Libaom(functions=functions, path=path, version=version)


def abi_mismatch(library: Libaom) -> CodecError:
    """What to say of a library whose encoder interface is of another version."""
    return CodecError(
        f"libaom {library.version} at {library.path} has another encoder ABI than version {ENCODER_ABI_VERSION} "
        f"(libaom 3.8 to 3.14); {HOW_TO_GET}, or name a fitting library in {LIBAOM.environment_variable}"
    )
