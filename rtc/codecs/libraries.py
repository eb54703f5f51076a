"""Where codec libraries are looked for: an environment variable, PyAV's wheel, the system; in that order."""

import ctypes.util
import importlib.util
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rtc.values.errors import CodecError

HOW_TO_GET = "run: pip install 'av>=16.1,<17'"


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryName:
    """How one codec library is known in each place."""

    title: str
    """What to call it in a message."""
    environment_variable: str
    file_stem: str
    """The part of its file name that every platform's wheel keeps."""
    system_name: str
    """What a linker would call it."""


LIBAOM = LibraryName(title="libaom", environment_variable="RTC_LIBAOM", file_stem="aom", system_name="aom")
OPENH264 = LibraryName(
    title="OpenH264", environment_variable="RTC_OPENH264", file_stem="openh264", system_name="openh264"
)


def find_library(library: LibraryName) -> str:
    """Path, or the system's name, of a library.

    Raises `CodecError` in one line when it is nowhere, or when its environment variable names no file: an explicit
    choice is never silently replaced.
    """
    chosen = os.environ.get(library.environment_variable)
    if chosen:
        if not Path(chosen).is_file():
            raise CodecError(
                f"{library.title}: {library.environment_variable} names {chosen!r}, which is not a file; "
                f"name a shared library there, or unset it to use the one in PyAV's wheel ({HOW_TO_GET})"
            )
        return chosen
    for path in wheel_files(library.file_stem):
        return str(path)
    system = ctypes.util.find_library(library.system_name)
    if system is not None:
        return system
    raise CodecError(
        f"{library.title} was not found: looked for {library.environment_variable} in the environment, "
        f"*{library.file_stem}* in PyAV's wheel, and {library.system_name!r} on the system; {HOW_TO_GET}"
    )


def open_library(ffi: Any, library: LibraryName) -> tuple[Any, str]:  # noqa: ANN401 - cffi objects have no types
    """The loaded library and where it was found; `CodecError` in one line when it cannot be loaded."""
    path = find_library(library)
    try:
        return ffi.dlopen(path), path
    except OSError as error:
        reason = " ".join(str(error).split())
        raise CodecError(
            f"{library.title} at {path} does not load ({reason}); {HOW_TO_GET}, "
            f"or name a working shared library in {library.environment_variable}"
        ) from error


def wheel_files(file_stem: str) -> Iterator[Path]:
    """The files of PyAV's wheel that carry a library: beside the package on Linux and Windows, inside on macOS."""
    spec = importlib.util.find_spec("av")
    if spec is None or spec.origin is None:
        return
    package = Path(spec.origin).parent
    for folder in (package.parent / "av.libs", package / ".dylibs", package):
        for prefix in ("lib", ""):
            for path in sorted(folder.glob(f"{prefix}{file_stem}[-.]*")):
                if path.suffix != ".py" and path.is_file():
                    yield path
