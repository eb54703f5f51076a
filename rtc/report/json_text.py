"""JSON as this project writes it."""

import json
from collections.abc import Mapping
from typing import Any


def json_text(document: Mapping[str, Any]) -> str:
    """A JSON document as files and standard output hold it; refuses NaN and infinity, which JSON does not have."""
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
