"""Deciding what becomes of messages that could not be answered, and what the partner is told.

Pure decisions: :mod:`bot.conversation.response_handler` carries them out.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, TypeAlias, assert_never

from bot.conversation.ledger import Fate, GiveUp, Received, TryAgain
from bot.conversation.messages import Incoming
from bot.supervise import Failed
from bot.texts import Sentence
from bot.texts import dialogue as texts
from memory.errors import StoreError
from memory.ports import DAILY_LIMIT_REACHED, Invalid, Refused, TooLong, Truncated, Unavailable

ATTEMPTS: Final = 3
"""How often an answer may go wrong: one bad message must not block its chat for ever."""

OUTAGE_LIMIT: Final = timedelta(hours=24)
"""How long a message waits for a model that is away."""

# Doubled at every attempt, up to the longest: a restart of the model's server is over in seconds,
# and asking through an outage of a night costs some fifty calls.
FIRST_WAIT: Final = timedelta(seconds=15)
LONGEST_WAIT: Final = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class NotRemembered:
    """There was a reply to a request to remember, but memory could not keep it."""


Failure: TypeAlias = Refused | Truncated | TooLong | Unavailable | Invalid | Failed | NotRemembered


@dataclass(frozen=True, slots=True)
class Verdict:
    """What happens to the messages of a failed turn: their fate, and what the partner is told."""

    fate: Fate
    sentence: Sentence

    @property
    def remembered(self) -> bool:
        """Whether memory gets them as said now: whatever becomes of an answer, they were said."""
        return isinstance(self.fate, GiveUp)


OWNERS_REASONS: Final = {
    "quota": texts.NO_MONEY,
    "refused_key": texts.KEY_REFUSED,
    "unknown_model": texts.MODEL_UNKNOWN,
    "unknown_address": texts.NOBODY_THERE,
}
"""What waiting does not mend, and only the owner can: they are told in plain words."""


def nobody_owns(_: Incoming) -> bool:
    """Take nobody for an owner."""
    return False


def verdict_on(
    failure: Failure,
    messages: Sequence[Received],
    now: datetime,
    *,
    is_owner: Callable[[Incoming], bool] = nobody_owns,
) -> Verdict:
    """Decide about the messages of a failed turn.

    While a model or a disk is away a message only waits. An answer that goes wrong costs it one
    of three attempts. A refusal, or a text that never fits, ends it at once. In private an owner
    hears what only they can mend.
    """
    first = messages[0].incoming
    to_owner = first.private and is_owner(first)
    match failure:
        case Unavailable(reason, asked_to_wait):
            sentence = texts.LIMIT_REACHED if reason == DAILY_LIMIT_REACHED else texts.POSTPONED
            sentence = OWNERS_REASONS.get(reason, sentence) if to_owner else sentence
            verdict = _verdict_while_away(
                messages, now, sentence, timedelta(seconds=asked_to_wait or 0)
            )
        case NotRemembered():
            verdict = _verdict_while_away(messages, now, texts.NOT_STORED)
        case Refused():
            verdict = Verdict(GiveUp("refused"), texts.DECLINED)
        case TooLong():
            verdict = Verdict(GiveUp("too long"), texts.TOO_LONG)
        case Truncated(at_limit=True):
            # Not a word came before the limit: all of it went into what a model only thinks.
            verdict = Verdict(GiveUp("truncated"), texts.GAVE_UP)
        case Truncated() | Invalid():
            verdict = _verdict_after_try(messages, now, type(failure).__name__.lower())
        case Failed(error):
            verdict = _verdict_on_error(messages, now, error)
        case never:
            assert_never(never)
    return verdict


def _verdict_while_away(
    messages: Sequence[Received],
    now: datetime,
    sentence: Sentence,
    at_least: timedelta = timedelta(0),
) -> Verdict:
    # The age counts from when it was said: a message that came during the outage is young, and one
    # that was delivered a day late still gets its attempts.
    tried = _attempts_made(messages) + 1 >= ATTEMPTS
    if tried and now - max(message.incoming.at for message in messages) > OUTAGE_LIMIT:
        return Verdict(GiveUp("expired"), texts.EXPIRED)
    return Verdict(TryAgain(now + max(_next_wait(messages), at_least)), sentence)


def _verdict_on_error(messages: Sequence[Received], now: datetime, error: Exception) -> Verdict:
    if isinstance(error, StoreError):
        return _verdict_while_away(messages, now, texts.POSTPONED)
    return _verdict_after_try(messages, now, type(error).__name__)


def _verdict_after_try(messages: Sequence[Received], now: datetime, reason: str) -> Verdict:
    if _attempts_made(messages) + 1 >= ATTEMPTS:
        return Verdict(GiveUp(reason), texts.GAVE_UP)
    return Verdict(TryAgain(now + _next_wait(messages)), texts.POSTPONED)


def _attempts_made(messages: Sequence[Received]) -> int:
    return max(message.attempts for message in messages)


def _next_wait(messages: Sequence[Received]) -> timedelta:
    doublings = min(_attempts_made(messages), 10)  # far above LONGEST_WAIT, far below overflow
    return min(FIRST_WAIT * (1 << doublings), LONGEST_WAIT)
