"""Bad input to `rtc call`: one clear line, exit status 2, nothing written."""

import sys

import pytest

from rtc.cli.app import main
from rtc.codecs.libaom_binding import loader


def _rtc(monkeypatch, capsys, *arguments):
    monkeypatch.setattr(sys, "argv", ["rtc", *map(str, arguments)])
    with pytest.raises(SystemExit) as ended:
        main()
    written = capsys.readouterr()
    return ended.value.code, written.out, written.err


def _assert_refused(monkeypatch, capsys, tmp_path, *arguments, said=""):
    out = tmp_path / "out"
    status, printed, complaint = _rtc(monkeypatch, capsys, "call", "--out", out, *arguments)
    assert status == 2
    assert printed == ""
    assert complaint.startswith("rtc: ")
    assert complaint.count("\n") == 1
    assert said in complaint
    assert not out.exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--clip", "nosuch"], "talking_head"),
        (["--clip", "nosuch.mp4"], "no such file"),
        (["--clip", ""], "clip"),
        (["--peer-clip", "nosuch"], "talking_head"),
        (["--network", "nosuch"], "lte-walking"),
        (["--network", "nosuch.txt"], "no such"),
        (["--codec", "vp9"], "av1"),
        (["--size", "641x361"], "odd"),
        (["--size", "0x0"], "size"),
        (["--size", "-2x-2"], "size"),
        (["--size", "16x16"], "from 32x32 to 3840x2160"),
        (["--size", "100000x100000"], "size"),
        (["--fps", "0"], "fps"),
        (["--fps", "-30"], "fps"),
        (["--fps", "1e9"], "fps"),
        (["--duration", "0"], "duration"),
        (["--duration", "-1"], "duration"),
        (["--duration", "1e12"], "duration"),
        (["--duration", "nan"], "duration"),
        (["--duration", "soon"], "duration"),
        (["--loss", "-0.1"], "loss"),
        (["--loss", "1.5"], "loss"),
        (["--loss", "lots"], "loss"),
        (["--loss", "bursty:0.1"], "loss"),
        (["--loss", "bursty:0.1:0"], "burst"),
        (["--rtt-ms", "-1"], "rtt-ms"),
        (["--capacity-kbps", "0"], "capacity-kbps"),
        (["--target-kbps", "-100"], "target-kbps"),
        (["--target-kbps", "1e12"], "target-kbps"),
        (["--target-kbps", "0"], "target-kbps"),
        (["--target-kbps", "nan"], "target-kbps"),
        (["--candidates", "3"], "candidates"),
        (["--candidates", "2", "--rate-control", "native"], "candidates"),
        (["--seed", "-1"], "seed"),
        (["--rate-control", "magic"], "rate-control"),
        (["--codec-time", "guess"], "codec-time"),
        (["--delay-trace", "nosuch.csv"], "nosuch.csv"),
        (["--scenario", "nosuch.yaml"], "nosuch.yaml"),
        (["--no-such-option"], "--no-such-option"),
    ],
)
def test_a_wrong_option_is_refused(monkeypatch, capsys, tmp_path, arguments, said):
    _assert_refused(monkeypatch, capsys, tmp_path, *arguments, said=said)


@pytest.mark.parametrize("given", ["1e9", "100.5", "nan", "inf", "-1", "0", "100001", "", "some", "9" * 300])
def test_a_target_that_is_none_is_shown_with_what_is_permitted(monkeypatch, capsys, tmp_path, given):
    shown = repr(given) if len(given) < 50 else "99..."
    said = "is refused; it must be a whole number in digits, from 1 to 100000\n"

    _assert_refused(monkeypatch, capsys, tmp_path, "--target-kbps", given, said=said)
    _assert_refused(monkeypatch, capsys, tmp_path, "--target-kbps", given, said=shown)


@pytest.mark.parametrize(
    ("arguments", "permitted"),
    [
        (["--fps", "29.97"], "a whole number in digits, from 1 to 120"),
        (["--duration", "nan"], "a number, from 0.1 to 3600"),
        (["--capacity-kbps", "0.5"], "a whole number in digits, from 1 to 1000000"),
        (["--rtt-ms", "soon"], "a number, from 0 to 10000"),
        (["--candidates", "3"], "a whole number in digits, from 1 to 2"),
        (["--seed", "-1"], "a whole number in digits, from 0 to 9223372036854775807"),
    ],
)
def test_a_number_that_is_none_is_shown_with_what_is_permitted(monkeypatch, capsys, tmp_path, arguments, permitted):
    option, given = arguments
    said = f"{option}: {given!r} is refused; it must be {permitted}\n"

    _assert_refused(monkeypatch, capsys, tmp_path, *arguments, said=said)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "no lines"),
        (b"\n\n", ""),
        (b"hello world\n", "hello"),
        (b"1\n2\nthree\n", "three"),
        (b"5\n3\n1\n", ""),
        (b"-5\n1\n", "-5"),
        (b"0 -1\n1 2\n", "-1"),
        (b"1 1\n0 1\n", ""),
        (b"[{]", ""),
        (b"[]", ""),
        (b"\x00\xff\xfe binary", "binary"),
        (b"0 nan\n1 nan\n", "nan"),
    ],
)
def test_a_capacity_file_that_is_none_is_refused(monkeypatch, capsys, tmp_path, content, said):
    trace = tmp_path / "capacity.txt"
    trace.write_bytes(content)

    _assert_refused(monkeypatch, capsys, tmp_path, "--network", trace, said=said)


@pytest.mark.parametrize("content", [b"", b"not a video at all", b"\x00" * 4096, b"YUV4MPEG2 W64 H64 F30:1 C420\n"])
@pytest.mark.parametrize("name", ["clip.mp4", "clip.y4m", "clip.webm", "clip.mkv"])
def test_a_clip_file_without_pictures_is_refused(monkeypatch, capsys, tmp_path, name, content):
    clip = tmp_path / name
    clip.write_bytes(content)

    _assert_refused(monkeypatch, capsys, tmp_path, "--clip", clip, said=name)


def test_a_clip_cut_off_before_its_index_is_refused(monkeypatch, capsys, tmp_path):
    whole, cut = tmp_path / "whole.mp4", tmp_path / "cut.mp4"
    status, _, complaint = _rtc(monkeypatch, capsys, "clips", "render", "motion", "--out", whole, "--duration", "1")
    assert status == 0, complaint
    content = whole.read_bytes()

    for kept in (len(content) // 2, len(content) * 99 // 100):
        cut.write_bytes(content[:kept])
        _assert_refused(monkeypatch, capsys, tmp_path, "--clip", cut, said=f"cut.mp4: cut off: {kept} of")


def test_a_clip_damaged_in_the_middle_ends_the_call_in_one_line(monkeypatch, capsys, tmp_path):
    clip = tmp_path / "clip.mp4"
    status, _, complaint = _rtc(monkeypatch, capsys, "clips", "render", "motion", "--out", clip, "--duration", "1")
    assert status == 0, complaint
    content = bytearray(clip.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 3_000] = bytes((index * 7) & 255 for index in range(3_000))
    clip.write_bytes(content)

    out = tmp_path / "out"
    arguments = ("--clip", clip, "--duration", "2", "--one-way", "--no-quality", "--no-video", "--no-report")
    status, printed, complaint = _rtc(monkeypatch, capsys, "call", "--out", out, *arguments)

    assert status == 2
    assert printed == ""
    assert "damaged at picture" in complaint
    assert complaint.strip().splitlines()[-1].startswith("rtc: ")
    assert not (out / "summary.json").exists()


def test_a_folder_is_no_clip(monkeypatch, capsys, tmp_path):
    (tmp_path / "folder").mkdir()

    _assert_refused(monkeypatch, capsys, tmp_path, "--clip", tmp_path / "folder", said="folder")


def test_an_output_folder_that_is_a_file_is_refused(monkeypatch, capsys, tmp_path):
    out = tmp_path / "file"
    out.write_text("mine", encoding="utf-8")

    status, _, complaint = _rtc(monkeypatch, capsys, "call", "--out", out)

    assert status == 2
    assert complaint.count("\n") == 1
    assert out.read_text(encoding="utf-8") == "mine"


def test_an_output_folder_with_something_else_in_it_is_left_alone(monkeypatch, capsys, tmp_path):
    (tmp_path / "letter.txt").write_text("mine", encoding="utf-8")

    status, _, complaint = _rtc(monkeypatch, capsys, "call", "--out", tmp_path)

    assert status == 2
    assert "letter.txt" in complaint
    assert [entry.name for entry in tmp_path.iterdir()] == ["letter.txt"]


def test_an_output_folder_that_cannot_be_made_is_refused(monkeypatch, capsys):
    status, _, complaint = _rtc(monkeypatch, capsys, "call", "--out", "/proc/nothing/here")

    assert status == 2
    assert complaint.count("\n") == 1


def test_a_library_that_is_not_there_is_one_line_before_anything_is_written(monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("RTC_LIBAOM", str(tmp_path / "libaom.so"))
    loader.load.cache_clear()
    try:
        _assert_refused(monkeypatch, capsys, tmp_path, "--codec", "av1", said="RTC_LIBAOM")
    finally:
        loader.load.cache_clear()


def test_no_command_at_all_prints_the_help(monkeypatch, capsys):
    status, printed, complaint = _rtc(monkeypatch, capsys)

    assert status == 2
    assert "call" in printed + complaint
