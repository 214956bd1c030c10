"""The language models, made from the settings: who answers, and who works in the background."""

import logging
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Final, Protocol
from zoneinfo import ZoneInfo

from bot.llm.auxiliary_models import OpenAIEmbedder, OpenAIImageReader, OpenAITranscriber
from bot.llm.chat_completions import ChatCompletions
from bot.llm.provider import Provider
from bot.llm.resilient import ResilientModel, RetryPolicy
from bot.llm.tokens import DailyLimit, MeteredModel, TokenCounter, TokenLedger
from bot.settings import Settings
from memory.offline import OfflineModel
from memory.ports import Clock, Embedder, LanguageModel

BACKGROUND_POLICY: Final = RetryPolicy(total_seconds=240.0)
BACKGROUND_DEADLINE_SECONDS: Final = 120.0
"""Nobody waits for the background, and it reads more."""

_NOISY_LOGGERS: Final = ("httpx2", "httpcore2", "openai")
"""Libraries that would log addresses and bodies."""


class ModelUsageLedger(TokenLedger, Protocol):
    """Keeps what the models cost, and how far off our estimate of their tokens is."""

    async def factor(self, model: str) -> float | None: ...

    async def learn_factor(self, model: str, factor: float) -> None: ...


@dataclass(frozen=True, slots=True)
class Models:
    """Who answers and who judges. ``background`` is None when no model is configured."""

    reply: LanguageModel
    background: LanguageModel | None
    tokens: TokenCounter
    close: Callable[[], Awaitable[None]]
    image_reader: OpenAIImageReader | None = None
    transcriber: OpenAITranscriber | None = None
    embedder: Embedder | None = None


@dataclass(slots=True)
class _ModelFactory:
    """What every model is made of, and what has to be put away at the end."""

    provider: Provider
    limit: DailyLimit | None
    usage: ModelUsageLedger
    counters: dict[str, TokenCounter] = field(default_factory=dict)

    async def build_model(self, name: str, deadline_seconds: float = 60.0) -> LanguageModel:
        """Return one model of the server, counting with what was learnt about it."""
        if name not in self.counters:
            self.counters[name] = TokenCounter(await self.usage.factor(name) or 1.0)
        tokens = self.counters[name]
        asked = ChatCompletions(
            self.provider, name, tokens=tokens, deadline_seconds=deadline_seconds
        )
        return MeteredModel(asked, self.limit, tokens) if self.limit else asked

    async def close(self) -> None:
        """Keep what was learnt and close every connection."""
        for name, tokens in self.counters.items():
            await self.usage.learn_factor(name, tokens.factor)
        await self.provider.close()


def offline_models() -> Models:
    """Return the rule-based model in every place."""

    async def close() -> None:
        """There is nothing to close."""

    return Models(OfflineModel(), None, TokenCounter(), close)


async def open_models(settings: Settings, usage: ModelUsageLedger, clock: Clock) -> Models:
    """Return the configured models, resilient and within the daily limit; or the offline one.

    Raises :class:`memory.errors.InputRefused` for an address or key that can never work.
    """
    for name in _NOISY_LOGGERS:
        logging.getLogger(name).setLevel(logging.WARNING)
    models = offline_models()
    if settings.has_model:
        models = await _configured_models(settings, usage, clock)
    return _with_embedder(_with_transcriber(models, settings), settings)


async def _configured_models(settings: Settings, usage: ModelUsageLedger, clock: Clock) -> Models:
    limit = None
    if settings.daily_token_limit:
        zone = ZoneInfo(settings.timezone)
        limit = DailyLimit(settings.daily_token_limit, usage, clock, zone)
    provider = Provider(settings.llm_base_url, settings.llm_api_key.get_secret_value())
    made = _ModelFactory(provider, limit, usage)
    chance = random.Random()  # noqa: S311 - spreads retries, guards nothing
    other = settings.llm_fallback_model
    fallback = await made.build_model(other) if other else None
    name = settings.llm_model
    reply = ResilientModel(await made.build_model(name), fallback, chance=chance)
    judge = await made.build_model(
        settings.llm_background_model or name, deadline_seconds=BACKGROUND_DEADLINE_SECONDS
    )
    background = ResilientModel(judge, fallback, chance=chance, policy=BACKGROUND_POLICY)
    eyes = OpenAIImageReader(provider, settings.vision_model) if settings.vision_model else None
    return Models(reply, background, made.counters[name], made.close, image_reader=eyes)


def _with_transcriber(models: Models, settings: Settings) -> Models:
    """Return the models and, if one is configured, a model that listens."""
    if not settings.transcription_model:
        return models
    key = settings.transcription_api_key.get_secret_value()
    provider = Provider(settings.transcription_base_url, key)

    async def close() -> None:
        await provider.close()
        await models.close()

    return replace(
        models, transcriber=OpenAITranscriber(provider, settings.transcription_model), close=close
    )


def _with_embedder(models: Models, settings: Settings) -> Models:
    """Return the models and, if one is configured, a model that makes vectors.

    Without an address of its own it is asked where the language model is, with the same key.
    """
    if not settings.embedding_model:
        return models
    elsewhere = settings.embedding_base_url
    key = settings.embedding_api_key.get_secret_value()
    if not elsewhere and not key:
        key = settings.llm_api_key.get_secret_value()
    provider = Provider(elsewhere or settings.llm_base_url, key)

    async def close() -> None:
        await provider.close()
        await models.close()

    return replace(
        models, embedder=OpenAIEmbedder(provider, settings.embedding_model), close=close
    )
