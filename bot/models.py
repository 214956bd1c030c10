"""The language models, made from the settings: who answers, and who works in the background."""

import logging
import random
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from typing import Final, Protocol
from zoneinfo import ZoneInfo

from bot.llm.auxiliary_models import (
    LocalEmbedder,
    OpenAIEmbedder,
    OpenAIImageReader,
    OpenAITranscriber,
    missing_for,
)
from bot.llm.pace import (
    HOSTED_SECONDS,
    LOCAL_SECONDS,
    GivesWay,
    PartnerFirst,
    Precedence,
    ServerPace,
    is_local_address,
)
from bot.llm.presets import DEFAULT_CONTEXT_TOKENS, Preset, preset_for
from bot.llm.provider import ChatCompletions, Provider
from bot.llm.resilient import CallTally, ResilientModel, RetryPolicy
from bot.llm.tokens import DailyLimit, MeteredModel, TokenCounter, TokenLedger
from bot.sections import SecretStr
from bot.settings import Settings
from bot.texts import Sentence, shell
from memory.errors import InputRefused
from memory.offline import OfflineModel
from memory.ports import Clock, Embedder, LanguageModel
from prompts import Ability

BACKGROUND_POLICY: Final = RetryPolicy(total_seconds=240.0)
"""Nobody waits for the background: it is asked again for longer."""

REFUSAL_SECONDS: Final = 30 * 86_400.0
"""After so long a server that refused JSON is asked for it once more: it may have been renewed."""

log = logging.getLogger(__name__)

_NOISY_LOGGERS: Final = ("httpx2", "httpcore2", "openai")
"""Libraries that would log addresses and bodies."""


class ModelUsageLedger(TokenLedger, Protocol):
    """Keeps what models cost, how far off our estimate of their tokens is, and who refused JSON.

    A refusal is kept as a number as well: the instant it happened, in seconds since 1970.
    """

    async def factor(self, model: str) -> float | None: ...

    async def learn_factor(self, model: str, factor: float) -> None: ...


@dataclass(frozen=True, slots=True)
class Models:
    """Who answers and who judges. ``background`` is None when no model is configured.

    ``pace`` is what is measured of the model that answers, ``context_tokens`` what it takes.
    ``calls`` is what was counted of those that answer and those that judge, by these names.
    """

    reply: LanguageModel
    background: LanguageModel | None
    tokens: TokenCounter
    close: Callable[[], Awaitable[None]]
    image_reader: OpenAIImageReader | None = None
    transcriber: OpenAITranscriber | None = None
    embedder: Embedder | None = None
    pace: ServerPace | None = None
    context_tokens: int = DEFAULT_CONTEXT_TOKENS
    calls: Mapping[str, CallTally] = field(default_factory=dict)

    @property
    def abilities(self) -> tuple[Ability, ...]:
        """Return what these models let her do beside talking."""
        can: dict[Ability, object] = {"pictures": self.image_reader, "voice": self.transcriber}
        return tuple(name for name, model in can.items() if model is not None)


@dataclass(slots=True)
class _ModelFactory:
    """What every model of one server is made of."""

    provider: Provider
    limit: DailyLimit
    usage: ModelUsageLedger
    preset: Preset
    patience: float = 1.0
    paces: dict[str, ServerPace] = field(default_factory=dict)
    counters: dict[str, TokenCounter] = field(default_factory=dict)

    async def build_model(self, name: str) -> LanguageModel:
        """Return one model of the server, counting tokens with what was learnt about it."""
        if name not in self.counters:
            self.counters[name] = TokenCounter(await self.usage.factor(name) or 1.0)
        tokens = self.counters[name]
        asked = ChatCompletions(
            self.provider, name, tokens=tokens, pace=self.pace_of(name), style=self.preset.style
        )
        return MeteredModel(asked, self.limit, tokens)

    @property
    def is_local(self) -> bool:
        """Whether the server stands on this machine or beside it."""
        return self.preset.is_local or is_local_address(self.preset.url)

    def pace_of(self, name: str) -> ServerPace:
        """Return what is measured of one model, whoever asks it."""
        if name not in self.paces:
            assumed = LOCAL_SECONDS if self.is_local else HOSTED_SECONDS
            self.paces[name] = ServerPace(self.patience, assumed_seconds=assumed)
        return self.paces[name]

    async def note_refusals(self, clock: Clock) -> None:
        """Ask a server that lately refused JSON for lines from the start, and note a new refusal.

        It is noted as soon as it happens: a program that is killed knows it as well.
        """
        name, now = f"json refused by {self.preset.url}", clock.now().timestamp()
        refused = await self.usage.factor(name)
        self.provider.refuses_json = refused is not None and now - refused < REFUSAL_SECONDS

        async def note() -> None:
            await self.usage.learn_factor(name, clock.now().timestamp())

        self.provider.on_json_refused = note

    async def save_factors(self) -> None:
        """Keep what was learnt about counting, for the next start."""
        for name, tokens in self.counters.items():
            await self.usage.learn_factor(name, tokens.factor)


def offline_models() -> Models:
    """Return the rule-based model in every place."""

    async def close() -> None:
        """There is nothing to close."""

    return Models(OfflineModel(), None, TokenCounter(), close)


def missing_library(settings: Settings) -> Sentence | None:
    """Return how to install what asks the configured servers; None if it is there, or no need."""
    embeds = settings.embedding_model and not settings.embedding_local
    asks = settings.has_model or settings.transcription_model or embeds
    if not asks or find_spec("openai") is not None:
        return None
    return shell.MODEL_LIBRARY_MISSING


async def open_models(settings: Settings, usage: ModelUsageLedger, clock: Clock) -> Models:
    """Return the configured models, resilient and within the daily limit; or the offline one.

    Raises :class:`InputRefused` for an address or key that can never work, or without the library.
    """
    if missing := missing_library(settings):
        raise InputRefused(missing)
    for name in _NOISY_LOGGERS:
        logging.getLogger(name).setLevel(logging.WARNING)
    async with AsyncExitStack() as opening:
        models = offline_models()
        if settings.has_model:
            models = await _open_language_models(settings, usage, clock, opening)
        transcriber = _open_transcriber(settings, opening)
        embedder = _open_embedder(settings, opening)
        # What was opened outlives this function; had one been refused, the others would close.
        close = opening.pop_all().aclose
    return replace(models, transcriber=transcriber, embedder=embedder, close=close)


async def _open_language_models(
    settings: Settings, usage: ModelUsageLedger, clock: Clock, opening: AsyncExitStack
) -> Models:
    zone = ZoneInfo(settings.timezone)
    limit = DailyLimit(settings.daily_token_limit, usage, clock, zone)
    preset = preset_for(settings)
    provider = _open_provider(preset.url, settings.llm_api_key, opening)
    factory = _ModelFactory(provider, limit, usage, preset, settings.llm_patience)
    opening.push_async_callback(factory.save_factors)
    await factory.note_refusals(clock)
    chance = random.SystemRandom()
    other = settings.llm_fallback_model
    fallback = await factory.build_model(other) if other else None
    name = settings.llm_model
    answering = ResilientModel(await factory.build_model(name), fallback, chance=chance)
    judge = await factory.build_model(settings.llm_background_model or name)
    judging = ResilientModel(judge, fallback, chance=chance, policy=BACKGROUND_POLICY)
    reply: LanguageModel = answering
    background: LanguageModel = judging
    precedence = None
    if factory.is_local:
        # A hosted server answers many at once; a model of one's own does one thing at a time.
        precedence = Precedence(factory.provider.slots)
        reply, background = PartnerFirst(reply, precedence), GivesWay(background, precedence)
    vision = settings.vision_model
    reader = None
    if vision:
        reader = OpenAIImageReader(provider, vision, factory.pace_of(vision), precedence)
    return Models(
        reply,
        background,
        factory.counters[name],
        opening.aclose,
        image_reader=reader,
        pace=factory.pace_of(name),
        context_tokens=preset.context_tokens,
        calls={"answer": answering.tally, "background": judging.tally},
    )


def _open_transcriber(settings: Settings, opening: AsyncExitStack) -> OpenAITranscriber | None:
    """Return a model that listens, if one is configured."""
    if not settings.transcription_model:
        return None
    provider = _open_provider(
        settings.transcription_base_url, settings.transcription_api_key, opening
    )
    return OpenAITranscriber(provider, settings.transcription_model)


def _open_embedder(settings: Settings, opening: AsyncExitStack) -> Embedder | None:
    """Return a model that makes vectors, if one is configured: of a folder before one of a server.

    Without an address of its own it is asked where the language model is, with the same key.
    """
    if settings.embedding_local:
        if lacking := missing_for(settings.embedding_local):
            log.warning("EMBEDDING_LOCAL: no %s, so search goes by words (see doctor)", lacking)
            return None
        return LocalEmbedder(settings.embedding_local)
    if not settings.embedding_model:
        return None
    address, key = settings.embedding_base_url, settings.embedding_api_key
    # The language model's key never goes to another address.
    if not address and not key.get_secret_value():
        key = settings.llm_api_key
    provider = _open_provider(address or preset_for(settings).url, key, opening)
    return OpenAIEmbedder(provider, settings.embedding_model)


def _open_provider(address: str, key: SecretStr, opening: AsyncExitStack) -> Provider:
    provider = Provider(address, key.get_secret_value())
    opening.push_async_callback(provider.close)
    return provider
