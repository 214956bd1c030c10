"""What becomes of a message that could not be answered, and what the partner hears."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, TypeAlias, assert_never

from bot.conversation.ledger import Fate, GiveUp, Received, TryAgain
from bot.supervise import Stumbled
from bot.texts import Sentence
from bot.texts import conversation as texts
from memory.errors import StoreError
from memory.ports import Invalid, Refused, TooLong, Truncated, Unavailable

ATTEMPTS: Final = 3
"""An answer that goes wrong so often is not tried again: one bad message must not wedge a chat."""

PATIENCE: Final = timedelta(hours=24)
"""So long a message waits for a model that is away."""

FIRST_WAIT: Final = timedelta(seconds=15)
LONGEST_WAIT: Final = timedelta(minutes=10)

OUT_OF_BUDGET: Final = "budget"
"""The reason of :class:`Unavailable` that means the daily limit."""


@dataclass(frozen=True, slots=True)
class Unkept:
    """There was a reply to a request to remember, but memory could not keep it."""


Failure: TypeAlias = Refused | Truncated | TooLong | Unavailable | Invalid | Stumbled | Unkept


@dataclass(frozen=True, slots=True)
class Verdict:
    """The fate of the messages, what is said about it, and whether they are still remembered."""

    fate: Fate
    sentence: Sentence
    remembered: bool = False


def judged(failure: Failure, messages: Sequence[Received], now: datetime) -> Verdict:
    """Decide about the messages of a failed turn.

    A model or a disk that is away costs a message nothing but time; an answer that goes wrong
    costs it one of three attempts; a refusal, or a text that never fits, ends it at once.
    """
    match failure:
        case Unavailable(reason, asked_to_wait):
            sentence = texts.SPENT if reason == OUT_OF_BUDGET else texts.POSTPONED
            verdict = _waiting(messages, now, sentence, timedelta(seconds=asked_to_wait or 0))
        case Unkept():
            verdict = _waiting(messages, now, texts.NOT_STORED)
        case Refused():
            verdict = Verdict(GiveUp("refused"), texts.DECLINED)
        case TooLong():
            verdict = Verdict(GiveUp("too long"), texts.TOO_LONG)
        case Truncated(at_limit=True):
            verdict = Verdict(GiveUp("truncated"), texts.GAVE_UP)
        case Truncated() | Invalid():
            verdict = _tried(messages, now, type(failure).__name__.lower())
        case Stumbled(error):
            verdict = _stumbled(messages, now, error)
        case never:
            assert_never(never)
    return verdict


def _waiting(
    messages: Sequence[Received],
    now: datetime,
    sentence: Sentence,
    at_least: timedelta = timedelta(0),
) -> Verdict:
    tried = _attempts(messages) + 1 >= ATTEMPTS
    if tried and now - max(message.incoming.at for message in messages) > PATIENCE:
        return Verdict(GiveUp("expired"), texts.EXPIRED, remembered=True)
    return Verdict(TryAgain(now + max(_wait(messages), at_least)), sentence)


def _stumbled(messages: Sequence[Received], now: datetime, error: Exception) -> Verdict:
    if isinstance(error, StoreError):
        return _waiting(messages, now, texts.POSTPONED)
    return _tried(messages, now, type(error).__name__)


def _tried(messages: Sequence[Received], now: datetime, reason: str) -> Verdict:
    if _attempts(messages) + 1 >= ATTEMPTS:
        return Verdict(GiveUp(reason), texts.GAVE_UP)
    return Verdict(TryAgain(now + _wait(messages)), texts.POSTPONED)


def _attempts(messages: Sequence[Received]) -> int:
    return max(message.attempts for message in messages)


def _wait(messages: Sequence[Received]) -> timedelta:
    doublings = min(_attempts(messages), 10)
    return min(FIRST_WAIT * (1 << doublings), LONGEST_WAIT)
