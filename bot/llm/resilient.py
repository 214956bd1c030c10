"""A language model that asks again when that may help, and a fallback model when it does not.

:class:`CircuitBreaker` knows whether a model is down, :class:`AttemptPlan` decides about the
attempts of one call without doing anything, :class:`ResilientModel` carries them out in time.
"""

import asyncio
import random
import time
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias, assert_never

from bot.llm.failures import REJECTED
from bot.llm.streams import closing, last_outcome, next_within
from memory import ports
from prompts import Prompt

OPENS_AFTER: Final = 5
"""How many failures in a row open a circuit: more than one call's three attempts."""

REST_SECONDS: Final = 8.0
"""How long an open circuit lets no call through."""


class CircuitBreaker:
    """Closed while the model answers; open after ``OPENS_AFTER`` failures in a row.

    While it is open, one call every ``REST_SECONDS`` is let through as a probe, whether or not
    the last probe has come back (it may hang). The first success closes the circuit, so it closes
    within one rest and one answer of the model's recovery.
    """

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._failures = 0
        self._next_probe = 0.0
        self.reason = ""

    @property
    def is_open(self) -> bool:
        """Whether the model counts as down."""
        return self._failures >= OPENS_AFTER

    @property
    def seconds_to_probe(self) -> float:
        """How long no call will be let through; 0 if one is now."""
        return max(0.0, self._next_probe - self._monotonic()) if self.is_open else 0.0

    def admit(self) -> bool:
        """Return whether a call may be made; while it is open, a yes uses up the probe."""
        if self.seconds_to_probe > 0:
            return False
        if self.is_open:
            self._next_probe = self._monotonic() + REST_SECONDS
        return True

    def record_success(self) -> None:
        """Close the circuit: the model is alive."""
        self._failures = 0

    def record_failure(self, reason: str) -> None:
        """Count a failure; ``reason`` is told to the calls that are not let through."""
        self.reason = reason
        self._failures += 1
        if self._failures == OPENS_AFTER:
            self._next_probe = self._monotonic() + REST_SECONDS


# The reasons that may be gone at the next attempt; a wrong key or an unknown model is not.
TRANSIENT: Final = frozenset({"timeout", "connection", "overloaded", "server_error"})


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """How long and how often one call is tried.

    Within ``total_seconds`` a model is asked again; a fallback that was not asked yet always is.
    An attempt that has begun goes on as long as its model keeps to its own deadlines;
    ``silence_seconds`` only ends one that has none.
    The pause before attempt n + 1 is drawn between 0 and ``first_pause_seconds`` · 2^(n-1) (full
    jitter: clients that failed together do not come back together), and is never shorter than the
    server asks.
    """

    total_seconds: float = 60.0
    attempts: int = 3
    first_pause_seconds: float = 0.5
    silence_seconds: float = 3_600.0


@dataclass(frozen=True, slots=True)
class ModelRoute:
    """A model and what is known of its health."""

    model: ports.LanguageModel
    circuit: CircuitBreaker


class PlannedAttempt(NamedTuple):
    """Ask this model after a pause."""

    route: ModelRoute
    pause_seconds: float


class AttemptPlan:
    """Hands out the attempts of one call, one after another, and judges how each ended.

    The last attempt is the fallback's, if there is one. The fallback is asked at once, and for
    all attempts that are left, when the first model's circuit is open, when asking it again
    cannot help, when it timed out, or when it wants a longer pause than there is time.
    """

    def __init__(
        self,
        routes: Sequence[ModelRoute],
        policy: RetryPolicy,
        chance: random.Random,
        remaining: Callable[[], float],
    ) -> None:
        self._routes = list(routes)
        self._policy = policy
        self._chance = chance
        self._remaining = remaining
        self._made = 0
        self._asked: list[ModelRoute] = []
        self._current: ModelRoute | None = None
        self._invalid_from: ModelRoute | None = None
        self._outcome: ports.Outcome = _outcome_while_open(routes)

    @property
    def outcome(self) -> ports.Outcome:
        """How the latest attempt ended; if none could be made, why, and when one can be."""
        return self._outcome

    def next(self) -> PlannedAttempt | None:
        """Return the next attempt, or None when nothing more is worth trying."""
        while self._routes and self._made < self._policy.attempts:
            route = self._routes[-1 if self._made == self._policy.attempts - 1 else 0]
            pause = self._pause_before(route)
            # ``admit`` comes last: a yes uses up the probe of an open circuit.
            in_time = pause < self._remaining() or route not in self._asked
            if in_time and route.circuit.admit():
                self._made += 1
                self._current = route
                self._asked.append(route)
                return PlannedAttempt(route, pause)
            self._routes.remove(route)
        return None

    def record_outcome(self, route: ModelRoute, outcome: ports.Outcome) -> None:
        """Note how the attempt on ``route`` ended, and drop the routes not worth another."""
        self._outcome = outcome
        if reason := _failure_reason(outcome):
            route.circuit.record_failure(reason)
        elif not _is_own_limit(outcome):
            route.circuit.record_success()
        if _is_final(outcome):
            self._routes.clear()
        elif not self._is_worth_repeating(route, outcome):
            self._routes.remove(route)
        if isinstance(outcome, ports.Invalid):
            self._invalid_from = route

    def _is_worth_repeating(self, route: ModelRoute, outcome: ports.Outcome) -> bool:
        """Whether the same model is worth asking again."""
        match outcome:
            case ports.Unavailable(reason="timeout"):
                return (
                    len(self._routes) == 1
                )  # else the fallback may be quicker than waiting twice
            case ports.Unavailable(reason=reason):
                return reason in TRANSIENT
            case ports.Invalid():
                # Once more: an unusable answer can be chance, two from one model are a habit.
                return outcome != REJECTED and route is not self._invalid_from
            case _:
                return True

    def _pause_before(self, route: ModelRoute) -> float:
        if route is not self._current:
            return 0.0
        longest = self._policy.first_pause_seconds * 2 ** (self._made - 1)
        jitter = self._chance.uniform(0.0, longest)
        match self._outcome:
            case ports.Unavailable(retry_after=float(asked)):
                return max(jitter, asked)
            case _:
                return jitter


def _is_final(outcome: ports.Outcome) -> bool:
    """Whether no model, however often asked, can be expected to do better."""
    match outcome:
        case ports.Replied() | ports.Refused() | ports.TooLong() | ports.Truncated(at_limit=True):
            return True
        case ports.Truncated() | ports.Unavailable() | ports.Invalid():
            return False
        case never:
            assert_never(never)


def _failure_reason(outcome: ports.Outcome) -> str:
    """Return what the outcome says against the model's health, if anything."""
    match outcome:
        case ports.Unavailable(reason=reason) | ports.Invalid(reason=reason):
            return "" if outcome == REJECTED or _is_own_limit(outcome) else reason
        case ports.Truncated(at_limit=False):
            return "connection"
        case _:
            return ""


def _is_own_limit(outcome: ports.Outcome) -> bool:
    return isinstance(outcome, ports.Unavailable) and outcome.reason == ports.DAILY_LIMIT_REACHED


def _outcome_while_open(routes: Sequence[ModelRoute]) -> ports.Unavailable:
    """Return why no route may be asked now, and in how many seconds one may."""
    circuit = min(
        (route.circuit for route in routes), key=lambda circuit: circuit.seconds_to_probe
    )
    return ports.Unavailable(circuit.reason, retry_after=circuit.seconds_to_probe)


DEFAULT_POLICY: Final = RetryPolicy()

Sleep: TypeAlias = Callable[[float], Awaitable[None]]


@dataclass(slots=True)
class CallTally:
    """What the calls of a model came to since the program began.

    Seconds are sums over all calls. ``failures`` are counted by their reason.
    """

    calls: int = 0
    seconds: float = 0.0
    first_word_seconds: float = 0.0
    prompt_tokens: int = 0
    answer_tokens: int = 0
    failures: Counter[str] = field(default_factory=Counter)

    def note(self, outcome: ports.Outcome, seconds: float, first_word: float | None) -> None:
        """Count one call that took so long; ``first_word`` is None if not a word came."""
        self.calls += 1
        self.seconds += seconds
        self.first_word_seconds += first_word or 0.0
        match outcome:
            case ports.Replied(usage=usage):
                self.prompt_tokens += usage.prompt_tokens
                self.answer_tokens += usage.completion_tokens
            case ports.Unavailable(reason=reason):
                self.failures[reason] += 1
            case _:
                # The reason of an invalid answer may hold words of it.
                self.failures[type(outcome).__name__.lower()] += 1


class ResilientModel:
    """A language model made of one or two others, in the order they are asked.

    A call makes at most ``policy.attempts`` attempts, and after ``policy.total_seconds`` none of a
    model that was asked already. A stream that broke after pieces starts again once: the partner
    sees the text vanish, and twice would be a flicker. Each model has a circuit breaker, so that
    during an outage there is one call now and then, not several per message.
    """

    def __init__(
        self,
        primary: ports.LanguageModel,
        fallback: ports.LanguageModel | None = None,
        *,
        chance: random.Random,
        policy: RetryPolicy = DEFAULT_POLICY,
        sleep: Sleep = asyncio.sleep,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        models = [primary] if fallback is None else [primary, fallback]
        self.name = primary.name
        self.tally = CallTally()
        self._routes = [ModelRoute(model, CircuitBreaker(monotonic)) for model in models]
        self._chance = chance
        self._policy = policy
        self._sleep = sleep
        self._monotonic = monotonic

    async def complete(self, prompt: Prompt) -> ports.Outcome:
        """Return the whole answer or why there is none."""
        return await last_outcome(self._events(prompt, restarts=self._policy.attempts))

    def stream(self, prompt: Prompt) -> AsyncGenerator[ports.Streamed]:
        """Yield pieces, at most one ``StartAgain``, and end with exactly one outcome."""
        return self._events(prompt, restarts=1)

    async def _events(self, prompt: Prompt, restarts: int) -> AsyncGenerator[ports.Streamed]:
        until = self._monotonic() + self._policy.total_seconds

        def remaining() -> float:
            return until - self._monotonic()

        attempts = AttemptPlan(self._routes, self._policy, self._chance, remaining)
        shown = False
        while (restarts or not shown) and (attempt := attempts.next()):
            if shown:
                restarts, shown = restarts - 1, False
                yield ports.StartAgain()
            await self._sleep(attempt.pause_seconds)
            silence = self._policy.silence_seconds
            begun, first = self._monotonic(), None
            async with closing(attempt_events(attempt.route.model, prompt, silence)) as events:
                async for event in events:
                    if isinstance(event, ports.Piece):
                        first = first or self._monotonic() - begun
                        shown = True
                        yield event
                    else:
                        self.tally.note(event, self._monotonic() - begun, first)
                        attempts.record_outcome(attempt.route, event)
        yield attempts.outcome


async def attempt_events(
    model: ports.LanguageModel, prompt: Prompt, silence_seconds: float
) -> AsyncGenerator[ports.Piece | ports.Outcome]:
    """Yield the model's pieces and then exactly one outcome, whatever the model does.

    A model that starts again by itself ends the attempt: only the plan decides about attempts.
    """
    async with closing(model.stream(prompt)) as events:
        while event := await next_within(events, silence_seconds):
            if isinstance(event, ports.Piece):
                yield event
                continue
            yield ports.Truncated("") if isinstance(event, ports.StartAgain) else event
            return
    yield ports.Truncated("")
