"""What an event does to a memory: a pure function of trigger and memory.

Source document 001 knows five scenarios (mention, frequent mention, negation, correction, passive
compression) and three ways to settle a contradiction. ``revise`` decides; the other functions say
what the decision makes of the memories. Nothing here is written anywhere.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, TypeAlias, assert_never

from memory.laws import tiers, weights
from memory.laws.law import Event
from memory.laws.registry import Rules
from memory.model import Kind, Level, Lineage, Memory, Tier, Trace, only_speaker

UNSURE: Final = 0.5
"""Below this confidence old and new stand side by side (docs/decisions/judgement.md)."""


class Strategy(StrEnum):
    """How a contradiction is settled (source document 001, conflict strategies)."""

    LATEST_WINS = "latest_wins"
    VERSION_KEEP = "version_keep"
    WEIGHT_BALANCE = "weight_balance"


class Trigger(StrEnum):
    """What happened to a memory (source document 001, special cases)."""

    MENTION = "mention"
    NEGATION = "negation"
    CORRECTION = "correction"
    COMPRESSION = "compression"


@dataclass(frozen=True, slots=True)
class Refresh:
    """The memory was mentioned: its numbers begin anew."""

    memory_id: int


@dataclass(frozen=True, slots=True)
class MergeInto:
    """It is mentioned often: one memory takes every mention, with moderate gain."""

    memory_id: int


@dataclass(frozen=True, slots=True)
class Supersede:
    """It no longer holds: the old version gives way to a new one by ``strategy``."""

    memory_id: int
    strategy: Strategy


@dataclass(frozen=True, slots=True)
class CreateNew:
    """Nothing is known of it yet."""


@dataclass(frozen=True, slots=True)
class NoChange:
    """Nothing happens; above all no date moves (source document 001, two timestamps)."""


Decision: TypeAlias = Refresh | MergeInto | Supersede | CreateNew | NoChange


def revise(
    trigger: Trigger,
    memory: Memory | None,
    at: datetime,
    rules: Rules,
    *,
    confidence: float = 1.0,
) -> Decision:
    """Return what ``trigger`` at ``at`` means for ``memory``, the known one about the same thing.

    ``confidence`` is that of the new wording, for choosing the strategy.
    """
    match trigger:
        case Trigger.COMPRESSION:
            return NoChange()
        case _ if memory is None:
            return CreateNew()
        case Trigger.MENTION:
            often = is_frequent(memory, at, rules)
            return MergeInto(memory.id) if often else Refresh(memory.id)
        case Trigger.NEGATION | Trigger.CORRECTION:
            return Supersede(memory.id, strategy_for(memory, confidence))
        case never:
            assert_never(never)


def is_frequent(memory: Memory, at: datetime, rules: Rules) -> bool:
    """Tell whether it is stated at least for the third time in 24 hours (source document 001).

    The first statement, with which the memory began, counts as one.
    """
    params = rules.parameters_of(weights.LAW)
    window = timedelta(hours=params.frequent_window_hours)
    said = (memory.trace.created_at, *memory.trace.mentions)
    recent = sum(timedelta() <= at - each <= window for each in said)
    return recent + 1 >= params.frequent_threshold


def strategy_for(memory: Memory, confidence: float) -> Strategy:
    """Return how a contradiction with ``memory`` is settled: by certainty, then by kind."""
    if confidence < UNSURE:
        return Strategy.WEIGHT_BALANCE
    if memory.nature.kind in {Kind.LASTING_PREFERENCE, Kind.PASSING_PREFERENCE}:
        return Strategy.VERSION_KEEP
    return Strategy.LATEST_WINS


def superseded(old: Memory, new_id: int, strategy: Strategy, at: datetime, rules: Rules) -> Memory:
    """Return the old version after ``new_id`` took its place at ``at``.

    ``latest_wins`` marks it as over, ``version_keep`` does so too (the caller lowers it to level
    tag), ``weight_balance`` leaves it standing beside the new one, doubted: it fades faster.
    """
    match strategy:
        # Over, not out of sight: asked for it, she says what was so before.
        case Strategy.LATEST_WINS:
            return replace(old, lineage=replace(old.lineage, replaced_by=new_id, valid_until=at))
        case Strategy.VERSION_KEEP:
            return negated(old, new_id, at, rules)
        case Strategy.WEIGHT_BALANCE:
            doubted = rules.after_event(old, Event.FAILURE, at)
            # No end of validity: which of the two holds is open.
            return replace(doubted, lineage=replace(old.lineage, replaced_by=new_id))
        case never:
            assert_never(never)


def without_doubt(memory: Memory) -> Memory:
    """Return a memory that is said again or confirmed: what was doubted is so no more."""
    if memory.is_past or memory.lineage.replaced_by is None:
        return memory
    return replace(memory, lineage=replace(memory.lineage, replaced_by=None))


def negated(old: Memory, new_id: int | None, at: datetime, rules: Rules) -> Memory:
    """Return the memory as a thing of the past, still told as such; its activation stays."""
    past = rules.after_event(old, Event.NEGATE, at)
    lineage = replace(past.lineage, replaced_by=new_id, valid_until=at)
    return replace(past, lineage=lineage)


def successor(new: Memory, old: Memory, at: datetime, rules: Rules) -> Memory:
    """Return ``new`` with what it inherits from the version it replaces: pin, tier, importance."""
    importance = tiers.importance(old, rules.context(at), rules.parameters_of(tiers.LAW))
    kept = old.nature.tier in {Tier.CORE, Tier.SYSTEM}
    return replace(
        new,
        nature=replace(
            new.nature,
            tier=old.nature.tier if kept else new.nature.tier,
            pinned=old.nature.pinned or new.nature.pinned,
        ),
        trace=replace(new.trace, importance=max(new.trace.importance, round(importance, 6))),
        lineage=replace(new.lineage, replaces=old.id, valid_from=at),
    )


def merged_memory(memories: Sequence[Memory], new_id: int, text: str, at: datetime) -> Memory:
    """Return the one memory that takes the place of ``memories``.

    As source document 001 merges a batch: based on the latest activated; mentions are summed, the
    strongest numbers kept, and every message it rests on stays named. The originals
    are kept by the caller as ``Merged``.
    """
    base = max(memories, key=lambda m: (m.trace.activated_at, m.id))
    traces = [m.trace for m in memories]
    sources = tuple(dict.fromkeys(i for m in memories for i in m.source_ids))
    gist = next((p for p in base.passages if not p.verbatim), None)
    whose = only_speaker(p for m in memories for p in m.passages if p.role == "user")
    return replace(
        base,
        id=new_id,
        words=replace(base.words, text=text, level=Level.FULL),
        nature=replace(
            base.nature,
            tier=Tier.CORE if any(m.nature.tier is Tier.CORE for m in memories) else Tier.FACT,
            sensitivity=max(m.nature.sensitivity for m in memories),
            pinned=any(m.nature.pinned for m in memories),
        ),
        trace=replace(
            base.trace,
            created_at=min(t.created_at for t in traces),
            updated_at=at,
            # Ten mornings of coffee are ten mentions: the first statement of each counts as one.
            mention_count=sum(t.mention_count + 1 for t in traces),
            mentions=_statements_after_the_first(traces),
            importance=max(t.importance for t in traces),
            confidence=max(t.confidence for t in traces),
            stability_hours=max(t.stability_hours for t in traces),
            numbers=_strongest_numbers(traces),
        ),
        lineage=Lineage(merged_from=tuple(sorted(m.id for m in memories))),
        passages=(replace(gist, text=text, source_ids=sources, speaker_id=whose),) if gist else (),
    )


def _statements_after_the_first(traces: Sequence[Trace]) -> tuple[datetime, ...]:
    """Return when it was said again, over all of them; no more than a memory keeps of its own."""
    said = sorted(each for t in traces for each in (t.created_at, *t.mentions))
    return tuple(said[1:])[-weights.KEPT_MENTIONS :]


def _strongest_numbers(traces: Sequence[Trace]) -> tuple[tuple[str, float], ...]:
    """Return the highest of each number that a law keeps of its own."""
    # Sorted upwards by name and value, so that the highest value of a name is the one that stays.
    return tuple(sorted(dict(sorted(pair for t in traces for pair in t.numbers)).items()))
