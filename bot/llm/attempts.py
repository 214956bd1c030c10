"""One call's way through its attempts: whom to ask next, after what pause, and when to stop."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, assert_never

from bot.llm.circuit import CircuitBreaker
from bot.llm.failures import REJECTED
from memory.ports import (
    Invalid,
    LanguageModel,
    Outcome,
    Refused,
    Replied,
    TooLong,
    Truncated,
    Unavailable,
)

TRANSIENT: Final = frozenset({"timeout", "connection", "overloaded", "server_error"})
OWN_REASONS: Final = frozenset({"budget"})  # says nothing about the model's health


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """How long and how often one call is tried.

    The pause before attempt n + 1 is drawn between 0 and ``first_pause_seconds`` · 2^(n-1) (full
    jitter), and is never shorter than the server asks.
    """

    total_seconds: float = 60.0
    attempts: int = 3
    first_pause_seconds: float = 0.5


@dataclass(frozen=True, slots=True)
class ModelRoute:
    """A model and what is known of its health."""

    model: LanguageModel
    circuit: CircuitBreaker


class PlannedAttempt(NamedTuple):
    """Ask this line, after a pause."""

    route: ModelRoute
    pause_seconds: float


class AttemptPlan:
    """Hands out the attempts of one call, one after another, and judges how each ended.

    The last attempt is the fallback's, if there is one. The fallback is asked at once, and for
    every attempt left, when the first model's circuit is open, when asking that again cannot
    help, when it kept silent, or when it wants a pause longer than what is left of the time.
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
        self._current: ModelRoute | None = None
        self._invalid_from: ModelRoute | None = None
        self._outcome: Outcome = _outcome_while_open(routes)

    @property
    def outcome(self) -> Outcome:
        """How the latest attempt ended; if none could be made, when one can be."""
        return self._outcome

    def next(self) -> PlannedAttempt | None:
        """Return the next attempt, or None when nothing more is worth trying."""
        while self._routes and self._made < self._policy.attempts:
            line = self._routes[-1 if self._made == self._policy.attempts - 1 else 0]
            pause = self._pause_before(line)
            if pause < self._remaining() and line.circuit.admit():
                self._made += 1
                self._current = line
                return PlannedAttempt(line, pause)
            self._routes.remove(line)
        return None

    def record_outcome(self, route: ModelRoute, outcome: Outcome) -> None:
        """Take in how the attempt on ``line`` ended."""
        self._outcome = outcome
        if sickness := _failure_reason(outcome):
            route.circuit.record_failure(sickness)
        elif not _is_own_limit(outcome):
            route.circuit.record_success()
        if _is_final(outcome):
            self._routes.clear()
        elif not self._is_worth_repeating(route, outcome):
            self._routes.remove(route)
        if isinstance(outcome, Invalid):
            self._invalid_from = route

    def _is_worth_repeating(self, route: ModelRoute, outcome: Outcome) -> bool:
        """Whether the same model is worth asking again."""
        match outcome:
            case Unavailable(reason="timeout"):
                return len(self._routes) == 1  # another may be quicker than waiting twice
            case Unavailable(reason=reason):
                return reason in TRANSIENT
            case Invalid():
                return outcome != REJECTED and route is not self._invalid_from
            case _:
                return True

    def _pause_before(self, route: ModelRoute) -> float:
        if route is not self._current:
            return 0.0
        longest = self._policy.first_pause_seconds * 2 ** (self._made - 1)
        jitter = self._chance.uniform(0.0, longest)
        match self._outcome:
            case Unavailable(retry_after=float(asked)):
                return max(jitter, asked)
            case _:
                return jitter


def _is_final(outcome: Outcome) -> bool:
    """Whether no model, however often asked, can be expected to do better."""
    match outcome:
        case Replied() | Refused() | TooLong() | Truncated(at_limit=True):
            return True
        case Truncated() | Unavailable() | Invalid():
            return False
        case never:
            assert_never(never)


def _failure_reason(outcome: Outcome) -> str:
    """Return what the outcome says against the model's health, if anything."""
    match outcome:
        case Unavailable(reason=reason) | Invalid(reason=reason):
            return "" if outcome == REJECTED or _is_own_limit(outcome) else reason
        case Truncated(at_limit=False):
            return "connection"
        case _:
            return ""


def _is_own_limit(outcome: Outcome) -> bool:
    return isinstance(outcome, Unavailable) and outcome.reason in OWN_REASONS


def _outcome_while_open(routes: Sequence[ModelRoute]) -> Unavailable:
    """Return why none of ``lines`` may be asked, and in how many seconds one may."""
    circuit = min((line.circuit for line in routes), key=lambda circuit: circuit.seconds_to_probe)
    return Unavailable(circuit.reason, retry_after=circuit.seconds_to_probe)
