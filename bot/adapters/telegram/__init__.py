"""Telegram as a platform. Nothing outside this package imports the library it stands on."""

import re
from collections.abc import Callable, Collection, Iterator
from typing import Final

from bot.adapters.platform import Finding, Platform, PlatformAdapter, SetupQuestions
from bot.adapters.telegram.settings import NAME, TelegramSettings
from bot.identity import Access, PlatformIdentity
from bot.settings import Settings
from bot.texts import desk_link, say, telegram
from memory.ports import SystemClock


def _build_adapter(
    settings: Settings, access: Access, announce: Callable[[str], object]
) -> PlatformAdapter:
    from bot.adapters.telegram.adapter import TelegramAdapter, TelegramOptions
    from bot.adapters.telegram.updates import TelegramWebhookOptions

    own = settings.section(TelegramSettings)
    webhook = TelegramWebhookOptions(
        url=own.telegram_webhook_url,
        secret=own.telegram_webhook_secret.get_secret_value(),
        bind=own.webhook_bind,
    )
    options = TelegramOptions(
        token=own.telegram_bot_token.get_secret_value(),
        api_base=own.telegram_api_base,
        data_dir=settings.data_dir,
        language=settings.language,
        webhook=webhook if webhook.url else None,
        drafts=own.telegram_drafts,
        call_seconds=own.telegram_patience,
    )
    return TelegramAdapter(options, access, SystemClock(), announce=announce)


def _check_setup(settings: Settings, owners: Collection[str]) -> Iterator[Finding]:
    own = settings.section(TelegramSettings)
    if not own.is_configured:
        yield Finding(good=True, text=say(settings.language, telegram.NO_TOKEN))
        return
    from bot.adapters.telegram.api import telegram_findings

    yield from telegram_findings(
        own.telegram_bot_token.get_secret_value(),
        own.telegram_api_base,
        own.telegram_webhook_url,
        settings.language,
        owned=bool(owners),
    )


def _ask(questions: SetupQuestions) -> None:
    from bot.adapters.telegram.setup import ask_for_telegram

    ask_for_telegram(questions)


PLATFORM: Final = Platform(
    identity=PlatformIdentity(
        name=NAME,
        title=desk_link.TELEGRAM,
        agent_prefix="tg",
        id_pattern=re.compile(r"-?[1-9][0-9]{0,19}", re.ASCII),
        id_example="telegram:123456",
        export_prefix="user",
        shared_ids={
            "1087968824": "every anonymous group admin",
            "136817688": "everyone who writes as a channel",
            "777000": "Telegram itself",
        },
    ),
    settings=TelegramSettings,
    setup=telegram.SETUP,
    build=_build_adapter,
    check=_check_setup,
    ask=_ask,
    library="telegram",
)
