"""The only reader of the environment. ``.env.example`` documents every key; unset keys default."""

import re
from pathlib import Path
from typing import Annotated, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from memory.errors import InputRefused
from memory.keys import Keys
from memory.settings import AgentSettings, Language, LawName
from memory.stores.backups import KEPT

WEBHOOK_SECRET: Final = re.compile(r"[A-Za-z0-9_-]{16,256}", re.ASCII)
PORTS: Final = 65_536


class Settings(BaseSettings):
    """Everything an operator may set, read once at start and frozen."""

    model_config = SettingsConfigDict(
        env_file=".env", env_file_encoding="utf-8", extra="ignore", frozen=True
    )

    llm_base_url: str = ""
    llm_api_key: SecretStr = SecretStr("")
    llm_model: str = ""
    llm_background_model: str = ""
    llm_fallback_model: str = ""
    vision_model: str = ""
    embedding_base_url: str = ""
    embedding_api_key: SecretStr = SecretStr("")
    embedding_model: str = ""
    transcription_base_url: str = ""
    transcription_api_key: SecretStr = SecretStr("")
    transcription_model: str = ""
    llm_context_tokens: Annotated[int, Field(ge=2_000, le=10_000_000)] = 16_000
    daily_token_limit: Annotated[int, Field(ge=0)] = 0
    telegram_bot_token: SecretStr = SecretStr("")
    telegram_api_base: str = "https://api.telegram.org"
    telegram_drafts: bool = False
    telegram_webhook_url: str = ""
    telegram_webhook_secret: SecretStr = SecretStr("")
    webhook_bind: str = "127.0.0.1:8080"
    owner_ids: str = ""
    allowed_ids: str = ""
    group_listen: bool = True
    gather_after_minutes: Annotated[int, Field(ge=1, le=1440)] = 10
    data_dir: Path = Path("data")
    backups_kept: Annotated[int, Field(ge=1, le=10_000)] = KEPT
    memory_law: LawName = "tiers"
    timezone: str = "Asia/Shanghai"
    language: Language = "zh"
    capture_notice: bool = True
    persona_file: Path | None = None
    memory_key_file: Path | None = None

    @field_validator("memory_key_file")
    @classmethod
    def _key_file(cls, given: Path | None) -> Path | None:
        return given.expanduser() if given and given != Path() else None

    @field_validator("timezone")
    @classmethod
    def _zone(cls, given: str) -> str:
        try:
            ZoneInfo(given)
        except (ZoneInfoNotFoundError, ValueError) as error:
            raise ValueError(f"{given!r} is no time zone; try Asia/Shanghai") from error
        return given

    @field_validator("telegram_bot_token")
    @classmethod
    def _token(cls, given: SecretStr) -> SecretStr:
        bot, _, rest = given.get_secret_value().partition(":")
        if given.get_secret_value() and not (bot.isascii() and bot.isdigit() and rest):
            raise ValueError("a token looks like 123456:ABC-…, as @BotFather gave it")
        return given

    @model_validator(mode="after")
    def _model_named(self) -> "Settings":
        if self.llm_base_url and not self.llm_model:
            raise ValueError("LLM_BASE_URL is set but LLM_MODEL is not: name the model to use")
        return self

    @field_validator("telegram_api_base")
    @classmethod
    def _api(cls, given: str) -> str:
        if not given.startswith(("https://", "http://")):
            raise ValueError(f"{given!r} is not like https://api.telegram.org")
        return given.rstrip("/")

    @field_validator("webhook_bind")
    @classmethod
    def _address(cls, given: str) -> str:
        host, _, port = given.rpartition(":")
        if not (host and port.isascii() and port.isdigit() and int(port) < PORTS):
            raise ValueError("write host:port, like 127.0.0.1:8080")
        return given

    @model_validator(mode="after")
    def _webhook_guarded(self) -> "Settings":
        if not self.telegram_webhook_url:
            return self
        if not self.telegram_webhook_url.startswith("https://"):
            raise ValueError("TELEGRAM_WEBHOOK_URL must begin with https://")
        if not WEBHOOK_SECRET.fullmatch(self.telegram_webhook_secret.get_secret_value()):
            raise ValueError(
                "TELEGRAM_WEBHOOK_URL needs TELEGRAM_WEBHOOK_SECRET: 16 to 256 of A-Z a-z 0-9 _ -"
            )
        return self

    @model_validator(mode="after")
    def _senses_named(self) -> "Settings":
        if bool(self.transcription_base_url) != bool(self.transcription_model):
            raise ValueError("TRANSCRIPTION_BASE_URL and TRANSCRIPTION_MODEL go together")
        if self.vision_model and not self.llm_model:
            raise ValueError("VISION_MODEL is asked beside LLM_MODEL: name that one too")
        return self

    @property
    def has_model(self) -> bool:
        """Whether a language model is configured; without one 小祥 talks in offline mode."""
        return bool(self.llm_model)

    @property
    def has_telegram(self) -> bool:
        """Whether a Telegram bot is configured."""
        return bool(self.telegram_bot_token.get_secret_value())

    def memory_keys(self) -> Keys | None:
        """Return the keys that seal secrets; None if no key file is set, none in it if it is away.

        Raises :class:`InputRefused` for a file that is no fit place for a key.
        """
        if self.memory_key_file is None:
            return None
        return Keys.read(self.memory_key_file, data=self.data_dir)

    def agent_defaults(self) -> AgentSettings:
        """Return what a new agent starts with; afterwards its own document holds."""
        return AgentSettings(
            law=self.memory_law,
            time_zone=self.timezone,
            language=self.language,
            listening=self.group_listen,
            notices=self.capture_notice,
            partner="主人" if self.language == "zh" else "my friend",
        )


def read_settings(**overrides: object) -> Settings:
    """Read the environment and ``.env``; a wrong value is refused with the name of its key."""
    try:
        return Settings(**overrides)  # type: ignore[arg-type]
    except ValidationError as error:
        wrong = "; ".join(
            f"{'.'.join(map(str, one['loc'])).upper() or 'settings'}: {one['msg']}"
            for one in error.errors(include_input=False, include_url=False)
        )
        raise InputRefused(f"wrong setting: {wrong} (see .env.example)") from error
