"""What an operator may set for Telegram, and its name; loads nothing of its library."""

import re
from typing import ClassVar, Final
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, field_validator, model_validator

from bot.settings import PlatformSettings, checked_bind_address

NAME: Final = "telegram"

# Telegram's own rule for secret tokens; 16 characters are the least we take for a secret.
_WEBHOOK_SECRET: Final = re.compile(r"[A-Za-z0-9_-]{16,256}", re.ASCII)


class TelegramSettings(PlatformSettings):
    """What an operator may set for Telegram."""

    telegram_bot_token: SecretStr = SecretStr("")
    telegram_api_base: str = "https://api.telegram.org"
    telegram_drafts: bool = False
    telegram_patience: float = Field(20.0, ge=1.0, le=120.0)
    telegram_webhook_url: str = ""
    telegram_webhook_secret: SecretStr = SecretStr("")
    webhook_bind: str = "127.0.0.1:8080"

    bind_key: ClassVar[str] = "WEBHOOK_BIND"

    @property
    def is_configured(self) -> bool:
        """Whether a bot is configured."""
        return bool(self.telegram_bot_token.get_secret_value())

    def listens_at(self) -> str:
        """Return what the webhook answers; empty while updates are polled for."""
        path = urlsplit(self.telegram_webhook_url).path or "/"
        return f"{self.webhook_bind}{path}" if self.telegram_webhook_url else ""

    @field_validator("telegram_bot_token")
    @classmethod
    def _check_token(cls, given: SecretStr) -> SecretStr:
        bot, _, rest = given.get_secret_value().partition(":")
        if given.get_secret_value() and not (bot.isascii() and bot.isdigit() and rest):
            raise ValueError("a token looks like 123456:ABC-…, as @BotFather gave it")
        return given

    @field_validator("telegram_api_base")
    @classmethod
    def _check_api_base(cls, given: str) -> str:
        if not given.startswith(("https://", "http://")):
            raise ValueError(f"{given!r} is not like https://api.telegram.org")
        return given.rstrip("/")

    @field_validator("webhook_bind")
    @classmethod
    def _check_bind(cls, given: str) -> str:
        return checked_bind_address(given)

    @model_validator(mode="after")
    def _check_webhook(self) -> "TelegramSettings":
        if not self.telegram_webhook_url:
            return self
        # Telegram itself refuses any other address, and the updates hold what people write.
        if not self.telegram_webhook_url.startswith("https://"):
            raise ValueError("TELEGRAM_WEBHOOK_URL must begin with https://")
        if not _WEBHOOK_SECRET.fullmatch(self.telegram_webhook_secret.get_secret_value()):
            raise ValueError(
                "TELEGRAM_WEBHOOK_URL needs TELEGRAM_WEBHOOK_SECRET: 16 to 256 of A-Z a-z 0-9 _ -"
            )
        return self
