"""Which of the waiting messages belong together."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile
from typing import Final, TypeAlias

from bot.conversation.ledger import Received

BURST_MESSAGES: Final = 8
BURST_CHARACTERS: Final = 4_000
LATE_MESSAGES: Final = 100
LATE_CHARACTERS: Final = 12_000
"""What came while she was away is gathered up to here, and answered at once."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """One utterance to answer: messages of one sender in a row. ``open`` while it may grow."""

    messages: tuple[Received, ...]
    open: bool = False


@dataclass(frozen=True, slots=True)
class Chatter:
    """Group chatter that asks for no answer, by anyone."""

    messages: tuple[Received, ...]


@dataclass(frozen=True, slots=True)
class CommandBatch:
    """A command; it stands alone and waits for nothing."""

    message: Received


Batch: TypeAlias = Utterance | Chatter | CommandBatch


def first_batch(waiting: Sequence[Received], late_before: datetime | None = None) -> Batch:
    """Return what to take first of messages waiting in order; there must be at least one.

    An utterance begins with a message that asks for an answer. It goes on with whatever the same
    sender wrote next, addressed or not, up to 8 messages and 4,000 characters; a command or
    another person ends it. What was written before ``late_before`` is old news by now: of that, up
    to 100 messages and 12,000 characters are gathered into one.
    """
    first = waiting[0]
    if first.incoming.is_command and first.incoming.addressed:
        return CommandBatch(first)
    if not first.incoming.addressed:
        return Chatter(_chatter(waiting))
    late = _late_messages(waiting, late_before)
    if len(late) > 1:
        return Utterance(_burst(late, LATE_MESSAGES, LATE_CHARACTERS))
    taken = _burst(waiting, BURST_MESSAGES, BURST_CHARACTERS)
    return Utterance(
        taken, open=len(taken) == len(waiting) < BURST_MESSAGES and not _is_full(taken)
    )


def _late_messages(waiting: Sequence[Received], before: datetime | None) -> Sequence[Received]:
    """Return the messages at the front that were written before that instant."""
    if before is None:
        return ()
    return tuple(takewhile(lambda message: message.incoming.at < before, waiting))


def _chatter(waiting: Sequence[Received]) -> tuple[Received, ...]:
    taken = []
    for message in waiting:
        if message.incoming.addressed:
            break
        taken.append(message)
    return tuple(taken)


def _burst(waiting: Sequence[Received], most: int, characters: int) -> tuple[Received, ...]:
    sender = waiting[0].incoming.sender.id
    taken: list[Received] = []
    for message in waiting[:most]:
        if message.incoming.sender.id != sender or message.incoming.is_command:
            break
        if taken and _count_characters([*taken, message]) > characters:
            break
        taken.append(message)
    return tuple(taken)


def _count_characters(messages: Sequence[Received]) -> int:
    return sum(len(message.incoming.text) for message in messages)


def _is_full(taken: Sequence[Received]) -> bool:
    return _count_characters(taken) >= BURST_CHARACTERS
