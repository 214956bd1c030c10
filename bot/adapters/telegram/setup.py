"""Telegram's part of ``xiaoxiang setup``: the token is tried, and who writes first may own her."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from time import monotonic
from typing import Any, Final

from bot.adapters.calls import PlatformError
from bot.adapters.platform import SetupQuestions
from bot.adapters.telegram import NAME, TelegramSettings
from bot.adapters.telegram.api import (
    MARGIN_SECONDS,
    bot_api,
    telegram_findings,
    translated_errors,
)
from bot.texts import setup as texts

WAIT_SECONDS: Final = 120
"""How long the first message is waited for."""

_POLL_SECONDS: Final = 10.0


@dataclass(frozen=True, slots=True)
class SeenChat:
    """Who wrote, or a group in which somebody did: its id, and how people call it."""

    id: int
    name: str
    is_private: bool


def ask_for_telegram(questions: SetupQuestions) -> None:
    """Ask for the token, try it, and wait for the owner's first message."""
    questions.ask_for("TELEGRAM_BOT_TOKEN", texts.TELEGRAM, secret=True)
    own = questions.settings.section(TelegramSettings)
    if not own.is_configured:
        return
    token, base = own.telegram_bot_token.get_secret_value(), own.telegram_api_base
    owned = f"{NAME}:" in questions.known("OWNER_IDS")
    found = list(
        telegram_findings(token, base, own.telegram_webhook_url, questions.language, owned=True)
    )
    if not questions.tell_findings(found) or owned:
        return
    _find_owner(questions, token, base)


def _find_owner(questions: SetupQuestions, token: str, base: str) -> None:
    """Wait for the first private message; its sender becomes the owner if they say so."""
    until, seen = monotonic() + WAIT_SECONDS, frozenset[int]()
    try:
        questions.tell(texts.BOT_LINK, link=asyncio.run(_link_to_her(token, base)))
        questions.tell(texts.WRITE_TO_HER, seconds=WAIT_SECONDS)
        while new := asyncio.run(_wait_for_chats(token, base, seen, until - monotonic())):
            for chat in new:
                if _is_owner(questions, chat):
                    return
            seen |= {chat.id for chat in new}
    except PlatformError as error:
        questions.tell(texts.NOT_TAKEN, why=error.reason)
    questions.tell(texts.NOBODY_WROTE)


def _is_owner(questions: SetupQuestions, chat: SeenChat) -> bool:
    """Ask whether who wrote is the owner, and if so write it down; a group is only named."""
    identity = f"{NAME}:{chat.id}"
    if not chat.is_private:
        questions.tell(texts.GROUP_SEEN, name=chat.name, id=identity)
        return False
    if not questions.confirm(texts.IS_IT_YOU, name=chat.name, id=identity):
        return False
    questions.add_id("OWNER_IDS", identity)
    questions.tell(texts.OWNER_MADE, id=identity)
    return True


async def _link_to_her(token: str, base: str) -> str:
    bot = bot_api(token, base)
    try:
        with translated_errors():
            return f"https://t.me/{(await bot.get_me()).username}"
    finally:
        await bot.disconnect()


async def _wait_for_chats(
    token: str, base: str, seen: frozenset[int], seconds: float
) -> list[SeenChat]:
    """Return the chats in which somebody wrote and which are not ``seen``; none after a while.

    Nothing is confirmed: what people wrote is answered by ``run``.
    """
    bot = bot_api(token, base)
    try:
        async with asyncio.timeout(max(seconds, 0.0)):
            while True:
                with translated_errors():
                    updates = await bot.fetch_updates(None, _POLL_SECONDS, MARGIN_SECONDS)
                new = {chat.id: chat for chat in _chats_of(updates) if chat.id not in seen}
                if new:
                    return list(new.values())
                # The same updates come at once, again and again, until the program takes them.
                await asyncio.sleep(1)
    except TimeoutError:
        return []
    finally:
        await bot.disconnect()


def _chats_of(updates: list[Any]) -> Iterator[SeenChat]:
    for update in updates:
        message = update.get("message") if isinstance(update, dict) else None
        chat = message.get("chat") if isinstance(message, dict) else None
        if not isinstance(message, dict) or not isinstance(chat, dict):
            continue
        number, private = chat.get("id"), chat.get("type") == "private"
        if isinstance(number, int):
            called = message.get("from") if private else chat
            named = called if isinstance(called, dict) else {}
            name = str(named.get("first_name") or named.get("title") or number)
            # A name comes from a stranger: it must do nothing in a terminal.
            yield SeenChat(number, "".join(filter(str.isprintable, name))[:64], private)
