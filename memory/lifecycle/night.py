"""The night of an agent: what its law says of every memory, as one plan, and the report of it.

Planning is pure. Numbers are never rewritten, they follow from dates; so a night missed, doubled
or late changes nothing but when things happen, and planning again after applying plans nothing.
A clock that was set back makes elapsed times zero, never negative.

The report tells how the memory as a whole is doing: health by retention, and the seven metrics of
source document 001.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from memory.changes import AgentInfo, Change, Drop, PendingReview, Put
from memory.diary import marks_after_purge
from memory.laws import disuse, weights
from memory.laws.contract import GRACE, NO_FATES, Fates, HealthColour, may_delete
from memory.laws.law import Event
from memory.laws.registry import stays
from memory.lifecycle.consequences import COUNTERS, effect_changes, with_counts
from memory.lifecycle.effects import (
    FateEffect,
    expired_texts,
    expired_words,
    fate_effect,
    is_past_grace,
    purge_changes,
    wants_review,
)
from memory.lifecycle.undo import expired_undos, with_undo
from memory.model import Deleted, DeletionPolicy, Level, Memory, Merged, Tier
from memory.recall.in_mind import assessment
from memory.state import MemoryState
from memory.views import law_context, standing_name


@dataclass(frozen=True, slots=True, kw_only=True)
class FateCounts:
    """How many memories a plan compresses, archives, deletes, asks about, lets go for good."""

    compressed: int = 0
    archived: int = 0
    deleted: int = 0
    asked: int = 0
    purged: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class FatePlan:
    """What a night does.

    ``changes`` belong into one commit. ``consolidate`` are the episodes whose lasting facts were
    not yet taken out, eldest first: none of them ends before that was done. ``reviews`` are all
    that wait for a verdict after this plan. ``compressed`` were reduced by rule to a lower level;
    a model may say the same in better words. ``effects`` show before and after, for a preview.
    """

    changes: tuple[Change, ...] = ()
    consolidate: tuple[int, ...] = ()
    reviews: tuple[PendingReview, ...] = ()
    compressed: tuple[int, ...] = ()
    effects: tuple[FateEffect, ...] = ()
    counts: FateCounts = FateCounts()


@dataclass(slots=True)
class _FateSurvey:
    """What one walk over every memory finds."""

    effects: list[FateEffect] = field(default_factory=list)
    faded: set[int] = field(default_factory=set)
    purgeable: list[int] = field(default_factory=list)
    unconsolidated: list[Memory] = field(default_factory=list)


def plan_night(state: MemoryState, now: datetime) -> FatePlan:
    """Return what the night at ``now`` does: fates, reviews, purge, and that it was done.

    What a law wants reviewed waits for the verdict, a model's or the rules'. Carry out the
    consolidation and the reviews, then plan once more: only then can the episodes end that were
    waiting for it.
    """
    # Before all else, so that no other change of this night brings the words back.
    expired = expired_words(state, now)
    state, _ = state.apply(expired)
    survey = _survey(state, now)
    night = _fate_plan(survey, state, now)
    gone = survey.purgeable
    marks = marks_after_purge((state.memories[each] for each in gone), state)
    # First what is over for good: an undo entry past its days must not outlive what it restores.
    ended = (
        *expired,
        *marks,
        *purge_changes(gone),
        *expired_texts(state, now),
        *expired_undos(state, now),
    )
    agent_info = _agent_info_after_night(state.agent_info, len(night.compressed), now)
    about_all = (Put(agent_info),) if agent_info != state.agent_info else ()
    return replace(
        night,
        changes=(*ended, *night.changes, *about_all),
        counts=replace(night.counts, purged=len(gone)),
    )


def plan_fates(state: MemoryState, now: datetime, *, merged: bool = False) -> FatePlan:
    """Return only what the law says of every memory at ``now``: no purge, no end of the day.

    Carried out by hand it is a step of the partner's, which undo takes back. With ``merged`` it
    also deletes what became part of another memory 30 days ago or more (source document 001,
    lifecycle: merge_cleanup).
    """
    survey = _survey(state, now)
    if merged:
        survey.effects += _merged_effects(state, now)
    return _fate_plan(survey, state, now, by_hand=True)


def _merged_effects(state: MemoryState, now: datetime) -> Iterator[FateEffect]:
    """Yield the soft deletion of the memories that were merged and are past their grace.

    No night does this: the originals of a merged memory are kept until the partner cleans up.
    """
    gone = DeletionPolicy.MERGE_CLEANUP
    for memory in state.memories.values():
        match memory.standing:
            case Merged(at=at) if now - at >= GRACE and may_delete(memory):
                yield FateEffect(memory, replace(memory, standing=Deleted(now, gone)))
            case _:
                pass


def _survey(state: MemoryState, now: datetime) -> _FateSurvey:
    """Walk over all memories once; most are kept, so nothing is made for them."""
    rules = state.rules
    # No night walks over links: a law that reads them decides in its slices, not by the date.
    context = rules.context(now)
    found = _FateSurvey()
    for memory in state.memories.values():
        if isinstance(memory.standing, Deleted | Merged):
            if is_past_grace(memory, now):
                found.purgeable.append(memory.id)
            continue
        fates = rules.judge(memory, context).fates if rules.law.decides_fates else NO_FATES
        if fates:
            _note(found, memory, fates, now)
        if memory.nature.tier is Tier.EPISODE and memory.lineage.consolidated_at is None:
            found.unconsolidated.append(memory)
    return found


def _note(found: _FateSurvey, memory: Memory, fates: Fates, now: datetime) -> None:
    """Note what the fates of a memory mean: an effect at once, or a review."""
    if wants_review(fates):
        found.faded.add(memory.id)
        return
    done = fate_effect(memory, fates, now)
    if done:
        found.effects.append(done)


def _fate_plan(
    survey: _FateSurvey, state: MemoryState, now: datetime, *, by_hand: bool = False
) -> FatePlan:
    done = survey.effects
    asked = _review_changes(survey.faded, state, now)
    changes = tuple(change for each in done for change in effect_changes(each, state, now))
    kinds = Counter(each.kind for each in done)
    if by_hand:
        whole = with_undo(state, (*changes, *asked), now, actor="partner", label="cleanup")
    else:
        whole = (*with_undo(state, changes, now, actor="law", label="night"), *asked)
    return FatePlan(
        changes=whole,
        consolidate=_unconsolidated_episodes(survey, state),
        reviews=_waiting_reviews(state, (*changes, *asked)),
        compressed=tuple(each.before.id for each in done if each.shortened),
        effects=tuple(done),
        counts=FateCounts(
            compressed=kinds["compressed"],
            archived=kinds["archived"],
            deleted=kinds["deleted"],
            asked=sum(isinstance(change, Put) for change in asked),
        ),
    )


def _review_changes(faded: set[int], state: MemoryState, now: datetime) -> tuple[Change, ...]:
    """Return the reviews to ask for, and the drops of those that have lost their reason."""
    new = [
        Put(PendingReview(memory_id=memory_id, task="decay", since=now))
        for memory_id in sorted(faded)
        if memory_id not in state.reviews
    ]
    stale = [
        Drop(PendingReview, review.memory_id)
        for review in state.reviews.values()
        if not _has_reason(review, state, faded)
    ]
    return (*new, *stale)


def _has_reason(review: PendingReview, state: MemoryState, faded: set[int]) -> bool:
    memory = state.memories.get(review.memory_id)
    if memory is None or not memory.is_active or memory.nature.tier is not Tier.FACT:
        return False
    return review.task == "promotion" or review.memory_id in faded


def _waiting_reviews(state: MemoryState, changes: tuple[Change, ...]) -> tuple[PendingReview, ...]:
    reviews = dict(state.reviews)
    for change in changes:
        match change:
            case Put(PendingReview() as review):
                reviews[review.memory_id] = review
            case Drop(kind, int() as memory_id) if kind is PendingReview:
                reviews.pop(memory_id, None)
            case _:
                pass
    return tuple(sorted(reviews.values(), key=lambda review: (review.since, review.memory_id)))


def _unconsolidated_episodes(survey: _FateSurvey, state: MemoryState) -> tuple[int, ...]:
    """Return the episodes nobody has been asked to consolidate yet, eldest first."""
    under_way = {
        memory_id
        for task in state.tasks.values()
        if task.kind == "consolidate"
        for memory_id in task.memory_ids
    }
    eldest = sorted(survey.unconsolidated, key=lambda each: (each.trace.created_at, each.id))
    return tuple(memory.id for memory in eldest if memory.id not in under_way)


def _agent_info_after_night(agent_info: AgentInfo, compressed: int, now: datetime) -> AgentInfo:
    today = now.astimezone(ZoneInfo(agent_info.settings.time_zone)).date()
    noted = with_counts(agent_info, {"passive_compression_count": compressed})
    return replace(noted, settled_on=today, settled_at=now)


@dataclass(frozen=True, slots=True, kw_only=True)
class NightReport:
    """Counts of what a night compressed, archived, deleted, purged, consolidated and merged.

    ``merged`` counts the memories that each took the place of several that said one thing.
    """

    compressed: int = 0
    archived: int = 0
    deleted: int = 0
    purged: int = 0
    consolidated: int = 0
    merged: int = 0

    def after(self, night: FatePlan) -> "NightReport":
        """Return the report with what one more round did."""
        return NightReport(
            compressed=self.compressed + night.counts.compressed,
            archived=self.archived + night.counts.archived,
            deleted=self.deleted + night.counts.deleted,
            purged=self.purged + night.counts.purged,
            consolidated=self.consolidated + len(night.consolidate),
            merged=self.merged,
        )


@dataclass(frozen=True, slots=True)
class MemoryCondition:
    """One active memory: how much is retained, 0 to 1, and its colour; whole if it ``stays``."""

    memory_id: int
    retention: float
    colour: HealthColour
    stays: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthReport:
    """The health report: every active memory, weakest first, and how many there are of what."""

    conditions: tuple[MemoryCondition, ...]
    by_colour: Mapping[HealthColour, int]
    by_tier: Mapping[Tier, int]
    by_level: Mapping[Level, int]
    by_standing: Mapping[str, int]

    @property
    def fading(self) -> tuple[int, ...]:
        """The ids of what is fading, weakest first."""
        return tuple(c.memory_id for c in self.conditions if c.colour is not HealthColour.GREEN)


def health_report(
    state: MemoryState, now: datetime, over: Callable[[Sequence[Memory]], Iterable[Memory]] = iter
) -> HealthReport:
    """Return how every memory is doing under the agent's law; weakest first.

    Ten thousand take a tenth of a second: ``over`` may rest while it goes through them.
    """
    active = [memory for memory in state.memories.values() if memory.is_active]
    rules, conditions = state.rules, list[MemoryCondition]()
    # One context for all of them, unless the law asks how each is linked.
    shared = None if rules.law.reads_links else rules.context(now)
    for memory in over(active):
        found = rules.judge_recall(memory, shared or law_context(memory.id, state, now))
        kept = stays(memory, rules)
        left = 1.0 if kept else found.retention
        conditions.append(MemoryCondition(memory.id, left, found.colour, kept))
    return HealthReport(
        conditions=tuple(sorted(conditions, key=lambda each: (each.retention, each.memory_id))),
        by_colour=Counter(each.colour for each in conditions),
        by_tier=Counter(memory.nature.tier for memory in active),
        by_level=Counter(memory.words.level for memory in active),
        by_standing=Counter(standing_name(each.standing) for each in state.memories.values()),
    )


def missed_soon(state: MemoryState, report: HealthReport, now: datetime) -> tuple[int, ...]:
    """Return the facts that fade although they may be needed, the weakest first.

    They are salient (``memory.text.salience``, from ``SALIENT_FROM`` on), still hold and are not
    past their day: what is over may go.
    """
    found = []
    for memory_id in report.fading:
        memory = state.memories[memory_id]
        salient = disuse.salience_of(memory) >= disuse.SALIENT_FROM
        if memory.is_living_fact and salient and not disuse.is_over(memory, now):
            found.append(memory_id)
    return tuple(found)


def keeps_by_reinforcing(memory: Memory, state: MemoryState, now: datetime) -> bool:
    """Whether a look at it by hand is enough for a memory to fade no more."""
    after, _ = state.apply([Put(state.rules.after_event(memory, Event.MANUAL, now))])
    return not assessment(after.memory(memory.id), after, now).is_fading


def metrics(state: MemoryState, now: datetime) -> dict[str, float]:
    """Return the seven metrics by name; the distribution as one entry per level of W."""
    params = state.rules.parameters_of(weights.LAW)
    stored = dict(state.agent_info.counters)
    # The metrics are about W under every law: its numbers are kept whatever the agent lives by.
    context = state.rules.context(now)
    found = [
        weights.weight(memory, context, params)
        for memory in state.memories.values()
        if memory.is_active
    ]
    levels = Counter(weights.level_of(weight, params) for weight in found)
    return {
        **{name: stored.get(name, 0.0) for name in COUNTERS},
        "avg_weight": sum(found) / len(found) if found else 0.0,
        **{f"weight_distribution.{level.name.lower()}": levels[level] for level in Level},
    }
