"""The only reader of the environment. ``.env.example`` documents every key; unset keys default.

A platform declares its own keys as a :class:`PlatformSettings`; here they are only read.
"""

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Annotated, ClassVar, Final, Literal, TypeAlias, TypeVar

from dotenv import dotenv_values
from msgspec import Meta, structs

from bot.sections import (
    Checks,
    SecretStr,
    Section,
    WrongSettings,
    check_copies,
    checked_bind_address,
    checked_command,
    checked_extra_body,
    checked_extra_body_text,
    checked_model_address,
    checked_time_zone,
    fault,
    language_of_locales,
)
from bot.texts import refusals
from memory.errors import InputRefused
from memory.laws.registry import Laws
from memory.laws.settings import UNNAMED, with_written
from memory.model import AgentSettings, Language
from memory.ports import usual_zone
from memory.privacy.vault import Keys
from memory.refusals import said_by_system
from memory.sentences import FilledSentence, Listed, Sayable
from memory.stores.backups import BACKUPS, USUAL_RULE, BackupRule

_OURS: Final = Path(__file__).resolve().parents[1]
"""Where the program lies: a checkout, or the one package of a wheel."""

EXAMPLE_FILE: Final = _OURS / ".env.example"
"""Every setting, explained. A wheel holds it beside its packages."""


@dataclass(frozen=True, slots=True)
class Home:
    """Where an installation keeps its things: ``base`` is what relative paths start from."""

    env_file: Path
    base: Path

    def resolved(self, given: Path) -> Path:
        """Return a path of the settings as it is meant, from whatever folder one started."""
        return self.base / given.expanduser()


def is_checkout() -> bool:
    """Whether the program runs from its repository, and not as it was installed from a wheel."""
    return (_OURS / "pyproject.toml").is_file()


def home() -> Home:
    """Return where the settings and the data are.

    ``XIAOXIANG_HOME`` if it is set; else the present folder if she lives here (a ``.env`` or her
    data); else the checkout the program runs from; else the usual folders of the platform. So a
    start from another folder never begins a second memory unasked.
    """
    if named := os.environ.get("XIAOXIANG_HOME", "").strip():
        folder = Path(named).expanduser().absolute()
        return Home(folder / ".env", folder)
    if Path(".env").is_file() or any(Path("data", each).exists() for each in _HER_DATA):
        return Home(Path(".env"), Path())
    if is_checkout():
        here = _OURS.samefile(Path())
        return Home(Path(".env"), Path()) if here else Home(_OURS / ".env", _OURS)
    import platformdirs

    usual = platformdirs.PlatformDirs("xiaoxiang", appauthor=False)
    return Home(usual.user_config_path / ".env", usual.user_data_path)


_HERE: Final = Path("her own .env")
"""Stands for the file of settings of this installation, wherever it is."""

_HER_DATA: Final = ("ledger.sqlite3", "agents")


def is_in_environment(key: str) -> bool:
    """Whether the environment sets a key, which goes before what the file says."""
    return bool(_environment().get(key.lower()))


def service_notice() -> tuple[str, float]:
    """Return where systemd wants notices, "" for nowhere, and its watchdog's seconds or 0."""
    microseconds = os.environ.get("WATCHDOG_USEC", "")
    limit = int(microseconds) / 1e6 if microseconds.isascii() and microseconds.isdigit() else 0.0
    return os.environ.get("NOTIFY_SOCKET", ""), limit


def open_env_file() -> str:
    """Return the name of the file of settings if others may read its keys and tokens, else ""."""
    path = home().env_file
    try:
        return str(path) if path.stat().st_mode & 0o077 else ""
    except OSError:
        return ""


class PlatformSettings(Section, frozen=True, kw_only=True):
    """What an operator may set for one platform.

    Each field is named like its key in the environment, so that an error names the key.
    """

    bind_key: ClassVar[str] = ""
    """The key of the address it may listen at; empty for a platform that never does."""

    @property
    def is_configured(self) -> bool:
        """Whether enough is set for `xiaoxiang run` to serve it."""
        return False

    def listens_at(self) -> str:
        """Return the address and path it answers with these settings, empty if none."""
        return ""


ProviderName: TypeAlias = Literal[
    "deepseek",
    "qwen",
    "zhipu",
    "moonshot",
    "openai",
    "openrouter",
    "ollama",
    "lmstudio",
    "llamacpp",
    "vllm",
]
"""The servers that are known by name; what is known of them is in :mod:`bot.llm.provider`."""

PLACES: Final = (
    *("data_dir", "exports_dir", "persona_file"),
    *("memory_key_file", "backup_copy_dir", "embedding_local"),
)
"""The settings that name a file or a folder."""

S = TypeVar("S", bound=PlatformSettings)
B = TypeVar("B", bound=Section)


_ALL_LAWS: Final = Laws()
_SERVERS: Final = ("llm_base_url", "embedding_base_url", "transcription_base_url")


class Settings(Section, frozen=True, kw_only=True):
    """Everything an operator may set beside the platforms, read once at start and frozen."""

    llm_provider: Literal[ProviderName, ""] = ""
    llm_base_url: str = ""
    llm_api_key: SecretStr = SecretStr("")
    llm_model: str = ""
    llm_background_model: str = ""
    llm_fallback_model: str = ""
    vision_model: str = ""
    embedding_base_url: str = ""
    embedding_api_key: SecretStr = SecretStr("")
    embedding_model: str = ""
    embedding_local: Path | None = None
    transcription_base_url: str = ""
    transcription_api_key: SecretStr = SecretStr("")
    transcription_model: str = ""
    llm_context_tokens: Annotated[int, Meta(ge=2_000, le=10_000_000)] | None = None
    llm_extra_body: str = ""
    llm_patience: Annotated[float, Meta(ge=0.1, le=100)] = 1.0
    daily_token_limit: Annotated[int, Meta(ge=0)] = 0
    owner_ids: str = ""
    allowed_ids: str = ""
    group_listen: bool = True
    gather_after_minutes: Annotated[int, Meta(ge=1, le=1440)] = 10
    data_dir: Path = Path("data")
    database_url: SecretStr = SecretStr("")
    worker_agents: Annotated[int, Meta(ge=1, le=100_000)] = 256
    health_bind: str = ""
    web_bind: str = ""
    web_address: str = ""
    exports_dir: Path = Path("exports")
    backups_kept: Annotated[int, Meta(ge=1, le=10_000)] = USUAL_RULE.kept
    backup_daily: Annotated[int, Meta(ge=0, le=1_000)] = USUAL_RULE.daily
    backup_weekly: Annotated[int, Meta(ge=0, le=1_000)] = USUAL_RULE.weekly
    backup_monthly: Annotated[int, Meta(ge=0, le=1_000)] = USUAL_RULE.monthly
    backup_copy_dir: Path | None = None
    backup_command: str = ""
    memory_law: str = AgentSettings().law
    memory_settings: str = ""
    timezone: str = "Asia/Shanghai"
    language: Language = "zh"
    capture_notice: bool = True
    persona_file: Path | None = None
    memory_key_file: Path | None = None

    _sections: tuple[PlatformSettings, ...] = ()
    _laws: Laws = _ALL_LAWS

    checks: ClassVar[Checks] = {
        "timezone": checked_time_zone,
        "backup_command": checked_command,
        "llm_extra_body": checked_extra_body_text,
        "health_bind": lambda given: given and checked_bind_address(given),
        "web_bind": lambda given: given and checked_bind_address(given),
        **dict.fromkeys(_SERVERS, lambda given: given and checked_model_address(given)),
    }
    needs: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(
            ("llm_api_key", "llm_background_model", "llm_fallback_model"), "llm_model"
        ),
        **dict.fromkeys(("embedding_base_url", "embedding_api_key"), "embedding_model"),
        "transcription_api_key": "transcription_model",
        "web_address": "web_bind",
    }

    def __post_init__(self) -> None:
        key = "LLM_BASE_URL" if self.llm_base_url else "LLM_PROVIDER" if self.llm_provider else ""
        if key and not self.llm_model:
            raise InputRefused(refusals.NEEDS_MODEL, key=key)
        if bool(self.transcription_base_url) != bool(self.transcription_model):
            raise InputRefused(refusals.TRANSCRIPTION_PAIR)
        if self.vision_model and not self.llm_model:
            raise InputRefused(refusals.VISION_NEEDS_MODEL)

    @property
    def extra_body(self) -> dict[str, object]:
        """What the operator wants in every request to the language model."""
        return checked_extra_body(self.llm_extra_body)

    @property
    def has_model(self) -> bool:
        """Whether a language model is configured; without one 小祥 talks in offline mode."""
        return bool(self.llm_model)

    @property
    def backup_rule(self) -> BackupRule:
        """Which backups are kept, and where a second time."""
        return BackupRule(
            kept=self.backups_kept,
            daily=self.backup_daily,
            weekly=self.backup_weekly,
            monthly=self.backup_monthly,
            copies=self.backup_copy_dir,
        )

    @property
    def backs_up_nightly(self) -> bool:
        """Whether she makes backups by herself."""
        return self.backup_daily + self.backup_weekly + self.backup_monthly > 0

    def complete(self, sections: tuple[PlatformSettings, ...], laws: Laws) -> "Settings":
        """Keep what is set for the platforms, and the laws there are, and return it all."""
        return structs.replace(self, _sections=sections, _laws=laws)

    def moved_to(self, place: Home, given: Collection[str] = ()) -> "Settings":
        """Return the settings with the paths they name at that place, except those ``given``."""
        named = {key: getattr(self, key) for key in PLACES if key not in given}
        moved = {key: place.resolved(path) for key, path in named.items() if path is not None}
        placed = structs.replace(self, **moved)
        check_copies(placed.backup_copy_dir, placed.data_dir / BACKUPS)
        return placed

    def section(self, kind: type[S]) -> S:
        """Return what is set for one platform; it must have been read with the rest."""
        return next(each for each in self._sections if type(each) is kind)

    def memory_keys(self) -> Keys | None:
        """Return the keys that seal secrets; None if no key file is set, none in it if it is away.

        Raises :class:`InputRefused` for a file that is no fit place for a key.
        """
        if self.memory_key_file is None:
            return None
        return Keys.read(self.memory_key_file, data=self.data_dir)

    def agent_defaults(self) -> AgentSettings:
        """Return what a new agent starts with; afterwards its own document holds.

        Raises :class:`InputRefused` naming what is wrong with MEMORY_SETTINGS.
        """
        plain = AgentSettings(
            law=self.memory_law,
            time_zone=self.timezone,
            language=self.language,
            listening=self.group_listen,
            notices=self.capture_notice,
            partner=UNNAMED[self.language],
        )
        return with_written(plain, self.memory_settings, self._laws)


def read_settings(
    *sections: type[PlatformSettings],
    laws: Laws = _ALL_LAWS,
    env_file: Path | None = _HERE,
    **overrides: object,
) -> Settings:
    """Read the environment and ``.env``; a wrong value is refused with the name of its key.

    What is overridden goes before the environment, and that before the file, which is hers
    unless ``env_file`` names another, or None for none. Raises :class:`InputRefused` naming
    everything that is wrong, also in the ``sections``.
    """
    place = home()
    given = _given(place.env_file if env_file is _HERE else env_file) | overrides
    tz, language = os.environ.get("TZ", ""), given.get("language")
    given["timezone"] = given.get("timezone") or usual_zone(tz, language)
    wrong = list[Sayable]()
    settings = _read_section(Settings, wrong, given)
    read = [_read_section(kind, wrong, given) for kind in sections]
    found = tuple(each for each in read if each is not None)
    wrong += _shared_addresses(found)
    if settings is not None and settings.memory_law not in laws.names:
        wrong.append(fault("MEMORY_LAW", laws.no_such_law(settings.memory_law)))
    elif settings is not None:
        settings = settings.complete(found, laws)
        try:
            settings.agent_defaults()
        except InputRefused as error:
            wrong.append(fault("MEMORY_SETTINGS", error))
    if settings is None or wrong:
        raise InputRefused(refusals.WRONG_SETTINGS, faults=Listed(wrong), file=EXAMPLE_FILE.name)
    return settings.moved_to(place, overrides)


def written_language() -> Language:
    """Return the language that is asked for, also where the other settings cannot be read."""
    try:
        given = _given(home().env_file)
    except InputRefused:
        given = _given(None)
    return "en" if given.get("language") == "en" else "zh"


def _given(file: Path | None) -> dict[str, object]:
    """Return what is set, by field; a desktop's own language only where nothing else is said."""
    wish = language_of_locales(os.environ.get("LANGUAGE")) or ""
    return {"language": wish, **_from_file(file), **_environment()}


def _environment() -> dict[str, object]:
    """Return what the environment sets, by field.

    ``LANGUAGE`` is also gettext's: a desktop sets it to its locales, which is no setting of hers.
    """
    found: dict[str, object] = {key.lower(): value for key, value in os.environ.items()}
    if language_of_locales(found.get("language")) is not None:
        del found["language"]
    return found


def _from_file(file: Path | None) -> dict[str, object]:
    """Return what a file sets, by field; nothing if there is no such file."""
    if file is None:
        return {}
    try:
        found = dotenv_values(file, encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputRefused(refusals.UNREADABLE, file=file, why=said_by_system(error)) from error
    return {key.lower(): value for key, value in found.items() if value is not None}


def _read_section(kind: type[B], wrong: list[Sayable], given: Mapping[str, object]) -> B | None:
    """Return one section; what is wrong with it is added to ``wrong``."""
    try:
        return kind.read(given)
    except WrongSettings as error:
        wrong += error.faults
        return None


def _shared_addresses(sections: Sequence[PlatformSettings]) -> Iterator[Sayable]:
    """Yield a fault for every two platforms that would answer one path of one address."""
    for one, other in combinations(sections, 2):
        if one.listens_at() and one.listens_at() == other.listens_at():
            yield FilledSentence(
                refusals.SAME_ADDRESS_AND_PATH, one=one.bind_key, other=other.bind_key
            )
