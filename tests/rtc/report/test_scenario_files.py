from pathlib import Path

import pytest
import yaml

from rtc.report.scenario_files import described_scenario, differing_versions, recorded_versions, scenario_document
from rtc.sim.scenario import Scenario
from rtc.values.errors import LocalMisuse

VERSIONS = {"rtc": "0.1.0", "av": "16.1.0", "libaom": "3.13.1"}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("clip.mp4", "link.txt", "wifi", "motion", "0.05"):
        (tmp_path / name).write_text("0 1.0\n")
    return tmp_path


def test_files_are_kept_by_their_place_so_that_the_scenario_runs_from_anywhere(here: Path) -> None:
    scenario = Scenario(clip="clip.mp4", network="./link.txt", delay_trace="link.txt", loss="0.05")
    document = scenario_document(scenario, VERSIONS)
    assert document["versions"] == VERSIONS
    assert {name: document["scenario"][name] for name in ("clip", "network", "delay_trace", "loss")} == {
        "clip": str(here / "clip.mp4"),
        "network": str(here / "link.txt"),
        "delay_trace": str(here / "link.txt"),
        "loss": str(here / "0.05"),
    }


def test_files_are_described_by_their_contents_and_not_their_place(here: Path) -> None:
    described = described_scenario(Scenario(clip="clip.mp4", network=str(here / "link.txt")))
    assert described["clip"].startswith("clip.mp4 (sha256 ")
    assert described["network"].startswith("link.txt (sha256 ")
    assert str(here) not in str(described)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("name", ["clip", "peer_clip"])
def test_a_name_that_wins_over_a_file_stays_a_name(name: str) -> None:
    scenario = Scenario(**{name: "motion"}, network="wifi")
    assert scenario_document(scenario, {})["scenario"] == described_scenario(scenario) == scenario.document()


@pytest.mark.parametrize("value", ["x" * 5_000, "nul\0", "5%", "bursty:0.1:3"])
def test_what_no_file_can_be_called_stays_as_it_is(value: str) -> None:
    assert scenario_document(Scenario(loss=value), {})["scenario"]["loss"] == value


def written(tmp_path: Path, text: str) -> Path:
    (tmp_path / "scenario.yaml").write_text(text)
    return tmp_path / "scenario.yaml"


def test_versions_are_read_back(tmp_path: Path) -> None:
    text = yaml.safe_dump(scenario_document(Scenario(), VERSIONS))
    assert recorded_versions(written(tmp_path, text)) == VERSIONS


@pytest.mark.parametrize("text", ["clip: motion\n", "scenario: {clip: motion}\n", "scenario: {}\nversions: {}\n"])
def test_a_scenario_written_by_hand_has_no_versions(tmp_path: Path, text: str) -> None:
    assert recorded_versions(written(tmp_path, text)) == {}


@pytest.mark.parametrize(
    "versions", ["", "3", "[av]", "{av: 16}", "{16: av}", "{av: [16]}", "2026-01-01", "{av: null}"]
)
def test_versions_that_are_none_are_refused_in_one_line(tmp_path: Path, versions: str) -> None:
    with pytest.raises(LocalMisuse, match=r"^scenario [^\n]*versions must be a mapping[^\n]*$"):
        recorded_versions(written(tmp_path, f"scenario: {{}}\nversions: {versions}\n"))


@pytest.mark.parametrize("line", ["clip: motion", "3: 4", "? [a]\n: b"])
def test_anything_beside_scenario_and_versions_is_refused_in_one_line(tmp_path: Path, line: str) -> None:
    with pytest.raises(LocalMisuse, match=r"^scenario [^\n]*$"):
        recorded_versions(written(tmp_path, f"scenario: {{}}\n{line}\n"))


def test_the_first_versions_that_differ_are_named() -> None:
    recorded = {"rtc": "0.1.0", "av": "15.0.0", "numpy": "1.0", "libaom": "3.0.0", "x264": "1"}
    assert differing_versions(VERSIONS, VERSIONS) == ""
    assert differing_versions(recorded, VERSIONS) == (
        "av 15.0.0 (now 16.1.0), numpy 1.0 (now not used), libaom 3.0.0 (now 3.13.1), 1 more"
    )
