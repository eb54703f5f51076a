"""The names of the files that a call leaves in its folder."""

from pathlib import Path

SUMMARY = "summary.json"
TRACE = "trace.jsonl"
TRACE_COMPRESSED = "trace.jsonl.gz"
FRAMES = "frames.parquet"
PACKETS = "packets.parquet"
FILM = "received.mp4"
PAGE = "report.html"
SCENARIO = "scenario.yaml"
RUN = "run.json"
NAMES = frozenset({SUMMARY, TRACE, TRACE_COMPRESSED, FRAMES, PACKETS, FILM, PAGE, SCENARIO, RUN})
UNFINISHED = ".unfinished-"
"""What the name of a file begins with until it is whole."""


def unfinished_path(path: Path) -> Path:
    """The name a file has until it is whole."""
    return path.with_name(f"{UNFINISHED}{path.name}")
