"""`summary.json`: the same for the same seed, scenario and versions, wherever and whenever the call runs."""

from collections.abc import Mapping
from typing import Any

from rtc.metrics.direction_summary import DirectionSummary

SCHEMA = 1


def summary_document(
    *,
    seed: int,
    versions: Mapping[str, str],
    scenario: Mapping[str, Any],
    directions: Mapping[str, DirectionSummary],
) -> dict[str, Any]:
    """The document; `scenario` is plain JSON values without paths of this machine or times of day."""
    return {
        "schema": SCHEMA,
        "seed": seed,
        "versions": dict(versions),
        "scenario": dict(scenario),
        "directions": {name: summary.model_dump(mode="json") for name, summary in directions.items()},
    }
