"""Calling her by name, on any platform."""

from typing import Final

NAMES: Final = ("小祥", "xiaoxiang")


def is_called(said: str) -> bool:
    """Say whether a text begins or ends with her name.

    >>> is_called("你说呢，小祥？")
    True
    """
    words = said.strip().strip("@,，.。!！?？~～…:： ").lower()
    return words.startswith(NAMES) or words.endswith(NAMES)
