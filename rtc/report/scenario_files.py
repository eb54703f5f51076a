"""A scenario as a call's files hold it: each file by its contents, or by its place with versions beside it."""

import hashlib
import os.path
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import yaml

from clips.camera import camera_number
from clips.catalogue import catalogue
from netem.presets import preset_names
from rtc.sim.scenario import Scenario
from rtc.values.errors import LocalMisuse

_MOST_NAMED: Final = 3
"""Versions that a line names before it becomes too long to read."""
SCENARIO_KEY, VERSIONS_KEY = "scenario", "versions"


def _is_clip(value: str) -> bool:
    return value in {entry.name for entry in catalogue()} or camera_number(value) is not None


FILE_FIELDS: Final[Mapping[str, Callable[[str], bool]]] = {
    "clip": _is_clip,
    "peer_clip": _is_clip,
    "network": lambda value: value in preset_names(),
    "loss": lambda _value: False,
    "delay_trace": lambda _value: False,
}
"""Options that may name a file, and what wins over a file of the same name."""


def described_scenario(scenario: Scenario) -> dict[str, Any]:
    """The scenario with each file named by its last part and contents, the same wherever the file lies."""
    document = scenario.document()
    for field, value in _files(document):
        with Path(value).open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()[:16]
        document[field] = f"{Path(value).name} (sha256 {digest})"
    return document


def scenario_document(scenario: Scenario, versions: Mapping[str, str]) -> dict[str, Any]:
    """What `scenario.yaml` holds: runs again from any folder of this machine."""
    document = scenario.document()
    for field, value in _files(document):
        document[field] = str(Path(value).absolute())
    return {SCENARIO_KEY: document, VERSIONS_KEY: dict(versions)}


def _files(document: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for field, wins_over_files in FILE_FIELDS.items():
        value = document[field]
        if value is not None and not wins_over_files(value) and os.path.isfile(value):  # noqa: PTH113 - False for a name no file can have
            yield field, value


def recorded_versions(path: Path) -> dict[str, str]:
    """The versions that a scenario file was written with; empty where it holds options alone.

    The file has been read as a scenario before. Raises LocalMisuse, one line, for anything beside scenario and
    versions, or versions that are no mapping of names to texts.
    """
    if not path.is_file():  # a pipe has been read already
        return {}
    try:
        document = yaml.safe_load(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise LocalMisuse(f"scenario {path}: cannot be read as YAML ({type(error).__name__})") from None
    if not isinstance(document, dict) or SCENARIO_KEY not in document:
        return {}
    unknown = next((key for key in document if key not in {SCENARIO_KEY, VERSIONS_KEY}), None)
    if unknown is not None:
        raise LocalMisuse(f"scenario {path}: {unknown!r} is not known; there are {SCENARIO_KEY} and {VERSIONS_KEY}")
    versions = document.get(VERSIONS_KEY, {})
    if not isinstance(versions, dict) or not all(isinstance(text, str) for item in versions.items() for text in item):
        raise LocalMisuse(
            f"scenario {path}: {VERSIONS_KEY} must be a mapping of names to texts, such as `av: '16.1.0'`"
        )
    return dict(versions)


def differing_versions(recorded: Mapping[str, str], used: Mapping[str, str]) -> str:
    """`av 15.1.0 (now 16.1.0)` for the first few that differ; empty when none does."""
    differing = [name for name, version in recorded.items() if used.get(name) != version]
    named = [f"{name} {recorded[name]} (now {used.get(name, 'not used')})" for name in differing[:_MOST_NAMED]]
    more = len(differing) - len(named)
    return ", ".join([*named, f"{more} more"] if more else named)
