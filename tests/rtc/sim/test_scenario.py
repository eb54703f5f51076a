import os

import pytest

from rtc.sim.scenario import Scenario
from rtc.values.errors import LocalMisuse


def test_a_scenario_survives_its_own_document():
    scenario = Scenario.of({"size": "320x180", "loss": "5%", "codec": "h264", "one_way": True})

    assert Scenario.of(scenario.document()) == scenario


def test_a_file_gives_the_fields_it_names(tmp_path):
    path = tmp_path / "scenario.yaml"
    path.write_text("clip: screen\nduration: 3\n", encoding="utf-8")

    assert Scenario.read(path) == {"clip": "screen", "duration": 3}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "- a\n- b\n",
        "just words",
        "{unclosed",
        "1: 2\n",
        "scenario: 5\n",
        "\x00",
        "[" * 5_000,
        "seed: " + "9" * 5_000,
        "x" * 100_000,
    ],
    ids=range(10),
)
def test_a_file_that_is_no_scenario_is_refused_in_one_line(tmp_path, text):
    path = tmp_path / "scenario.yaml"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(LocalMisuse, match="scenario") as refused:
        Scenario.read(path)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 500


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("size", "641x360", "odd"),
        ("size", "0x0", "out of range"),
        ("size", "-640x360", "not a size"),
        ("size", "90000x90000", "out of range"),
        ("size", "640", "not a size"),
        ("fps", 0, "fps"),
        ("fps", -1, "fps"),
        ("fps", 100_000, "fps"),
        ("fps", "many", "fps"),
        ("duration", 0, "duration"),
        ("duration", -5, "duration"),
        ("duration", 1e9, "duration"),
        ("duration", "nan", "duration"),
        ("target_kbps", 0, "target-kbps"),
        ("target_kbps", 10**9, "target-kbps"),
        ("target_kbps", 100_001, "target-kbps"),
        ("target_kbps", "nan", "target-kbps"),
        ("target_kbps", float("nan"), "target-kbps"),
        ("candidates", 0, "candidates"),
        ("candidates", 3, "candidates"),
        ("candidates", "two", "candidates"),
        ("candidates", True, "candidates"),
        ("capacity_kbps", -1, "capacity-kbps"),
        ("rtt_ms", -1, "rtt-ms"),
        ("rtt_ms", "inf", "rtt-ms"),
        ("codec", "vp9", "av1"),
        ("seed", -1, "seed"),
        ("colour", "red", "not known"),
        ("c" * 5_000, "red", "not known"),
        ("size", "9" * 5_000, "not a size"),
        ("fps", [1] * 5_000, "fps"),
        ("seed", True, "seed"),
        ("duration", False, "duration"),
    ],
)
def test_a_wrong_field_is_refused_in_one_line_that_names_it(field, value, said):
    with pytest.raises(LocalMisuse) as refused:
        Scenario.of({field: value})
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 500


def test_a_scenario_file_that_is_a_pipe_does_not_block(tmp_path):
    pipe = tmp_path / "pipe.yaml"
    os.mkfifo(pipe)

    with pytest.raises(LocalMisuse, match="not a regular file"):
        Scenario.read(pipe)


def test_aliases_that_grow_without_end_are_refused_in_a_short_line(tmp_path):
    path = tmp_path / "bomb.yaml"
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 6)]
    path.write_text("\n".join([*lines, "clip: *a5"]), encoding="utf-8")

    with pytest.raises(LocalMisuse) as refused:
        Scenario.of(Scenario.read(path))
    assert len(str(refused.value)) < 500


def test_candidates_under_native_rate_control_are_refused():
    with pytest.raises(LocalMisuse, match="candidates"):
        Scenario.of({"candidates": 2, "rate_control": "native"})


def test_a_peer_clip_that_nobody_would_see_is_refused():
    with pytest.raises(LocalMisuse, match="one-way"):
        Scenario.of({"one_way": True, "peer_clip": "screen"})
