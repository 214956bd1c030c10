"""Buttons under Telegram's limit of what one may carry."""

from pathlib import Path
from typing import Final

from bot.desk.seals import AROUND, Seal, kept_seal

KEY_FILE: Final = "telegram.key"
DATA_BYTES: Final = 64
"""Telegram's limit."""


def seal_of(data_dir: Path) -> Seal:
    """Return the seal of a data folder; raises :class:`memory.errors.StoreUnwritable`."""
    return kept_seal(data_dir / KEY_FILE, limit=DATA_BYTES)


def is_too_long(command: str) -> bool:
    """Say whether a command has no room in a button."""
    return len(command.encode()) > DATA_BYTES - AROUND
