"""How a fate is carried out on one memory: the records that change, and nothing else."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal, TypeAlias, assert_never

from memory.changes import Change, Drop, Former, Put, Review
from memory.laws.fates import GRACE, Archive, AskReview, Compress, Delete, Fate, Fates
from memory.manager.compression import reduced
from memory.manager.ledgers import weight_log_of_night
from memory.model import Archived, Deleted, DeletionPolicy, Memory
from memory.state import MemoryState

Reviewer: TypeAlias = Literal["none", "ready", "unavailable"]
"""Who answers reviews: no model is configured, one is, or one is that cannot answer now."""

Kind: TypeAlias = Literal["compressed", "archived", "deleted"]


@dataclass(frozen=True, slots=True)
class Deed:
    """What becomes of one memory on one night."""

    before: Memory
    after: Memory

    @property
    def kind(self) -> Kind:
        """What it counts as: the gravest of what happens."""
        if isinstance(self.after.standing, Deleted):
            return "deleted"
        if self.after.standing is not self.before.standing:
            return "archived"
        return "compressed"

    @property
    def shortened(self) -> bool:
        """Whether the memory says less than before."""
        return self.after.words is not self.before.words


def asks(said: Fates) -> bool:
    """Whether a law wants a review.

    Where someone answers reviews the memory waits for the answer, however long that takes, and
    nothing else is done to it (DESIGN §6.1); where nobody does there is nothing to wait for.
    """
    return any(isinstance(fate, AskReview) for fate in said)


def deed(memory: Memory, said: Fates, now: datetime) -> Deed | None:
    """Return what carrying out ``said`` makes of the memory, or None if it is so already."""
    after = memory
    for fate in said:
        after = _fated(after, fate, now)
    return None if after is memory else Deed(memory, after)


def records(done: Deed, state: MemoryState, now: datetime) -> Iterator[Change]:
    """Yield the changes of a deed: the memory, its former text, its log, a review given up."""
    memory_id = done.before.id
    yield Put(done.after)
    if done.shortened:
        yield Put(kept_text(done.before, state, now))
    if state.household.settings.law == "weights":
        log = weight_log_of_night(done.before, state, now, done.kind)
        if log:
            yield Put(log)
    if done.kind == "deleted" and memory_id in state.reviews:
        yield Drop(Review, memory_id)


def kept_text(memory: Memory, state: MemoryState, now: datetime) -> Former:
    """Return the record that keeps what a memory says for 30 days before it is shortened.

    Of a memory that was shortened lately already, the fuller text stays.
    """
    known = state.former.get(memory.id)
    if known and now - known.at < GRACE:
        return replace(known, at=now)
    return Former(memory_id=memory.id, at=now, words=memory.words, passages=memory.passages)


def _fated(memory: Memory, fate: Fate, now: datetime) -> Memory:
    match fate:
        case Compress(level):
            return reduced(memory, level)
        case Archive():
            return replace(memory, standing=Archived(now)) if memory.is_active else memory
        case Delete():
            return replace(memory, standing=Deleted(now, DeletionPolicy.AUTO_CLEANUP))
        case AskReview():
            return memory
        case never:
            assert_never(never)
