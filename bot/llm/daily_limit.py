"""A cap on what one local day may cost, in tokens, that a restart does not lift."""

from collections.abc import AsyncGenerator
from datetime import date
from typing import Final, Protocol, assert_never
from zoneinfo import ZoneInfo

from bot.llm.tokens import TokenCounter
from bot.llm.waiting import closing, last_outcome
from memory.ports import (
    Clock,
    Invalid,
    LanguageModel,
    Outcome,
    Piece,
    Refused,
    Replied,
    StartAgain,
    Streamed,
    TooLong,
    Truncated,
    Unavailable,
    Usage,
)
from prompts import Prompt

OVER_BUDGET: Final = Unavailable("budget")


class TokenLedger(Protocol):
    """Keeps what each day cost, durably."""

    async def spent(self, day: date) -> int:
        """Return the tokens spent on ``day``."""

    async def spend(self, day: date, tokens: int) -> None:
        """Add ``tokens`` to what ``day`` cost; returning is durability."""


class InMemoryTokenLedger:
    """A ledger that lasts as long as the process."""

    def __init__(self) -> None:
        self._days: dict[date, int] = {}

    async def spent(self, day: date) -> int:
        return self._days.get(day, 0)

    async def spend(self, day: date, tokens: int) -> None:
        self._days[day] = self._days.get(day, 0) + tokens


class DailyLimit:
    """How many tokens all models together may spend between two midnights of ``zone``.

    Calls under way count with what their prompts alone will cost, so that many calls at once
    pass the limit by their answers at most.
    """

    def __init__(self, tokens: int, ledger: TokenLedger, clock: Clock, zone: ZoneInfo) -> None:
        self._tokens = tokens
        self._ledger = ledger
        self._clock = clock
        self._zone = zone
        self._under_way = 0

    async def left(self) -> int:
        """Return how many tokens may still be spent today; below 0 when it was too many."""
        return self._tokens - await self._ledger.spent(self._today()) - self._under_way

    def reserve(self, tokens: int) -> None:
        """Count ``tokens`` as good as spent until :meth:`settle`."""
        self._under_way += tokens

    async def settle(self, reserved: int, tokens: int) -> None:
        """Replace a reservation by what the call really cost."""
        try:
            if tokens:
                await self._ledger.spend(self._today(), tokens)
        finally:
            self._under_way -= reserved

    def _today(self) -> date:
        return self._clock.now().astimezone(self._zone).date()


class MeteredModel:
    """A language model whose calls count towards a daily limit and stop at it.

    A call costs what its usage says; without one, what ``tokens`` estimates for the prompt and
    the pieces that came. A call that brought nothing costs nothing.
    """

    def __init__(self, model: LanguageModel, limit: DailyLimit, tokens: TokenCounter) -> None:
        self.name = model.name
        self._model = model
        self._limit = limit
        self._tokens = tokens

    async def complete(self, prompt: Prompt) -> Outcome:
        """Return the whole answer or why there is none."""
        return await last_outcome(self.stream(prompt))

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Streamed]:
        """Yield what the model yields, or only ``Unavailable("budget")``."""
        asked = self._tokens.count_messages(prompt.messages())
        if await self._limit.left() < asked:
            yield OVER_BUDGET
            return
        self._limit.reserve(asked)
        meter = _Meter(asked, self._tokens)
        try:
            async with closing(self._model.stream(prompt)) as events:
                async for event in events:
                    meter.observe(event)
                    yield event
        finally:
            await self._limit.settle(asked, meter.cost)


class _Meter:
    """Watches the events of one call go by and knows what it cost."""

    def __init__(self, asked: int, tokens: TokenCounter) -> None:
        self._asked = asked
        self._tokens = tokens
        self._pieces: list[str] = []
        self._answered = False
        self._usage = Usage()

    def observe(self, event: Streamed) -> None:
        match event:
            case Piece(text):
                self._pieces.append(text)
            case Replied(usage=usage):
                self._usage = usage
            case Refused() | Truncated() | Invalid():
                self._answered = True
            case Unavailable() | TooLong() | StartAgain():
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
