"""The only reader of the environment. ``.env.example`` documents every key; unset keys default."""

import re
from pathlib import Path
from typing import Annotated, Final, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from memory.errors import InputRefused
from memory.laws.registry import Laws
from memory.model import AgentSettings, Language
from memory.privacy.vault import Keys
from memory.stores.backups import KEPT_BACKUPS

WEBHOOK_SECRET: Final = re.compile(r"[A-Za-z0-9_-]{16,256}", re.ASCII)
PORTS: Final = 65_536
LARK_APP: Final = re.compile(r"cli_[0-9A-Za-z]{4,64}", re.ASCII)
LARK_DOMAINS: Final = {
    "feishu": "https://open.feishu.cn",
    "lark": "https://open.larksuite.com",
}
LOOPBACK: Final = re.compile(r"http://(127\.0\.0\.1|localhost):[0-9]{1,5}", re.ASCII)
"""Besides the two, only an open platform on this machine itself, for trying things out."""

WEBHOOK_PATH: Final = re.compile(r"/[A-Za-z0-9._~/-]{0,200}", re.ASCII)


_ALL_LAWS: Final = Laws()


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
    lark_app_id: str = ""
    lark_app_secret: SecretStr = SecretStr("")
    lark_domain: str = "feishu"
    lark_mode: Literal["websocket", "webhook"] = "websocket"
    lark_encrypt_key: SecretStr = SecretStr("")
    lark_verification_token: SecretStr = SecretStr("")
    lark_webhook_path: str = "/lark"
    lark_webhook_bind: str = "127.0.0.1:8081"
    lark_streaming: bool = True
    lark_answer_within_minutes: Annotated[int, Field(ge=1, le=10_080)] = 120
    owner_ids: str = ""
    allowed_ids: str = ""
    group_listen: bool = True
    gather_after_minutes: Annotated[int, Field(ge=1, le=1440)] = 10
    data_dir: Path = Path("data")
    backups_kept: Annotated[int, Field(ge=1, le=10_000)] = KEPT_BACKUPS
    memory_law: str = AgentSettings().law
    timezone: str = "Asia/Shanghai"
    language: Language = "zh"
    capture_notice: bool = True
    persona_file: Path | None = None
    memory_key_file: Path | None = None

    @field_validator("memory_key_file")
    @classmethod
    def _normalize_key_file(cls, given: Path | None) -> Path | None:
        return given.expanduser() if given and given != Path() else None

    @field_validator("timezone")
    @classmethod
    def _check_time_zone(cls, given: str) -> str:
        try:
            ZoneInfo(given)
        except (ZoneInfoNotFoundError, ValueError) as error:
            raise ValueError(f"{given!r} is no time zone; try Asia/Shanghai") from error
        return given

    @field_validator("telegram_bot_token")
    @classmethod
    def _check_telegram_token(cls, given: SecretStr) -> SecretStr:
        bot, _, rest = given.get_secret_value().partition(":")
        if given.get_secret_value() and not (bot.isascii() and bot.isdigit() and rest):
            raise ValueError("a token looks like 123456:ABC-…, as @BotFather gave it")
        return given

    @model_validator(mode="after")
    def _check_model_named(self) -> "Settings":
        if self.llm_base_url and not self.llm_model:
            raise ValueError("LLM_BASE_URL is set but LLM_MODEL is not: name the model to use")
        return self

    @field_validator("telegram_api_base")
    @classmethod
    def _check_telegram_api_base(cls, given: str) -> str:
        if not given.startswith(("https://", "http://")):
            raise ValueError(f"{given!r} is not like https://api.telegram.org")
        return given.rstrip("/")

    @field_validator("lark_app_id")
    @classmethod
    def _check_lark_app_id(cls, given: str) -> str:
        if given and not LARK_APP.fullmatch(given):
            raise ValueError("an app id looks like cli_a1b2c3…, from Credentials & Basic Info")
        return given

    @field_validator("lark_domain")
    @classmethod
    def _check_lark_domain(cls, given: str) -> str:
        if given not in LARK_DOMAINS and not LOOPBACK.fullmatch(given):
            raise ValueError("write feishu (China) or lark (everywhere else)")
        return given

    @field_validator("lark_webhook_path")
    @classmethod
    def _check_lark_webhook_path(cls, given: str) -> str:
        if not WEBHOOK_PATH.fullmatch(given):
            raise ValueError("write a path that begins with /, like /lark")
        return given

    @field_validator("webhook_bind", "lark_webhook_bind")
    @classmethod
    def _check_bind_address(cls, given: str) -> str:
        host, _, port = given.rpartition(":")
        if not (host and port.isascii() and port.isdigit() and int(port) < PORTS):
            raise ValueError("write host:port, like 127.0.0.1:8080")
        return given

    @model_validator(mode="after")
    def _check_telegram_webhook(self) -> "Settings":
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
    def _check_lark_settings(self) -> "Settings":
        if bool(self.lark_app_id) != bool(self.lark_app_secret.get_secret_value()):
            raise ValueError("LARK_APP_ID and LARK_APP_SECRET go together")
        if not self.lark_app_id or self.lark_mode == "websocket":
            return self
        guards = (self.lark_encrypt_key, self.lark_verification_token)
        if not all(each.get_secret_value() for each in guards):
            raise ValueError(
                "LARK_MODE=webhook needs LARK_ENCRYPT_KEY and LARK_VERIFICATION_TOKEN,"
                " from Events & Callbacks, Encryption Strategy"
            )
        if self.telegram_webhook_url and self.lark_webhook_bind == self.webhook_bind:
            raise ValueError("WEBHOOK_BIND and LARK_WEBHOOK_BIND cannot be the same address")
        return self

    @model_validator(mode="after")
    def _check_media_models(self) -> "Settings":
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

    @property
    def has_lark(self) -> bool:
        """Whether a Lark app is configured."""
        return bool(self.lark_app_id)

    @property
    def lark_base(self) -> str:
        """Return where Lark's open interface is."""
        return LARK_DOMAINS.get(self.lark_domain, self.lark_domain)

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


def _without_pydantic_prefix(message: str) -> str:
    """Return what is wrong, without what pydantic puts before it."""
    return message.removeprefix("Value error, ")


def read_settings(*, laws: Laws = _ALL_LAWS, **overrides: object) -> Settings:
    """Read the environment and ``.env``; a wrong value is refused with the name of its key."""
    try:
        settings = Settings(**overrides)  # type: ignore[arg-type]
    except ValidationError as error:
        wrong = "; ".join(
            ": ".join(
                filter(
                    None,
                    (".".join(map(str, one["loc"])).upper(), _without_pydantic_prefix(one["msg"])),
                )
            )
            for one in error.errors(include_input=False, include_url=False)
        )
        raise InputRefused(f"wrong setting: {wrong} (see .env.example)") from error
    try:
        laws.named(settings.memory_law)
    except InputRefused as error:
        raise InputRefused(f"wrong setting: MEMORY_LAW: {error} (see .env.example)") from error
    return settings
