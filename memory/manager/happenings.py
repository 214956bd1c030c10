"""What follows from events and verdicts beyond the memory itself: reviews, logs, counters."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Literal, TypeAlias, assert_never

from memory.changes import Change, Drop, Put, PendingReview
from memory.laws.events import Event, after_event, crossed_promotion
from memory.laws.fates import may_delete
from memory.manager.ledgers import increments, weight_log, with_counts
from memory.manager.undo import with_undo
from memory.model import Deleted, DeletionPolicy, Memory, Tier
from memory.state import MemoryState

Verdict: TypeAlias = Literal["promote", "keep", "delete"]


def plan_events(
    state: MemoryState, events: Sequence[tuple[int, Event]], now: datetime
) -> tuple[Change, ...]:
    """Return everything that follows from events at ``now``, in order, as one commit.

    The memories after it, a promotion review for each fact that crossed 2.5 upwards, the weight
    log where a weight moved by more than 0.01, and the counters. Unknown ids are passed over: a
    memory may be purged between its use and this commit.
    """
    settings = state.agent_info.settings
    after: dict[int, Memory] = {}
    reasons: dict[int, str] = {}
    more: Counter[str] = Counter()
    for memory_id, event in events:
        memory = after.get(memory_id) or state.memories.get(memory_id)
        if memory is None:
            continue
        after[memory_id] = after_event(memory, event, now, settings)
        reasons[memory_id] = event.value
        more.update(increments(event, after[memory_id], settings))
    changes: list[Change] = []
    for memory_id, memory in after.items():
        changes += _consequences(memory, state, now, reasons[memory_id])
    agent_info = with_counts(state.agent_info, more)
    if agent_info != state.agent_info:
        changes.append(Put(agent_info))
    return tuple(changes)


def after_verdict(
    state: MemoryState, review: PendingReview, verdict: Verdict, now: datetime
) -> tuple[Change, ...]:
    """Return what a verdict of the reviewer does (seed 003, carrying out the decision).

    Promotion: PROMOTE makes a core memory of importance 3.0, KEEP changes nothing. Decay: KEEP
    and PROMOTE set 0.5 and count as an access. DELETE deletes softly, except what no law may
    delete: that is kept. The review is over either way; if the memory is gone or no fact any
    more, that is all.
    """
    memory = state.memories.get(review.memory_id)
    over = Drop(PendingReview, review.memory_id)
    if memory is None or not memory.is_active or memory.nature.tier is not Tier.FACT:
        return (over,) if review.memory_id in state.reviews else ()
    judged = _after_judgement(memory, review, verdict, state, now)
    if judged == memory:
        return (over,)
    return with_undo(state, (Put(judged), over), now, actor="background", label="review")


def _consequences(memory: Memory, state: MemoryState, now: datetime, reason: str) -> list[Change]:
    before = state.memories[memory.id]
    changes: list[Change] = [Put(memory)]
    if memory.is_active and crossed_promotion(before, memory, now, state.agent_info.settings):
        changes.append(Put(PendingReview(memory_id=memory.id, task="promotion", since=now)))
    log = weight_log(before, memory, state, now, reason)
    if log:
        changes.append(Put(log))
    return changes


def _after_judgement(
    memory: Memory, review: PendingReview, verdict: Verdict, state: MemoryState, now: datetime
) -> Memory:
    settings = state.agent_info.settings
    match verdict:
        case "delete" if may_delete(memory):
            return replace(memory, standing=Deleted(now, DeletionPolicy.AUTO_CLEANUP))
        case "promote" if review.task == "promotion":
            return after_event(memory, Event.PROMOTE, now, settings)
        case "promote" | "keep" | "delete":
            if review.task == "promotion":
                return memory
            return after_event(memory, Event.KEEP, now, settings)
        case never:
            assert_never(never)
