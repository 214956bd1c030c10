"""Sets of examples written outside the project, one JSON object a line."""

import json
from pathlib import Path
from typing import Any, Final

_FOLDER: Final = Path(__file__).parent / "truth"


def load_set(name: str) -> list[dict[str, Any]]:
    """Return the examples of ``<name>.jsonl``, and of ``<name>_locked.jsonl`` if it is there."""
    files = (_FOLDER / f"{name}.jsonl", _FOLDER / f"{name}_locked.jsonl")
    lines = [
        line for each in files if each.exists() for line in each.read_text("utf-8").splitlines()
    ]
    return [json.loads(line) for line in lines if line.strip()]
