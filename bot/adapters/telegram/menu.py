"""The menu of commands beside the input field, in both languages, one for each kind of person."""

from collections.abc import Callable, Collection, Iterator
from typing import Final

from telegram import (
    BotCommand,
    BotCommandScope,
    BotCommandScopeAllGroupChats,
    BotCommandScopeAllPrivateChats,
    BotCommandScopeChat,
)

from bot.adapters.telegram.api import BotApi, translated
from bot.texts import say
from bot.texts import telegram as texts
from memory.settings import Language

LANGUAGES: Final[tuple[tuple[Language, str], ...]] = (("zh", ""), ("zh", "zh"), ("en", "en"))
"""What each language of an app is shown; the first is for every other."""

DESCRIPTIONS: Final = {
    "memory": texts.MENU_MEMORY,
    "remember": texts.MENU_REMEMBER,
    "forget": texts.MENU_FORGET,
    "why": texts.MENU_WHY,
    "undo": texts.MENU_UNDO,
    "reset": texts.MENU_RESET,
    "link": texts.MENU_LINK,
    "unlink": texts.MENU_UNLINK,
    "status": texts.MENU_STATUS,
    "agents": texts.MENU_AGENTS,
    "backup": texts.MENU_BACKUP,
    "restore_backup": texts.MENU_RESTORE_BACKUP,
    "limits": texts.MENU_LIMITS,
    "help": texts.MENU_HELP,
}
OWNERS_ONLY: Final = frozenset({"status", "agents", "backup", "restore_backup", "limits"})
PRIVATE_ONLY: Final = frozenset({"link", "unlink", "why"}) | OWNERS_ONLY


async def set_menus(bot: BotApi, names: Collection[str], owners: Collection[int]) -> None:
    """Tell Telegram which commands to offer; of those the desk knows, none that it does not."""
    known = [name for name in DESCRIPTIONS if name in names]
    for scope, offered in _scopes(owners):
        shown = [name for name in known if offered(name)]
        for language, code in LANGUAGES:
            commands = [BotCommand(name, say(language, DESCRIPTIONS[name])) for name in shown]
            with translated():
                await bot.set_my_commands(commands, scope=scope, language_code=code or None)


def _scopes(owners: Collection[int]) -> Iterator[tuple[BotCommandScope, Callable[[str], bool]]]:
    yield BotCommandScopeAllPrivateChats(), lambda name: name not in OWNERS_ONLY
    yield BotCommandScopeAllGroupChats(), lambda name: name not in PRIVATE_ONLY
    for owner in owners:
        yield BotCommandScopeChat(owner), lambda _: True
