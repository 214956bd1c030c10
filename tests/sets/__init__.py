"""Sentences and dialogues written by people who had not read the program."""

import json
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parent


def load_set(name: str) -> list[dict[str, Any]]:
    """Return the cases of a set such as ``truth/plain``, with its locked part if that is there."""
    files = (_FOLDER / f"{name}.jsonl", _FOLDER / f"{name}_locked.jsonl")
    texts = [file.read_text(encoding="utf-8") for file in files if file.exists()]
    return [json.loads(line) for text in texts for line in text.splitlines() if line.strip()]
