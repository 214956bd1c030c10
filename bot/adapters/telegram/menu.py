"""The menu of commands beside the input field, in both languages, one for each kind of person."""

from collections.abc import Collection, Iterator
from typing import Final

from telegram import (
    BotCommand,
    BotCommandScope,
    BotCommandScopeAllChatAdministrators,
    BotCommandScopeAllGroupChats,
    BotCommandScopeAllPrivateChats,
    BotCommandScopeChat,
)

from bot.access import AccessLevel
from bot.adapters.telegram.api import BotApi, translated_errors
from bot.desk.desk import menu
from memory.settings import Language

MENU_LANGUAGES: Final[tuple[tuple[Language, str], ...]] = (("zh", ""), ("zh", "zh"), ("en", "en"))
"""What each language of an app is shown; the first is for every other."""

LONGEST_DESCRIPTION: Final = 256
"""Characters of what is said of a command."""


async def set_menus(bot: BotApi, owners: Collection[int]) -> None:
    """Tell Telegram which commands to offer where: those that may be given there."""
    for scope, standing, private in _menu_scopes(owners):
        for language, code in MENU_LANGUAGES:
            lines = menu(standing, language, private=private)
            commands = [BotCommand(name, line[:LONGEST_DESCRIPTION]) for name, line in lines]
            with translated_errors():
                await bot.set_my_commands(commands, scope=scope, language_code=code or None)


def _menu_scopes(owners: Collection[int]) -> Iterator[tuple[BotCommandScope, AccessLevel, bool]]:
    yield BotCommandScopeAllPrivateChats(), AccessLevel.ALLOWED, True
    yield BotCommandScopeAllGroupChats(), AccessLevel.ALLOWED, False
    yield BotCommandScopeAllChatAdministrators(), AccessLevel.ADMIN, False
    for owner in owners:
        yield BotCommandScopeChat(owner), AccessLevel.OWNER, True
