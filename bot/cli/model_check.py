"""What ``xiaoxiang doctor`` finds out about the models: whether they answer, and how fast."""

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from bot.adapters.platform import Finding
from bot.llm.auxiliary_models import missing_for
from bot.llm.pace import is_local_address
from bot.llm.presets import preset_for
from bot.llm.tokens import InMemoryTokenLedger
from bot.models import Models, missing_library, open_models
from bot.settings import Settings
from bot.texts import say
from bot.texts import shell as texts
from memory.ports import (
    Embedder,
    Invalid,
    Outcome,
    Piece,
    Replied,
    StartAgain,
    SystemClock,
    Unavailable,
)
from prompts import Compress


class NullTokenLedger(InMemoryTokenLedger):
    """Keeps nothing: the doctor writes nothing into the data folder."""

    async def factor(self, model: str) -> float | None:
        """Return that nothing was learnt about the model."""
        del model
        return None

    async def learn_factor(self, model: str, factor: float) -> None:
        """Learn nothing."""


async def model_findings(settings: Settings) -> list[Finding]:
    """Check that the language model and the embedder answer, as far as there are any."""
    if missing := missing_library(settings):
        return [Finding(good=False, text=missing.in_language(settings.language))]
    models = await open_models(settings, NullTokenLedger(), SystemClock())
    try:
        found = await _reply_findings(settings, models)
        if models.embedder is not None:
            found.append(await _embedder_finding(settings, models.embedder))
        elif settings.embedding_local:
            found.append(_lacking_finding(settings, settings.embedding_local))
        return found
    finally:
        await models.close()


# One short call whose answer is long enough to be timed: a check must cost next to nothing.
_MEASURED: Final = Compress(
    language="en",
    text="They met at the harbour, walked along the old wall to the lighthouse, had tea with the "
    "keeper and his two dogs, and took the last ferry home in the rain.",
    phrase="a walk to the lighthouse",
    keywords=("harbour", "lighthouse", "ferry"),
    characters="90",
)

_USUAL_PROMPT: Final = 2_500
"""Tokens of an ordinary prompt: persona, rules, some thirty lines, memories."""

_USUAL_REPLY: Final = 80
"""Tokens of an ordinary reply."""

_LEAST_WRITING: Final = 0.02
"""An answer whose pieces came within so many seconds was not written while it came."""

_SLOW_SECONDS: Final = 30.0
"""A reply that takes longer is worth a hint."""


async def _reply_findings(settings: Settings, models: Models) -> list[Finding]:
    """Check that the model answers, and measure how fast it reads and writes."""
    if not settings.has_model:
        return [Finding(good=True, text=say(settings.language, texts.NO_MODEL))]
    now = asyncio.get_running_loop().time
    begun, times = now(), list[float]()
    async for event in models.reply.stream(_MEASURED):
        match event:
            case Piece():
                times.append(now())
            case StartAgain():
                begun, times = now(), []
            case outcome:
                waits = [each - begun for each in times]
                return list(_answer_findings(settings, models, outcome, waits))
    return list(_answer_findings(settings, models, Unavailable("connection"), ()))


_SAME_FAULT: Final = {
    **dict.fromkeys(("not_an_answer", "unreadable", "no_choices", "too_large"), "unknown_address"),
    "timeout": "connection",
}
"""Reasons of which the same is to be done as of another."""


def _answer_findings(
    settings: Settings, models: Models, outcome: Outcome, waits: Sequence[float]
) -> Iterator[Finding]:
    """Say whether a model answered, and if so how fast; ``waits``: when each piece came."""
    name = settings.llm_model
    match outcome:
        case Replied():
            yield Finding(good=True, text=say(settings.language, texts.MODEL_GOOD, name=name))
            yield from _speed_findings(settings, models, outcome, waits)
            return
        case Unavailable(reason) | Invalid(reason):
            pass
        case other:
            reason = type(other).__name__.lower()
    fault = texts.MODEL_FAULTS.get(_SAME_FAULT.get(reason, reason), texts.MODEL_FAULT)
    why = say(settings.language, fault)
    text = say(settings.language, texts.MODEL_BAD, name=name, reason=reason, why=why)
    yield Finding(good=False, text=text)


def _speed_findings(
    settings: Settings, models: Models, answer: Replied, times: Sequence[float]
) -> Iterator[Finding]:
    """Say how fast a model is, by one answer and when its pieces came, and what to expect."""
    usage = answer.usage
    if times:
        yield Finding(good=True, text=_speed_told(settings, models, answer, times))
    if usage.cached_tokens is not None:
        cached, prompt = usage.cached_tokens, usage.prompt_tokens
        text = say(settings.language, texts.MODEL_CACHES, cached=cached, prompt=prompt)
        yield Finding(good=True, text=text)


def _speed_told(
    settings: Settings, models: Models, answer: Replied, times: Sequence[float]
) -> str:
    usage, first, passed = answer.usage, times[0], times[-1] - times[0]
    written = usage.completion_tokens or models.tokens.count(answer.text)
    if passed < _LEAST_WRITING or written <= 1:
        # Written before it was sent, or not at all: the wait says nothing of how fast it reads.
        return say(settings.language, texts.MODEL_UNMEASURED, first=f"{first:.1f}")
    rate = (written - 1) / passed
    asked = usage.prompt_tokens or models.tokens.count_messages(_MEASURED.messages())
    usual = _expected_first_word(settings, first, asked)
    whole = usual + _USUAL_REPLY / rate
    return say(
        settings.language,
        texts.MODEL_SLOW if whole > _SLOW_SECONDS else texts.MODEL_SPEED,
        first=f"{first:.1f}",
        rate=f"{rate:.0f}",
        usual=f"{usual:.0f}" if usual >= 1 else "< 1",
        whole=f"{whole:.0f}" if whole >= 1 else "< 1",
    )


def _expected_first_word(settings: Settings, measured: float, asked: int) -> float:
    """Return when the first word of a usual reply may be expected, in seconds.

    A model of one's own reads token by token, so it grows with the prompt; of a hosted one nearly
    all of the wait is the way there.
    """
    preset = preset_for(settings)
    if not (preset.is_local or is_local_address(preset.url)):
        return measured
    usual = min(_USUAL_PROMPT, preset.context_tokens)
    return measured * max(1.0, usual / max(asked, 1))


async def _embedder_finding(settings: Settings, embedder: Embedder) -> Finding:
    good = await embedder.embed(["ping"]) is not None
    sentence = texts.EMBEDDER_GOOD if good else texts.EMBEDDER_BAD
    if settings.embedding_local and not good:
        sentence = texts.EMBEDDING_BROKEN
    name = str(settings.embedding_local or settings.embedding_model)
    return Finding(good, say(settings.language, sentence, name=name))


def _lacking_finding(settings: Settings, folder: Path) -> Finding:
    lacking = missing_for(folder)
    sentence = texts.EMBEDDING_NO_LIBRARIES if lacking == "libraries" else texts.EMBEDDING_NO_FILE
    words = say(settings.language, sentence, name=str(folder), file=lacking or "")
    return Finding(good=False, text=words)
