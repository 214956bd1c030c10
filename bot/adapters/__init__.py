"""The platforms of the program: one package each, and the line that lists them."""

from collections.abc import Iterable
from typing import Any, Final

from bot.adapters import console, lark, telegram
from bot.adapters.platform import Platform
from bot.identity import Identities
from bot.settings import Settings, read_settings

PLATFORMS: Final = (console.PLATFORM, telegram.PLATFORM, lark.PLATFORM)


def identities_of(platforms: Iterable[Platform] = PLATFORMS) -> Identities:
    """Return what is known of people, chats and agents on these platforms."""
    return Identities(each.identity for each in platforms)


def read_all_settings(platforms: Iterable[Platform] = PLATFORMS, **given: Any) -> Settings:
    """Return the settings with the sections of these platforms; arguments and errors as there."""
    return read_settings(*(each.settings for each in platforms), **given)
