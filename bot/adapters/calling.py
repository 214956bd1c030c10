"""Calling her by name, on any platform."""

from typing import Final

BOT_NAMES: Final = ("小祥", "xiaoxiang")


def is_called_by_name(said: str) -> bool:
    """Say whether a text begins or ends with her name.

    >>> is_called("你说呢，小祥？")
    True
    """
    words = said.strip().strip("@,，.。!！?？~～…:： ").lower()
    return words.startswith(BOT_NAMES) or words.endswith(BOT_NAMES)
