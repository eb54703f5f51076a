"""Golden bytes, by file and name."""

from pathlib import Path

_FOLDER = Path(__file__).parents[2] / "vectors"


def vectors(file_name: str) -> dict[str, bytes]:
    """Every vector of one file."""
    lines = (_FOLDER / f"{file_name}.txt").read_text(encoding="utf-8").splitlines()
    pairs = [line.split(maxsplit=1) for line in lines if line.strip() and not line.startswith("#")]
    return {name: bytes.fromhex(digits) for name, digits in pairs}
