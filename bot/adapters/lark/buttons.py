"""Buttons of cards: the whole command, sealed, in the value that a press brings back."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from bot.desk.seals import ButtonSigner, load_signer

KEY_FILE: Final = "lark.key"
BUTTON_BYTES: Final = 4096
"""Lark names no limit; a card must stay within its own."""

COMMAND_FIELD: Final = "command"


def button_signer(data_dir: Path) -> ButtonSigner:
    """Return the seal of a data folder; raises :class:`memory.errors.StoreUnwritable`."""
    return load_signer(data_dir / KEY_FILE, limit=BUTTON_BYTES)


def button_value(data: str) -> dict[str, str]:
    """Return what a button carries."""
    return {COMMAND_FIELD: data}


def button_data(value: object) -> str:
    """Return the sealed command of a button that was pressed; empty if it carries none."""
    data = value.get(COMMAND_FIELD) if isinstance(value, Mapping) else None
    return data if isinstance(data, str) else ""
