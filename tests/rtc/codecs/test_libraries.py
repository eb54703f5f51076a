import ctypes.util
import importlib.util
import sys
from pathlib import Path

import pytest

from rtc.codecs import libraries
from rtc.codecs.interface import open_encoder
from rtc.codecs.libaom_binding import loader as libaom
from rtc.codecs.openh264_binding import loader as openh264
from rtc.values.errors import CodecError
from rtc.values.formats import Codec
from tests.support.codec_orders import SIZE

LIBRARIES = {Codec.AV1: libraries.LIBAOM, Codec.H264: libraries.OPENH264}
LOADERS = {Codec.AV1: libaom, Codec.H264: openh264}


@pytest.fixture(autouse=True)
def _forget_loaded_libraries():
    for module in LOADERS.values():
        module.load.cache_clear()
    yield
    for module in LOADERS.values():
        module.load.cache_clear()


@pytest.mark.parametrize("codec", list(Codec))
def test_the_wheel_carries_the_library_and_its_version_is_known(codec: Codec, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv(LIBRARIES[codec].environment_variable, raising=False)
    library = LOADERS[codec].load()
    assert Path(library.path).is_file()
    assert library.version.removeprefix("v").startswith({Codec.AV1: "3.", Codec.H264: "2.6"}[codec])


@pytest.mark.parametrize("codec", list(Codec))
def test_a_variable_that_names_nothing_is_one_clear_line(codec: Codec, monkeypatch: pytest.MonkeyPatch):
    variable = LIBRARIES[codec].environment_variable
    monkeypatch.setenv(variable, "/nowhere/lib.so")
    with pytest.raises(CodecError) as error:
        open_encoder(codec, SIZE)
    text = str(error.value)
    assert variable in text
    assert "/nowhere/lib.so" in text
    assert "pip install 'av>=16.1,<17'" in text
    assert "\n" not in text


@pytest.mark.parametrize("codec", list(Codec))
def test_a_file_that_is_no_library_is_one_clear_line(codec: Codec, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    fake = tmp_path / "libfake.so"
    fake.write_bytes(b"not a library")
    monkeypatch.setenv(LIBRARIES[codec].environment_variable, str(fake))
    with pytest.raises(CodecError, match="does not load") as error:
        open_encoder(codec, SIZE)
    assert "\n" not in str(error.value)


@pytest.mark.skipif(sys.platform != "linux", reason="names the C library as Linux does")
@pytest.mark.parametrize("codec", list(Codec))
def test_another_library_under_its_name_is_one_clear_line(codec: Codec, monkeypatch: pytest.MonkeyPatch):
    other = {Codec.AV1: libraries.OPENH264, Codec.H264: libraries.LIBAOM}[codec]
    monkeypatch.setenv(LIBRARIES[codec].environment_variable, libraries.find_library(other))
    with pytest.raises(CodecError, match="is not"):
        open_encoder(codec, SIZE)


def test_the_system_is_asked_where_the_wheel_has_none(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("RTC_LIBAOM", raising=False)
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    monkeypatch.setattr(ctypes.util, "find_library", lambda name: f"lib{name}.so.3")
    assert libraries.find_library(libraries.LIBAOM) == "libaom.so.3"


def test_a_library_that_is_nowhere_names_the_three_places(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("RTC_OPENH264", raising=False)
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    monkeypatch.setattr(ctypes.util, "find_library", lambda _: None)
    with pytest.raises(CodecError, match=r"RTC_OPENH264.*PyAV's wheel.*system.*pip install"):
        libraries.find_library(libraries.OPENH264)


def test_an_abi_mismatch_is_one_clear_line(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("rtc.codecs.av1_encoder.ENCODER_ABI_VERSION", 28)
    with pytest.raises(CodecError, match=r"another encoder ABI than version 29.*RTC_LIBAOM"):
        open_encoder(Codec.AV1, SIZE)


def test_another_release_of_openh264_is_one_clear_line(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(openh264, "SUPPORTED_RELEASE", (2, 5))
    with pytest.raises(CodecError, match=r"2\.6\.0 .*RTC_OPENH264"):
        open_encoder(Codec.H264, SIZE)


def test_the_declared_structures_of_libaom_have_the_sizes_of_abi_version_29():
    if libaom.ffi.sizeof("long") != 8:
        pytest.skip("sizes are those of 64-bit Unix")
    assert {name: libaom.ffi.sizeof(name) for name in libaom.EXPECTED_SIZES} == libaom.EXPECTED_SIZES
