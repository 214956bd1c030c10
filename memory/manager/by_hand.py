"""What the partner does to the life of a memory by hand: clean up, hide, bring back."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from memory.changes import Change, Drop, PreviousText, Put, PendingReview
from memory.laws.events import Event, after_event
from memory.laws.parameters import parameters
from memory.manager.deeds import ReviewerStatus
from memory.manager.ledgers import with_counts
from memory.manager.night import FatePlan, plan_fates
from memory.manager.undo import with_undo
from memory.model import ACTIVE, Deleted, DeletionPolicy, Memory
from memory.state import MemoryState


@dataclass(frozen=True, slots=True)
class TooSoon:
    """A cleanup ran less than an hour ago; the next may run at ``next_at``."""

    next_at: datetime


def plan_cleanup(
    state: MemoryState, now: datetime, *, reviewer: ReviewerStatus, dry_run: bool = False
) -> FatePlan | TooSoon:
    """Return what the law says of every memory now, without waiting for the night.

    Under ``ebbinghaus`` at most once in ``cleanupIntervalHours`` (seed 000 §4.4); a dry run may be
    planned any time, is shown and never applied. Episodes still wait for their consolidation.
    """
    agent_info = state.agent_info
    if agent_info.settings.law == "ebbinghaus" and agent_info.cleaned_at and not dry_run:
        pause = timedelta(hours=parameters(agent_info.settings).ebbinghaus.cleanup_interval_hours)
        if timedelta(0) <= now - agent_info.cleaned_at < pause:
            return TooSoon(agent_info.cleaned_at + pause)
    plan = plan_fates(state, now, reviewer=reviewer)
    noted = with_counts(agent_info, {"passive_compression_count": len(plan.compressed)})
    return replace(plan, changes=(*plan.changes, Put(replace(noted, cleaned_at=now))))


def plan_hide(state: MemoryState, memory_id: int, now: datetime) -> tuple[Change, ...]:
    """Return the changes that hide a memory for its partner: deleted softly, purged in 30 days.

    Raises :class:`memory.errors.UnknownMemory`; a memory that is deleted already stays as it is.
    """
    memory = state.memory(memory_id)
    if isinstance(memory.standing, Deleted):
        return ()
    hidden = replace(memory, standing=Deleted(now, DeletionPolicy.USER_DELETE))
    changes = (Put(hidden), Drop(PendingReview, memory_id))
    return with_undo(state, changes, now, actor="partner", label="hide")


def plan_restore(state: MemoryState, memory_id: int, now: datetime) -> tuple[Change, ...]:
    """Return the changes that bring a memory back as it was, whatever took it away.

    Deleted, archived and merged become active, and what a law shortened in the last 30 days gets
    its former text again. Asking for it is a mention and a reason to keep it, and an episode
    begins its days anew; else the very next night would take it away again. Nothing for a memory
    that lacks nothing. Raises :class:`memory.errors.UnknownMemory`.
    """
    memory = state.memory(memory_id)
    known = state.previous_texts.get(memory_id)
    if memory.is_active and known is None:
        return ()
    changes = (Put(_after_restore(memory, known, state, now)), Drop(PreviousText, memory_id))
    return with_undo(state, changes, now, actor="partner", label="restore")


def mark_consolidated(
    state: MemoryState, memory_ids: tuple[int, ...], now: datetime
) -> tuple[Change, ...]:
    """Return the marks on episodes whose lasting facts were taken out; they may end now."""
    episodes = (state.memories.get(memory_id) for memory_id in memory_ids)
    return tuple(
        Put(replace(episode, lineage=replace(episode.lineage, consolidated_at=now)))
        for episode in episodes
        if episode and episode.lineage.consolidated_at is None
    )


def _after_restore(
    memory: Memory, known: PreviousText | None, state: MemoryState, now: datetime
) -> Memory:
    if known:
        memory = replace(memory, words=known.words, passages=known.passages)
    memory = replace(memory, standing=ACTIVE, lineage=replace(memory.lineage, restored_at=now))
    settings = state.agent_info.settings
    kept = after_event(memory, Event.KEEP, now, settings)
    return after_event(kept, Event.MENTION, now, settings)
