"""What the doctor asks Telegram: who the bot is, what it may read, where updates go."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from bot.adapters.calls import PlatformError
from bot.adapters.platform import Finding
from bot.adapters.telegram.api import bot_api, translated_errors
from bot.conversation.delivery import FailureReason
from bot.texts import say
from bot.texts import telegram as texts
from memory.model import Language

CHECK_SECONDS: Final = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TelegramCheck:
    """What Telegram says; ``failure`` is why it says nothing, if that is so."""

    name: str = ""
    reads_groups: bool = False
    webhook: str = ""
    failure: FailureReason | None = None


async def check_telegram(token: str, api_base: str) -> TelegramCheck:
    """Ask, without changing anything and without taking a single message."""
    bot = bot_api(token, api_base, seconds=CHECK_SECONDS)
    try:
        with translated_errors():
            me = await bot.get_me()
            hook = await bot.get_webhook_info()
    except PlatformError as error:
        return TelegramCheck(failure=error.reason)
    finally:
        await bot.disconnect()
    return TelegramCheck(
        name=me.name,
        reads_groups=bool(me.can_read_all_group_messages),
        webhook=hook.url,
    )


def telegram_findings(
    token: str, api_base: str, webhook_url: str, language: Language, *, owned: bool
) -> Iterator[Finding]:
    """Check the token, who owns the program, what it sees in groups and where updates go."""
    found = asyncio.run(check_telegram(token, api_base))
    if found.failure:
        bad = texts.TOKEN_REFUSED if found.failure == "token_refused" else texts.BOT_BAD
        yield Finding(good=False, text=say(language, bad, why=found.failure))
        return
    yield Finding(good=True, text=say(language, texts.BOT_GOOD, name=found.name))
    owner = texts.OWNER_KNOWN if owned else texts.OWNER_WANTED
    yield Finding(good=owned, text=say(language, owner))
    privacy = texts.PRIVACY_OFF if found.reads_groups else texts.PRIVACY_ON
    yield Finding(good=True, text=say(language, privacy))
    # Good all the same: `run` takes the webhook over, and the operator may want that.
    if found.webhook and found.webhook != webhook_url:
        yield Finding(good=True, text=say(language, texts.WEBHOOK_ELSEWHERE, url=found.webhook))
