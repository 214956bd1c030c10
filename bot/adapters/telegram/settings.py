"""What an operator may set for Telegram, and its name; loads nothing of its library."""

import re
from typing import Annotated, ClassVar, Final
from urllib.parse import urlsplit

from msgspec import Meta

from bot.sections import Checks, SecretStr, checked_bind_address
from bot.settings import PlatformSettings

NAME: Final = "telegram"

# Telegram's own rule for secret tokens; 16 characters are the least we take for a secret.
_WEBHOOK_SECRET: Final = re.compile(r"[A-Za-z0-9_-]{16,256}", re.ASCII)


def _checked_token(given: SecretStr) -> SecretStr:
    bot, _, rest = given.get_secret_value().partition(":")
    if given.get_secret_value() and not (bot.isascii() and bot.isdigit() and rest):
        raise ValueError("a token looks like 123456:ABC-…, as @BotFather gave it")
    return given


def _checked_api_base(given: str) -> str:
    if not given.startswith(("https://", "http://")):
        raise ValueError(f"{given!r} is not like https://api.telegram.org")
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
            raise ValueError("TELEGRAM_WEBHOOK_URL must begin with https://")
        if not _WEBHOOK_SECRET.fullmatch(self.telegram_webhook_secret.get_secret_value()):
            raise ValueError(
                "TELEGRAM_WEBHOOK_URL needs TELEGRAM_WEBHOOK_SECRET: 16 to 256 of A-Z a-z 0-9 _ -"
            )
