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


def load_sets(kind: str) -> list[dict[str, Any]]:
    """Return the cases of a kind, such as ``plain``, of every round: ``truth``, ``truth_2``, ….

    With the parts of earlier rounds that were kept apart until they were scored.
    """
    rounds = sorted(folder for folder in _FOLDER.glob("truth*") if folder.is_dir())
    places = [place for each in rounds for place in (each, each / "scored")]
    names = [(place / kind).relative_to(_FOLDER).as_posix() for place in places]
    return [case for name in names for case in load_set(name)]
