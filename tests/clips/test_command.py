import json

import pytest
from typer.testing import CliRunner

from rtc.cli.clips import app
from rtc.values.errors import LocalMisuse

run = CliRunner()


def test_the_list_names_every_clip():
    shown = run.invoke(app, ["list"])

    assert shown.exit_code == 0
    assert all(
        name in shown.stdout for name in ("talking_head", "screen", "motion", "low_light", "scene_cut", "camera")
    )


def test_the_list_as_json_is_json_alone():
    document = json.loads(run.invoke(app, ["list", "--json"]).stdout)

    assert document["clips"][0]["name"] == "talking_head"
    assert all(clip["description"] for clip in document["clips"])


@pytest.mark.parametrize("name", ["it.y4m", "it.png"])
def test_a_clip_is_rendered_at_the_size_and_length_asked_for(tmp_path, name):
    out = tmp_path / name
    arguments = ["render", "screen", "--out", str(out), "--size", "64x36", "--fps", "10", "--duration", "0.5"]

    assert run.invoke(app, arguments, catch_exceptions=False).exit_code == 0
    assert out.stat().st_size > 0
    if name == "it.y4m":
        assert out.read_bytes().count(b"FRAME\n") == 5


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nobody", "--out", "it.mp4"], "no clip and no file of that name"),
        (["screen", "--out", "it.doc"], "must end in"),
        (["screen", "--out", "it.mp4", "--size", "65x36"], "odd side"),
        (["screen", "--out", "it.mp4", "--size", "big"], "WIDTHxHEIGHT"),
        (["screen", "--out", "it.mp4", "--duration", "0"], "must be more than 0"),
        (["screen", "--out", "it.mp4", "--duration", "nan"], "must be more than 0"),
        (["screen", "--out", "it.mp4", "--duration", "1e9"], "at most 3600 s"),
        (["screen", "--out", "it.mp4", "--fps", "0"], "frames a second"),
        (["screen", "--out", "it.png", "--frame", "-1"], "--frame -1"),
    ],
)
def test_bad_input_is_one_line_and_writes_nothing(tmp_path, monkeypatch, arguments, says):
    monkeypatch.chdir(tmp_path)

    with pytest.raises(LocalMisuse, match=says) as caught:
        run.invoke(app, ["render", *arguments], catch_exceptions=False)
    assert "\n" not in str(caught.value)
    assert not list(tmp_path.iterdir())
