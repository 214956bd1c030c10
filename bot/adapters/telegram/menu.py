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

from bot.access import Standing
from bot.adapters.telegram.api import BotApi, translated
from bot.desk.desk import menu
from memory.settings import Language

LANGUAGES: Final[tuple[tuple[Language, str], ...]] = (("zh", ""), ("zh", "zh"), ("en", "en"))
"""What each language of an app is shown; the first is for every other."""

LONGEST: Final = 256
"""Characters of what is said of a command."""


async def set_menus(bot: BotApi, owners: Collection[int]) -> None:
    """Tell Telegram which commands to offer where: those that may be given there."""
    for scope, standing, private in _scopes(owners):
        for language, code in LANGUAGES:
            lines = menu(standing, language, private=private)
            commands = [BotCommand(name, line[:LONGEST]) for name, line in lines]
            with translated():
                await bot.set_my_commands(commands, scope=scope, language_code=code or None)


def _scopes(owners: Collection[int]) -> Iterator[tuple[BotCommandScope, Standing, bool]]:
    yield BotCommandScopeAllPrivateChats(), Standing.ALLOWED, True
    yield BotCommandScopeAllGroupChats(), Standing.ALLOWED, False
    yield BotCommandScopeAllChatAdministrators(), Standing.ADMIN, False
    for owner in owners:
        yield BotCommandScopeChat(owner), Standing.OWNER, True
