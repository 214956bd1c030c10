"""Buttons of cards: the whole command, sealed, in the value that a press brings back."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from bot.desk.seals import Seal, kept_seal

KEY_FILE: Final = "lark.key"
DATA_BYTES: Final = 4096
"""Lark names no limit; a card must stay within its own."""

FIELD: Final = "command"


def seal_of(data_dir: Path) -> Seal:
    """Return the seal of a data folder; raises :class:`memory.errors.StoreUnwritable`."""
    return kept_seal(data_dir / KEY_FILE, limit=DATA_BYTES)


def value_of(data: str) -> dict[str, str]:
    """Return what a button carries."""
    return {FIELD: data}


def data_of(value: object) -> str:
    """Return the sealed command of a button that was pressed; empty if it carries none."""
    data = value.get(FIELD) if isinstance(value, Mapping) else None
    return data if isinstance(data, str) else ""
