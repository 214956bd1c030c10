"""Putting a turn away: working memory, its receipt, and the turn for the background to judge."""

from collections.abc import Sequence
from typing import Final

from memory.changes import Change, Drop, Put, Receipt, Turn, Window
from memory.laws.law import Event
from memory.manager.burial import is_buried
from memory.model import Message
from memory.state import MemoryState
from memory.working import appended

RECEIPTS_KEPT: Final = 1_000


def uses(turn: Turn) -> list[tuple[int, Event]]:
    """Return what being put into a prompt means to each memory: once per turn (DESIGN §6.2)."""
    return [
        (used.memory_id, Event.ASSOCIATION_HIT if used.associated else Event.ACCESS)
        for used in turn.used
    ]


def filed(turn: Turn, learnt: tuple[str, ...], state: MemoryState) -> list[Change]:
    """Return the turn put away: working memory, receipt, and the turn for the background."""
    learning = state.household.settings.learning
    receipt = Receipt(
        turn_id=turn.id,
        at=turn.at,
        used=turn.used,
        learnt=learnt,
        outcome="waiting" if learning else "nothing",
    )
    changes: list[Change] = [*heard(turn.conversation, (*turn.said, turn.reply), state)]
    changes.append(Put(receipt))
    if learning:
        changes.append(Put(turn))
    if len(state.receipts) >= RECEIPTS_KEPT:
        oldest = min(state.receipts.values(), key=lambda each: (each.at, each.turn_id))
        changes.append(Drop(Receipt, oldest.turn_id))
    return changes


def heard(
    conversation: str, messages: Sequence[Message], state: MemoryState
) -> tuple[Change, ...]:
    """Return the working memory after messages; those it holds already change nothing."""
    before = state.windows.get(conversation) or Window(conversation=conversation)
    new = [m for m in messages if m.id not in state.seen and not is_buried(m.id, state)]
    after = appended(before, new)
    return (Put(after),) if after != before else ()
