import pytest

from rtc.codecs.capabilities import find_capabilities, library_versions
from rtc.codecs.libaom_binding import loader as libaom
from rtc.values.formats import Codec


def test_everything_works_with_the_wheel():
    found = find_capabilities()
    assert {(one.codec, one.role) for one in found} == {
        (codec, role) for codec in Codec for role in ("encode", "decode")
    }
    assert all(one.works and one.version and one.path and one.size_bytes for one in found)
    assert all(one.problem is None for one in found)


def test_a_missing_library_is_a_row_with_its_problem_not_an_error(monkeypatch: pytest.MonkeyPatch):
    libaom.load.cache_clear()
    monkeypatch.setenv("RTC_LIBAOM", "/nowhere")
    try:
        broken = {one.library: one for one in find_capabilities() if not one.works}
    finally:
        libaom.load.cache_clear()
    assert set(broken) == {"libaom", "dav1d"}
    assert "RTC_LIBAOM" in str(broken["libaom"].problem)


def test_library_versions_are_plain_numbers():
    versions = library_versions()
    assert set(versions) == {"libaom", "OpenH264"}
    assert versions["OpenH264"].startswith("2.6.")
