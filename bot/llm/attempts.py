"""One call's way through its attempts: whom to ask next, after what pause, and when to stop."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, assert_never

from bot.llm.circuit import Circuit
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

PASSING: Final = frozenset({"timeout", "connection", "overloaded", "server_error"})
OURS: Final = frozenset({"budget"})  # says nothing about the model's health


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long and how often one call is tried.

    The pause before attempt n + 1 is drawn between 0 and ``first_pause_seconds`` · 2^(n-1) (full
    jitter), and is never shorter than the server asks.
    """

    total_seconds: float = 60.0
    attempts: int = 3
    first_pause_seconds: float = 0.5


@dataclass(frozen=True, slots=True)
class Line:
    """A model and what is known of its health."""

    model: LanguageModel
    circuit: Circuit


class Attempt(NamedTuple):
    """Ask this line, after a pause."""

    line: Line
    pause_seconds: float


class Attempts:
    """Hands out the attempts of one call, one after another, and judges how each ended.

    The last attempt is the fallback's, if there is one. The fallback is asked at once, and for
    every attempt left, when the first model's circuit is open, when asking that again cannot
    help, when it kept silent, or when it wants a pause longer than what is left of the time.
    """

    def __init__(
        self,
        lines: Sequence[Line],
        patience: Patience,
        chance: random.Random,
        remaining: Callable[[], float],
    ) -> None:
        self._lines = list(lines)
        self._patience = patience
        self._chance = chance
        self._remaining = remaining
        self._made = 0
        self._current: Line | None = None
        self._invalid_from: Line | None = None
        self._outcome: Outcome = _when_rested(lines)

    @property
    def outcome(self) -> Outcome:
        """How the latest attempt ended; if none could be made, when one can be."""
        return self._outcome

    def next(self) -> Attempt | None:
        """Return the next attempt, or None when nothing more is worth trying."""
        while self._lines and self._made < self._patience.attempts:
            line = self._lines[-1 if self._made == self._patience.attempts - 1 else 0]
            pause = self._pause_before(line)
            if pause < self._remaining() and line.circuit.admits():
                self._made += 1
                self._current = line
                return Attempt(line, pause)
            self._lines.remove(line)
        return None

    def ended(self, line: Line, outcome: Outcome) -> None:
        """Take in how the attempt on ``line`` ended."""
        self._outcome = outcome
        if sickness := _sickness(outcome):
            line.circuit.failed(sickness)
        elif not _is_ours(outcome):
            line.circuit.succeeded()
        if _is_settled(outcome):
            self._lines.clear()
        elif not self._may_pass(line, outcome):
            self._lines.remove(line)
        if isinstance(outcome, Invalid):
            self._invalid_from = line

    def _may_pass(self, line: Line, outcome: Outcome) -> bool:
        """Whether the same model is worth asking again."""
        match outcome:
            case Unavailable(reason="timeout"):
                return len(self._lines) == 1  # another may be quicker than waiting twice
            case Unavailable(reason=reason):
                return reason in PASSING
            case Invalid():
                return outcome != REJECTED and line is not self._invalid_from
            case _:
                return True

    def _pause_before(self, line: Line) -> float:
        if line is not self._current:
            return 0.0
        longest = self._patience.first_pause_seconds * 2 ** (self._made - 1)
        jitter = self._chance.uniform(0.0, longest)
        match self._outcome:
            case Unavailable(retry_after=float(asked)):
                return max(jitter, asked)
            case _:
                return jitter


def _is_settled(outcome: Outcome) -> bool:
    """Whether no model, however often asked, can be expected to do better."""
    match outcome:
        case Replied() | Refused() | TooLong() | Truncated(at_limit=True):
            return True
        case Truncated() | Unavailable() | Invalid():
            return False
        case never:
            assert_never(never)


def _sickness(outcome: Outcome) -> str:
    """Return what the outcome says against the model's health, if anything."""
    match outcome:
        case Unavailable(reason=reason) | Invalid(reason=reason):
            return "" if outcome == REJECTED or _is_ours(outcome) else reason
        case Truncated(at_limit=False):
            return "connection"
        case _:
            return ""


def _is_ours(outcome: Outcome) -> bool:
    return isinstance(outcome, Unavailable) and outcome.reason in OURS


def _when_rested(lines: Sequence[Line]) -> Unavailable:
    """Return why none of ``lines`` may be asked, and in how many seconds one may."""
    circuit = min((line.circuit for line in lines), key=lambda circuit: circuit.seconds_to_probe)
    return Unavailable(circuit.reason, retry_after=circuit.seconds_to_probe)
