"""Buttons under Telegram's limit of what one may carry."""

from pathlib import Path
from typing import Final

from bot.desk.seals import SIGNATURE_LENGTH, ButtonSigner, load_signer

KEY_FILE: Final = "telegram.key"
BUTTON_BYTES: Final = 64
"""Telegram's limit."""


def button_signer(data_dir: Path) -> ButtonSigner:
    """Return the seal of a data folder; raises :class:`memory.errors.StoreUnwritable`."""
    return load_signer(data_dir / KEY_FILE, limit=BUTTON_BYTES)


def is_too_long_for_button(command: str) -> bool:
    """Say whether a command has no room in a button."""
    return len(command.encode()) > BUTTON_BYTES - SIGNATURE_LENGTH
