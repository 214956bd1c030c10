"""Asks again when that may help, another model when it does not, and never for too long."""

import asyncio
import random
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Final, TypeAlias

from bot.llm.attempts import AttemptPlan, ModelRoute, RetryPolicy
from bot.llm.circuit import CircuitBreaker
from bot.llm.waiting import closing, last_outcome, next_within
from memory.ports import (
    LanguageModel,
    Outcome,
    Piece,
    StartAgain,
    Streamed,
    Truncated,
)
from prompts import Prompt

DEFAULT_POLICY: Final = RetryPolicy()

Sleep: TypeAlias = Callable[[float], Awaitable[None]]


class ResilientModel:
    """A language model made of one or two others, in the order they are asked.

    A call ends within ``patience.total_seconds``, makes at most ``patience.attempts`` attempts
    and waits between them with full jitter, or as long as the server asks. A stream that broke
    after pieces starts again once. Each model has a circuit breaker, so that an outage costs a
    call now and then, not one per message.
    """

    def __init__(
        self,
        primary: LanguageModel,
        fallback: LanguageModel | None = None,
        *,
        chance: random.Random,
        policy: RetryPolicy = DEFAULT_POLICY,
        sleep: Sleep = asyncio.sleep,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        models = [primary] if fallback is None else [primary, fallback]
        self.name = primary.name
        self._routes = [ModelRoute(model, CircuitBreaker(monotonic)) for model in models]
        self._chance = chance
        self._policy = policy
        self._sleep = sleep
        self._monotonic = monotonic

    async def complete(self, prompt: Prompt) -> Outcome:
        """Return the whole answer or why there is none."""
        return await last_outcome(self._events(prompt, restarts=self._policy.attempts))

    def stream(self, prompt: Prompt) -> AsyncGenerator[Streamed]:
        """Yield pieces, at most one ``StartAgain``, and end with exactly one outcome."""
        return self._events(prompt, restarts=1)

    async def _events(self, prompt: Prompt, restarts: int) -> AsyncGenerator[Streamed]:
        until = self._monotonic() + self._policy.total_seconds

        def remaining() -> float:
            return until - self._monotonic()

        attempts = AttemptPlan(self._routes, self._policy, self._chance, remaining)
        shown = False
        while (restarts or not shown) and (attempt := attempts.next()):
            if shown:
                restarts, shown = restarts - 1, False
                yield StartAgain()
            await self._sleep(attempt.pause_seconds)
            async with closing(attempt_events(attempt.route.model, prompt, remaining)) as events:
                async for event in events:
                    if isinstance(event, Piece):
                        shown = True
                        yield event
                    else:
                        attempts.record_outcome(attempt.route, event)
        yield attempts.outcome


async def attempt_events(
    model: LanguageModel, prompt: Prompt, remaining: Callable[[], float]
) -> AsyncGenerator[Piece | Outcome]:
    """Yield the model's pieces, in time, and then exactly one outcome, whatever the model does.

    If it wants to start again by itself the attempt is over: that is decided in one place.
    """
    async with closing(model.stream(prompt)) as events:
        while event := await next_within(events, remaining()):
            if isinstance(event, Piece):
                yield event
                continue
            yield Truncated("") if isinstance(event, StartAgain) else event
            return
    yield Truncated("")
