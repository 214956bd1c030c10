"""What follows from events and verdicts beyond the memory itself: reviews, weight log, counters.

Everything that follows from one event is planned together, so that it becomes one commit.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from datetime import datetime
from typing import Final, Literal, NamedTuple, TypeAlias, assert_never

from memory.changes import (
    AgentInfo,
    Change,
    Correction,
    Corrections,
    Drop,
    PastReview,
    PendingReview,
    Put,
    WeightChange,
    WeightLog,
)
from memory.laws import weights
from memory.laws.contract import may_delete
from memory.laws.law import Event
from memory.laws.registry import Rules
from memory.lifecycle.effects import REVIEW_LABEL, FateEffect, previous_text
from memory.lifecycle.undo import PARTNER, with_undo
from memory.model import Deleted, DeletionPolicy, Memory, Tier
from memory.state import MemoryState

_CORRECTIONS_KEPT: Final = 20

LOGGED_ABOVE: Final = 0.01
"""A smaller change of a weight is not logged (source document 001, weight log)."""

ENTRIES_KEPT: Final = 20

_FACTORS: Final = tuple(each.name for each in fields(weights.Factors))

COUNTERS: Final = (
    "passive_compression_count",
    "user_activation_count",
    "negation_count",
    "frequent_reinforce_count",
    "batch_merge_count",
)
"""The counted five of the seven metrics; the average and the distribution are computed."""


def weight_log(
    before: Memory, after: Memory, state: MemoryState, now: datetime, reason: str
) -> WeightLog | None:
    """Return the log of a memory with what an event did to its weight, or None under 0.01.

    ``reason`` is one of our own short words, such as the event. The newest 20 entries stay.
    """
    rules = state.rules
    old, _ = _weight_and_factors(before, now, rules)
    new, factors = _weight_and_factors(after, now, rules)
    if abs(new - old) <= LOGGED_ABOVE:
        return None
    return _log_with(
        state, after.id, WeightChange(at=now, old=old, new=new, reason=reason, factors=factors)
    )


def weight_log_of_night(
    memory: Memory, state: MemoryState, now: datetime, reason: str
) -> WeightLog | None:
    """Return the log of a memory that a night acts on: what time did since it was last written."""
    rules = state.rules
    known = state.weight_logs.get(memory.id)
    old = (
        known.entries[-1].new
        if known
        else _weight_and_factors(memory, memory.trace.created_at, rules)[0]
    )
    new, factors = _weight_and_factors(memory, now, rules)
    if abs(new - old) <= LOGGED_ABOVE:
        return None
    return _log_with(
        state, memory.id, WeightChange(at=now, old=old, new=new, reason=reason, factors=factors)
    )


def effect_changes(effect: FateEffect, state: MemoryState, now: datetime) -> Iterator[Change]:
    """Yield the changes of an effect: memory, previous text, log, a review given up."""
    memory_id = effect.before.id
    yield Put(effect.after)
    if effect.shortened:
        yield Put(previous_text(effect.before, state, now))
    if state.rules.law.logs_nights:
        log = weight_log_of_night(effect.before, state, now, effect.kind)
        if log:
            yield Put(log)
    if effect.kind == "deleted" and memory_id in state.reviews:
        yield Drop(PendingReview, memory_id)


def with_counts(agent_info: AgentInfo, more: Mapping[str, float]) -> AgentInfo:
    """Return ``agent_info`` with ``more`` added to its counters."""
    # An unchanged record is no change: a turn without events must not write one.
    if not any(more.values()):
        return agent_info
    counters = dict.fromkeys(COUNTERS, 0.0) | dict(agent_info.counters)
    for name, count in more.items():
        counters[name] = counters.get(name, 0.0) + count
    return replace(agent_info, counters=tuple(counters.items()))


def increments(event: Event, after: Memory, rules: Rules) -> Mapping[str, float]:
    """Return what an event adds to the counters, given the memory as it is afterwards."""
    if event is Event.NEGATE:
        return {"negation_count": 1}
    if event is not Event.MENTION:
        return {}
    params = rules.parameters_of(weights.LAW)
    frequent = weights.is_frequent(after.trace, after.trace.activated_at, params)
    return {"user_activation_count": 1, "frequent_reinforce_count": int(frequent)}


def _weight_and_factors(
    memory: Memory, now: datetime, rules: Rules
) -> tuple[float, tuple[tuple[str, float], ...]]:
    params = rules.parameters_of(weights.LAW)
    factors = weights.factors(memory, rules.context(now), params)
    value = weights.within_bounds(factors.product, params)
    return value, tuple((name, getattr(factors, name)) for name in _FACTORS)


def _log_with(state: MemoryState, memory_id: int, entry: WeightChange) -> WeightLog:
    known = state.weight_logs.get(memory_id)
    entries = (*(known.entries if known else ()), entry)
    return WeightLog(memory_id=memory_id, entries=entries[-ENTRIES_KEPT:])


Decision: TypeAlias = Literal["promote", "keep", "delete"]


def plan_events(
    state: MemoryState, events: Sequence[tuple[int, Event]], now: datetime
) -> tuple[Change, ...]:
    """Return everything that follows from events at ``now``, in order, as one commit.

    The memories after it, a promotion review for each fact that crossed 2.5 upwards, the weight
    log where a weight moved by more than 0.01, and the counters. Unknown ids are passed over: a
    memory may be purged between its use and this commit.
    """
    rules = state.rules
    after: dict[int, Memory] = {}
    reasons: dict[int, str] = {}
    more: Counter[str] = Counter()
    for memory_id, event in events:
        memory = after.get(memory_id) or state.memories.get(memory_id)
        if memory is None:
            continue
        after[memory_id] = rules.after_event(memory, event, now)
        reasons[memory_id] = event.value
        more.update(increments(event, after[memory_id], rules))
    changes: list[Change] = []
    for memory_id, memory in after.items():
        changes += _consequences(memory, state, now, reasons[memory_id])
    agent_info = with_counts(state.agent_info, more)
    if agent_info != state.agent_info:
        changes.append(Put(agent_info))
    return tuple(changes)


REVIEWS_KEPT: Final = 5


class GivenVerdict(NamedTuple):
    """The verdict on one review: what is decided, who decided, and why if by rule."""

    decision: Decision
    by: str = ""
    reason: str = ""


def after_verdicts(
    state: MemoryState, verdicts: Sequence[tuple[PendingReview, GivenVerdict]], now: datetime
) -> tuple[Change, ...]:
    """Return what verdicts of the reviewer do, as one step (source document 003).

    Promotion: PROMOTE makes a core memory of importance 3.0, KEEP changes nothing. Decay: KEEP
    and PROMOTE set 0.5 and count as an access. DELETE deletes softly, except what no law may
    delete: that is kept. The review is over either way and stands in the memory's history; if the
    memory is gone or no fact any more, only its review is over.
    """
    changes: list[Change] = []
    lost: list[Change] = []
    for review, verdict in verdicts:
        memory = state.memories.get(review.memory_id)
        # The answer may come days after the question: the memory may be gone by now, or be core.
        if memory is None or not memory.is_active or memory.nature.tier is not Tier.FACT:
            lost += [Drop(PendingReview, review.memory_id)] * (review.memory_id in state.reviews)
            continue
        judged = _after_judgement(memory, review, verdict.decision, state, now)
        changes += [Put(judged)] * (judged != memory)
        changes += [_with_past_review(state, review, verdict, now)]
        changes += [Drop(PendingReview, review.memory_id)]
    done = with_undo(state, tuple(changes), now, actor="background", label=REVIEW_LABEL)
    return (*done, *lost)


def was_taken_back(state: MemoryState, memory_id: int) -> bool:
    """Whether the partner took back what a review had decided about a memory."""
    known = state.corrections.get(memory_id)
    return known is not None and any(each.by == PARTNER for each in known.reviews)


def _with_past_review(
    state: MemoryState, review: PendingReview, verdict: GivenVerdict, now: datetime
) -> Put:
    known = state.corrections.get(review.memory_id) or Corrections(memory_id=review.memory_id)
    entry = PastReview(
        at=now,
        task=review.task,
        decision=verdict.decision,
        by=verdict.by,
        reason=verdict.reason,
    )
    return Put(replace(known, reviews=(*known.reviews, entry)[-REVIEWS_KEPT:]))


def corrections_with(entry: Correction, memory_id: int, state: MemoryState) -> Corrections:
    """Return the history of a memory with one more correction, as far as it is kept."""
    known = state.corrections.get(memory_id) or Corrections(memory_id=memory_id)
    return replace(known, entries=(*known.entries, entry)[-_CORRECTIONS_KEPT:])


def corrections_handed_on(history: Corrections, heir: int, state: MemoryState) -> Corrections:
    """Return the history of a memory that takes another's place, with what that one's was.

    It may take the place of several: of each the history goes on in it, in the order of time.
    """
    known = state.corrections.get(heir) or Corrections(memory_id=heir)
    both = dict.fromkeys((*known.entries, *history.entries))
    entries = sorted(both, key=lambda each: each.at)
    return replace(known, entries=tuple(entries)[-_CORRECTIONS_KEPT:])


def _consequences(memory: Memory, state: MemoryState, now: datetime, reason: str) -> list[Change]:
    before = state.memories[memory.id]
    changes: list[Change] = [Put(memory)]
    if memory.is_active and state.rules.asks_promotion(before, memory, now):
        changes.append(Put(PendingReview(memory_id=memory.id, task="promotion", since=now)))
    log = weight_log(before, memory, state, now, reason)
    if log:
        changes.append(Put(log))
    return changes


def _after_judgement(
    memory: Memory, review: PendingReview, decision: Decision, state: MemoryState, now: datetime
) -> Memory:
    match decision:
        case "delete" if may_delete(memory):
            return replace(memory, standing=Deleted(now, DeletionPolicy.AUTO_CLEANUP))
        case "promote" if review.task == "promotion":
            return state.rules.after_event(memory, Event.PROMOTE, now)
        case "promote" | "keep" | "delete":
            if review.task == "promotion":
                return memory
            return state.rules.after_event(memory, Event.KEEP, now)
        case never:
            assert_never(never)
