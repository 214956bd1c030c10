"""Telegram as a platform. Nothing outside this package imports the library it stands on."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Annotated, ClassVar, Final
from urllib.parse import urlsplit

from msgspec import Meta

from bot.adapters.platform import Finding, Platform, PlatformAdapter, SetupQuestions
from bot.identity import Access, PlatformIdentity
from bot.sections import Checks, SecretStr, checked_bind_address
from bot.settings import PlatformSettings, Settings
from bot.texts import desk_link, say, telegram
from memory.errors import InputRefused
from memory.ports import SystemClock

NAME: Final = "telegram"

# Telegram's own rule for secret tokens; 16 characters are the least we take for a secret.
_WEBHOOK_SECRET: Final = re.compile(r"[A-Za-z0-9_-]{16,256}", re.ASCII)


def _checked_token(given: SecretStr) -> SecretStr:
    bot, _, rest = given.get_secret_value().partition(":")
    if given.get_secret_value() and not (bot.isascii() and bot.isdigit() and rest):
        raise InputRefused(telegram.WRONG_TOKEN)
    return given


def _checked_api_base(given: str) -> str:
    if not given.startswith(("https://", "http://")):
        raise InputRefused(telegram.WRONG_BASE, given=repr(given))
    return given.rstrip("/")


class TelegramSettings(PlatformSettings, frozen=True, kw_only=True):
    """What an operator may set for Telegram."""

    telegram_bot_token: SecretStr = SecretStr("")
    telegram_api_base: str = "https://api.telegram.org"
    telegram_drafts: bool = False
    telegram_patience: Annotated[float, Meta(ge=1.0, le=120.0)] = 20.0
    telegram_webhook_url: str = ""
    telegram_webhook_secret: SecretStr = SecretStr("")
    webhook_bind: str = "127.0.0.1:8080"

    bind_key: ClassVar[str] = "WEBHOOK_BIND"
    checks: ClassVar[Checks] = {
        "telegram_bot_token": _checked_token,
        "telegram_api_base": _checked_api_base,
        "webhook_bind": checked_bind_address,
    }
    needs: ClassVar[Mapping[str, str]] = {
        "telegram_webhook_url": "telegram_bot_token",
        "telegram_webhook_secret": "telegram_webhook_url",
    }

    @property
    def is_configured(self) -> bool:
        """Whether a bot is configured."""
        return bool(self.telegram_bot_token.get_secret_value())

    def listens_at(self) -> str:
        """Return what the webhook answers; empty while updates are polled for."""
        path = urlsplit(self.telegram_webhook_url).path or "/"
        return f"{self.webhook_bind}{path}" if self.telegram_webhook_url else ""

    def __post_init__(self) -> None:
        if not self.telegram_webhook_url:
            return
        # Telegram itself refuses any other address, and the updates hold what people write.
        if not self.telegram_webhook_url.startswith("https://"):
            raise InputRefused(telegram.WRONG_WEBHOOK)
        if not _WEBHOOK_SECRET.fullmatch(self.telegram_webhook_secret.get_secret_value()):
            raise InputRefused(telegram.WEBHOOK_SECRET)


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
