"""The terminal as a platform."""

from typing import Final

from bot.adapters.platform import Platform
from bot.identity import PlatformIdentity
from bot.texts import desk_link

NAME: Final = "console"

PLATFORM: Final = Platform(
    identity=PlatformIdentity(name=NAME, title=desk_link.TERMINAL, is_local=True)
)
"""``xiaoxiang chat`` opens it itself, since a terminal belongs to one person: nothing to build."""
