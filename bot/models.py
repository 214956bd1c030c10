"""The language models, made from the settings: who answers, and who works in the background."""

import random
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from bot.llm.chat_completions import ChatCompletions
from bot.llm.daily_limit import DailyLimit, Metered, TokenLedger
from bot.llm.provider import Provider
from bot.llm.resilient import Resilient
from bot.llm.tokens import TokenCounter
from bot.settings import Settings
from memory.offline import OfflineModel
from memory.ports import Clock, LanguageModel


@dataclass(frozen=True, slots=True)
class Models:
    """Who answers and who judges. ``background`` is None when no model is configured."""

    reply: LanguageModel
    background: LanguageModel | None
    tokens: TokenCounter
    provider: Provider | None = None

    async def close(self) -> None:
        """Close every connection."""
        if self.provider is not None:
            await self.provider.close()


def offline_models() -> Models:
    """Return the rule-based model in every place."""
    return Models(OfflineModel(), None, TokenCounter())


def models_of(settings: Settings, spending: TokenLedger, clock: Clock) -> Models:
    """Return the configured models, each resilient and within the daily limit, or the offline one.

    Raises :class:`memory.errors.InputRefused` for an address or key that can never work.
    """
    if not settings.has_model:
        return offline_models()
    provider = Provider(settings.llm_base_url, settings.llm_api_key.get_secret_value())
    tokens = TokenCounter()
    zone = ZoneInfo(settings.timezone)
    limit = DailyLimit(settings.daily_token_limit, spending, clock, zone)
    chance = random.Random()  # noqa: S311 - spreads retries, guards nothing

    def model(name: str) -> LanguageModel:
        asked = ChatCompletions(provider, name, tokens=tokens)
        return Metered(asked, limit, tokens) if settings.daily_token_limit else asked

    def resilient(name: str) -> LanguageModel:
        other = settings.llm_fallback_model
        fallback = model(other) if other and other != name else None
        return Resilient(model(name), fallback, chance=chance)

    reply = resilient(settings.llm_model)
    background = settings.llm_background_model
    return Models(reply, resilient(background) if background else reply, tokens, provider)
