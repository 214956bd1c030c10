"""What is let go for good once its 30 days of grace are over (seed 001, lifecycle)."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from memory.changes import (
    Change,
    Corrections,
    Drop,
    PreviousText,
    Links,
    Record,
    PendingReview,
    WeightLog,
)
from memory.laws.fates import GRACE
from memory.model import Deleted, Memory
from memory.state import MemoryState

_ABOUT_ONE_MEMORY: Final[tuple[type[Record], ...]] = (
    Memory,
    Links,
    PreviousText,
    WeightLog,
    Corrections,
    PendingReview,
)


def is_past_grace(memory: Memory, now: datetime) -> bool:
    """Whether a deleted memory has had its days of grace."""
    standing = memory.standing
    return isinstance(standing, Deleted) and now - standing.at >= GRACE


def purge_changes(memory_ids: Iterable[int]) -> list[Change]:
    """Return the drops of memories and of every record about them.

    Links of others to them stay: they mean "I once knew something about this" (DESIGN §6.4).
    """
    return [Drop(table, memory_id) for memory_id in memory_ids for table in _ABOUT_ONE_MEMORY]


def expired_texts(state: MemoryState, now: datetime) -> list[Change]:
    """Return the drops of former texts past the days of grace."""
    return [
        Drop(PreviousText, each.memory_id)
        for each in state.previous_texts.values()
        if now - each.at >= GRACE
    ]
