"""How a fate is carried out on one memory: the records that change, and nothing else."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal, TypeAlias, assert_never

from memory.changes import Change, Drop, PreviousText, Put, PendingReview
from memory.laws.fates import GRACE, Archive, AskReview, CompressTo, SoftDelete, Fate, Fates
from memory.manager.compression import at_level
from memory.manager.ledgers import weight_log_of_night
from memory.model import Archived, Deleted, DeletionPolicy, Memory
from memory.state import MemoryState

ReviewerStatus: TypeAlias = Literal["none", "ready", "unavailable"]
"""Who answers reviews: no model is configured, one is, or one is that cannot answer now."""

EffectKind: TypeAlias = Literal["compressed", "archived", "deleted"]


@dataclass(frozen=True, slots=True)
class FateEffect:
    """What becomes of one memory on one night."""

    before: Memory
    after: Memory

    @property
    def kind(self) -> EffectKind:
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


def wants_review(fates: Fates) -> bool:
    """Whether a law wants a review.

    Where someone answers reviews the memory waits for the answer, however long that takes, and
    nothing else is done to it (DESIGN §6.1); where nobody does there is nothing to wait for.
    """
    return any(isinstance(fate, AskReview) for fate in fates)


def fate_effect(memory: Memory, fates: Fates, now: datetime) -> FateEffect | None:
    """Return what carrying out ``said`` makes of the memory, or None if it is so already."""
    after = memory
    for fate in fates:
        after = _after_fate(after, fate, now)
    return None if after is memory else FateEffect(memory, after)


def effect_changes(effect: FateEffect, state: MemoryState, now: datetime) -> Iterator[Change]:
    """Yield the changes of a deed: the memory, its former text, its log, a review given up."""
    memory_id = effect.before.id
    yield Put(effect.after)
    if effect.shortened:
        yield Put(previous_text(effect.before, state, now))
    if state.agent_info.settings.law == "weights":
        log = weight_log_of_night(effect.before, state, now, effect.kind)
        if log:
            yield Put(log)
    if effect.kind == "deleted" and memory_id in state.reviews:
        yield Drop(PendingReview, memory_id)


def previous_text(memory: Memory, state: MemoryState, now: datetime) -> PreviousText:
    """Return the record that keeps what a memory says for 30 days before it is shortened.

    Of a memory that was shortened lately already, the fuller text stays.
    """
    known = state.previous_texts.get(memory.id)
    if known and now - known.at < GRACE:
        return replace(known, at=now)
    return PreviousText(memory_id=memory.id, at=now, words=memory.words, passages=memory.passages)


def _after_fate(memory: Memory, fate: Fate, now: datetime) -> Memory:
    match fate:
        case CompressTo(level):
            return at_level(memory, level)
        case Archive():
            return replace(memory, standing=Archived(now)) if memory.is_active else memory
        case SoftDelete():
            return replace(memory, standing=Deleted(now, DeletionPolicy.AUTO_CLEANUP))
        case AskReview():
            return memory
        case never:
            assert_never(never)
