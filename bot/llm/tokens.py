"""Estimating how many tokens a text has, and limiting what one local day may cost."""

import re
from collections.abc import AsyncGenerator, Iterable
from datetime import date
from functools import lru_cache
from math import ceil, inf
from typing import Final, Protocol, assert_never
from zoneinfo import ZoneInfo

from bot.llm.streams import closing, last_outcome
from memory import ports
from prompts import ChatMessage, Prompt
from prompts.rendering import MESSAGE_TOKENS

# Per character, a little more than was measured with the o200k tokenizer (Chinese 0.82, English
# 0.22): a prompt counted too long loses a memory, one counted too short is refused.
WIDE_TOKENS: Final = 1.0  # Chinese, Japanese, Korean, emoji
OTHER_TOKENS: Final = 0.3

# A bill outside these bounds counts something else; it must not spoil the counter.
SMALLEST_FACTOR: Final = 0.5
LARGEST_FACTOR: Final = 2.0

LEARNING_RATE: Final = 0.2  # one odd prompt moves the factor a fifth of the way

_WIDE: Final = re.compile("[\u2e80-\U0010ffff]")


class TokenCounter:
    """Estimates a model's tokens without its tokenizer, and learns from its bills.

    The factor follows the model's own counts as a moving average in [0.5, 2]. Give ``factor`` to
    the next counter to keep what was learnt.

    >>> TokenCounter().count("我喜欢 ramen")
    5
    """

    def __init__(self, factor: float = 1.0) -> None:
        self._factor = _clamped(factor)

    @property
    def factor(self) -> float:
        """What an estimate is multiplied by, in [0.5, 2]."""
        return self._factor

    def count(self, text: str) -> int:
        """Return the tokens of one text, rounded up."""
        return ceil(_estimate(text) * self._factor)

    def count_messages(self, messages: Iterable[ChatMessage]) -> int:
        """Return the tokens of a whole prompt, rounded up."""
        return ceil(_estimate_messages(messages) * self._factor)

    def learn(self, messages: Iterable[ChatMessage], prompt_tokens: int) -> None:
        """Move the factor towards what the model counted for ``messages``."""
        estimate = _estimate_messages(messages)
        if estimate > 0 and prompt_tokens > 0:
            seen = _clamped(prompt_tokens / estimate)
            self._factor += LEARNING_RATE * (seen - self._factor)


# A prompt is counted to fit, for the daily limit and for the pace of its server, and most of its
# messages stood in the prompt before.
@lru_cache(maxsize=256)
def _estimate(text: str) -> float:
    narrow = len(_WIDE.sub("", text))
    return WIDE_TOKENS * (len(text) - narrow) + OTHER_TOKENS * narrow


def _estimate_messages(messages: Iterable[ChatMessage]) -> float:
    return sum(_estimate(message.content) + MESSAGE_TOKENS for message in messages)


def _clamped(factor: float) -> float:
    return min(max(factor, SMALLEST_FACTOR), LARGEST_FACTOR)


class TokenLedger(Protocol):
    """Keeps what each day cost."""

    async def spent(self, day: date) -> int:
        """Return the tokens spent on ``day``."""

    async def spend(self, day: date, tokens: int) -> None:
        """Add ``tokens`` to what ``day`` cost; :meth:`spent` counts them from then on."""


class InMemoryTokenLedger:
    """A ledger that lasts as long as the process; for tests and benchmarks."""

    def __init__(self) -> None:
        self._days: dict[date, int] = {}

    async def spent(self, day: date) -> int:
        return self._days.get(day, 0)

    async def spend(self, day: date, tokens: int) -> None:
        self._days[day] = self._days.get(day, 0) + tokens


class DailyLimit:
    """Limits what all models together may spend between two midnights of ``zone``, in tokens.

    With 0 ``tokens`` nothing is limited, only counted. Calls under way count with the cost of
    their prompts, so that many calls at once exceed the limit by their answers at most.
    """

    def __init__(
        self, tokens: int, ledger: TokenLedger, clock: ports.Clock, zone: ZoneInfo
    ) -> None:
        self._tokens = tokens
        self._ledger = ledger
        self._clock = clock
        self._zone = zone
        self._under_way = 0

    async def left(self) -> float:
        """Return how many tokens may still be spent today; below 0 when it was too many."""
        if not self._tokens:
            return inf
        return self._tokens - await self._ledger.spent(self._today()) - self._under_way

    def reserve(self, tokens: int) -> None:
        """Count ``tokens`` as spent until :meth:`settle`."""
        self._under_way += tokens

    async def settle(self, reserved: int, tokens: int) -> None:
        """Replace a reservation by the real cost of the call."""
        try:
            if tokens:
                await self._ledger.spend(self._today(), tokens)
        finally:
            self._under_way -= reserved

    def _today(self) -> date:
        return self._clock.now().astimezone(self._zone).date()


class MeteredModel:
    """A language model whose calls count towards a daily limit and stop at it.

    A call costs what its usage says; without usage, what ``tokens`` estimates for the prompt and
    the pieces that came. A call that brought nothing costs nothing.
    """

    def __init__(
        self, model: ports.LanguageModel, limit: DailyLimit, tokens: TokenCounter
    ) -> None:
        self.name = model.name
        self._model = model
        self._limit = limit
        self._tokens = tokens

    async def complete(self, prompt: Prompt) -> ports.Outcome:
        """Return the whole answer or why there is none."""
        return await last_outcome(self.stream(prompt))

    async def stream(self, prompt: Prompt) -> AsyncGenerator[ports.Streamed]:
        """Yield what the model yields, or only ``Unavailable(DAILY_LIMIT_REACHED)``."""
        asked = self._tokens.count_messages(prompt.messages())
        if await self._limit.left() < asked:
            yield ports.Unavailable(ports.DAILY_LIMIT_REACHED)
            return
        self._limit.reserve(asked)
        meter = _Meter(asked, self._tokens)
        try:
            async with closing(self._model.stream(prompt)) as events:
                async for event in events:
                    meter.observe(event)
                    yield event
        finally:
            # Also when the caller gives up half way: what came has to be paid for.
            await self._limit.settle(asked, meter.cost)


class _Meter:
    """Observes the events of one call and knows what it cost."""

    def __init__(self, asked: int, tokens: TokenCounter) -> None:
        self._asked = asked
        self._tokens = tokens
        self._pieces: list[str] = []
        self._answered = False
        self._usage = ports.Usage()

    def observe(self, event: ports.Streamed) -> None:
        match event:
            case ports.Piece(text):
                self._pieces.append(text)
            case ports.Replied(usage=usage):
                self._usage = usage
            case ports.Refused() | ports.Truncated() | ports.Invalid():
                self._answered = True
            case ports.Unavailable() | ports.TooLong() | ports.StartAgain():
                pass
            case never:
                assert_never(never)

    @property
    def cost(self) -> int:
        """The tokens of the call, so far as is known."""
        if billed := self._usage.prompt_tokens + self._usage.completion_tokens:
            return billed
        if self._answered or self._pieces:
            return self._asked + self._tokens.count("".join(self._pieces))
        return 0
