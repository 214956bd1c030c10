"""Taking in a state from outside: an export, or going back to a backup.

In both cases what was erased stays erased, and what was sealed since stays sealed.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from memory.changes import (
    ELSEWHERE,
    Change,
    Corrections,
    Drop,
    ErasedId,
    Links,
    PreviousText,
    Put,
    Record,
    Tombstone,
    Undo,
    WeightLog,
)
from memory.erasing.erasure import (
    before_last_erasure,
    erased_words,
    memory_is_erased,
    texts_of_memory,
)
from memory.erasing.removal import erasure_changes, names_untold
from memory.erasing.scope import (
    ErasureScope,
    OneMemory,
    TextMatcher,
    every_message,
    text_matcher,
    texts_of,
)
from memory.initiative.intentions import hushed
from memory.initiative.reminders import silenced
from memory.lifecycle.effects import kept_since, purge_changes, without_words_before
from memory.lifecycle.undo import with_undo
from memory.merging.arrival import arriving_intentions, arriving_reminders
from memory.merging.union import known_here, told_otherwise, unheard_lines
from memory.model import Link, Memory, Merged, Source, Tier
from memory.state import TABLES, MemoryState, next_tombstone_id


def id_mark_changes(state: MemoryState, other: MemoryState) -> Iterator[Change]:
    """Yield what lets the ids of ``state`` be counted from where ``other`` counts them.

    The memory with the highest id may be gone there while links to it are left; given again, its
    id would make them mean another memory.
    """
    # The mark rises with the highest id that ever stood in the state, if only for one change.
    highest = other.next_id - 1
    if other.memories and highest >= state.next_id and highest not in other.memories:
        yield Put(replace(next(iter(other.memories.values())), id=highest))
        yield Drop(Memory, highest)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportPlan:
    """What an import does: the memories that come, and how many are known or cannot come.

    Names come too, and are not counted. ``conflicts`` are pairs that tell the same moment in
    other words: the one that is known here and the one that comes beside it. ``doubtful`` are the
    ids of those that come and are from before something was erased here: they may have been put
    right or taken back before that.
    """

    changes: tuple[Change, ...]
    coming: tuple[Memory, ...]
    known: int = 0
    refused: int = 0
    conflicts: tuple[tuple[Memory, Memory], ...] = ()
    whole: bool = False
    doubtful: frozenset[int] = frozenset()

    @property
    def told(self) -> tuple[Memory, ...]:
        """The memories that come, without the names."""
        return tuple(filter(_is_told, self.coming))

    @property
    def names(self) -> tuple[str, ...]:
        """The names that come."""
        return tuple(each.words.text for each in self.coming if not _is_told(each))

    @property
    def new(self) -> int:
        """How many memories come."""
        return len(self.told)


def plan_import(
    state: MemoryState, other: MemoryState, now: datetime, *, own: bool = True
) -> ImportPlan:
    """Return the changes that take ``other`` into ``state``.

    An agent that remembers nothing takes all of it, under the same ids, settings included; what
    is sealed comes along only if it is its ``own``, for no other agent can open it. One that
    remembers takes the memories it does not have, under new ids, with what belongs to them; its
    own settings, conversations and receipts stay. What was erased here, and what is sealed, does
    not come, nor do words that are older than those the agent keeps.
    """
    other = _as_kept_today(other, state, now)
    if _is_empty(state):
        return _whole_import(state, other if own else _without_sealed(other), other)
    told = known_here(state, other, _identity_key)
    is_gone = text_matcher(erased_words(other, state))
    refused = _refused(state, other, is_gone, own=own)
    ids: dict[int, int] = {}
    new: list[Memory] = []
    for memory in sorted(other.memories.values(), key=lambda each: each.id):
        if memory.id in refused:
            continue
        known = told.get(memory.id)
        ids[memory.id] = known or state.next_id + len(new)
        if known is None:
            new.append(memory)
    changes = tuple(
        Put(each)
        for each in _arriving_records(state, other, new, ids, now)
        if isinstance(each, Memory) or not any(map(is_gone, texts_of(each)))
    )
    return ImportPlan(
        changes=with_undo(state, changes, now, actor="partner", label="import"),
        coming=tuple(new),
        doubtful=frozenset(before_last_erasure(new, state)),
        known=_count(other, ids) - len([*filter(_is_told, new)]),
        refused=_count(other, refused),
        conflicts=tuple(told_otherwise(state, other, new, _identity_key)),
    )


def _is_told(memory: Memory) -> bool:
    return memory.nature.tier is not Tier.ENTITY


def _count(state: MemoryState, ids: Iterable[int]) -> int:
    """Return how many of these memories are no names."""
    return sum(_is_told(state.memory(each)) for each in ids)


def _whole_import(state: MemoryState, taken: MemoryState, other: MemoryState) -> ImportPlan:
    if state.agent_info.settings.diary_days is not None:
        taken = _with_retention_of(state, taken)
    memories = tuple(taken.memories[each] for each in sorted(taken.memories))
    refused = _count(other, set(other.memories) - set(taken.memories))
    changes = (*id_mark_changes(state, other), *map(Put, _all_records(taken)))
    return ImportPlan(changes=changes, coming=memories, refused=refused, whole=True)


def _without_sealed(other: MemoryState) -> MemoryState:
    sealed = sorted(m.id for m in other.memories.values() if m.sealed is not None)
    return other.apply([*purge_changes(sealed), *(Drop(Undo, key) for key in other.undos)])[0]


def _is_empty(state: MemoryState) -> bool:
    return not any(getattr(state, name) for name in TABLES.values() if name != "agent_infos")


def _all_records(state: MemoryState) -> Iterator[Record]:
    for name in TABLES.values():
        yield from getattr(state, name).values()


def _identity_key(memory: Memory) -> tuple[object, ...]:
    if memory.nature.tier is Tier.ENTITY:
        return (memory.nature.tier, memory.words.text)
    return (memory.nature.tier, memory.words.text, memory.trace.created_at, memory.origin.speaker)


def _sealed_since(state: MemoryState, other: MemoryState) -> Iterator[int]:
    """Yield what was sealed here since, and whatever repeats it.

    In its own export a memory has the id it has here. Another agent may have the same name, so it
    must have begun at the same moment too.
    """
    for memory in other.memories.values():
        known = state.memories.get(memory.id)
        if known is None or known.sealed is None or memory.sealed is not None:
            continue
        if known.trace.created_at == memory.trace.created_at:
            yield from ErasureScope.of(other, OneMemory(memory.id)).memories


def _refused(
    state: MemoryState, other: MemoryState, is_gone: TextMatcher, *, own: bool
) -> set[int]:
    """Return the memories of another state that may not come: erased here, or sealed."""
    told = set(map(_identity_key, state.memories.values()))
    refused = {m.id for m in other.memories.values() if _is_refused(m, state)}
    refused |= {
        m.id
        for m in other.memories.values()
        if _identity_key(m) not in told and any(map(is_gone, texts_of_memory(m)))
    }
    # Only its own export can tell what is sealed here now: ids of another agent mean other things.
    if own:
        refused |= set(_sealed_since(state, other))
    return refused | set(names_untold(other, refused))


def _is_refused(memory: Memory, state: MemoryState) -> bool:
    return memory.sealed is not None or any(state.is_erased(i) for i in memory.source_ids)


def _arriving_records(
    state: MemoryState,
    other: MemoryState,
    new: list[Memory],
    ids: Mapping[int, int],
    now: datetime,
) -> Iterator[Record]:
    yield from _imported_records(new, other, ids)
    yield from _imported_lines(state, other, ids)
    yield from (silenced(each, now) for each in arriving_reminders(state, other))
    yield from (hushed(each, now) for each in arriving_intentions(state, other, ids.get))


def _imported_records(
    new: list[Memory], other: MemoryState, ids: Mapping[int, int]
) -> Iterator[Record]:
    for memory in new:
        here = ids[memory.id]
        yield _with_new_ids(memory, here, ids)
        links = tuple(_links_with_new_ids(other.links_of(memory.id), ids, here))
        if links:
            yield Links(source=here, links=links)
        for table in (Corrections, WeightLog, PreviousText):
            record = getattr(other, TABLES[table]).get(memory.id)
            if record is not None:
                yield replace(record, memory_id=here)


def _imported_lines(
    state: MemoryState, other: MemoryState, ids: Mapping[int, int]
) -> Iterator[Record]:
    """Yield the lines that come: behind those here, and looked up only where no memory came."""
    for number, line in enumerate(unheard_lines(state, other, ids), start=state.last_line + 1):
        yield replace(line, number=number, scene=ids.get(line.scene, ELSEWHERE))


def _with_new_ids(memory: Memory, here: int, ids: Mapping[int, int]) -> Memory:
    lineage = memory.lineage
    standing = memory.standing
    if isinstance(standing, Merged):
        standing = replace(standing, into=ids.get(standing.into, here))
    return replace(
        memory,
        id=here,
        standing=standing,
        origin=replace(memory.origin, source=Source.IMPORT),
        lineage=replace(
            lineage,
            merged_from=tuple(ids[each] for each in lineage.merged_from if each in ids),
            compressed_from=ids.get(lineage.compressed_from or 0),
            replaces=ids.get(lineage.replaces or 0),
            replaced_by=ids.get(lineage.replaced_by or 0),
        ),
    )


def _links_with_new_ids(
    links: tuple[Link, ...], ids: Mapping[int, int], here: int
) -> Iterator[Link]:
    targets = {here}
    for link in links:
        target = ids.get(link.target)
        if target is not None and target not in targets:
            targets.add(target)
            yield replace(link, target=target)


_TOMBSTONE_TABLES: tuple[type[Record], ...] = (Tombstone, ErasedId)


@dataclass(frozen=True, slots=True, kw_only=True)
class RollbackPlan:
    """What going back does: the memories that come back, go, or say something else again.

    ``withheld`` counts what the backup holds and was erased since: it stays erased; ``too_old``
    the lines of its diary that are older than those that are kept today.
    """

    changes: tuple[Change, ...]
    back: tuple[Memory, ...]
    gone: tuple[Memory, ...]
    altered: tuple[Memory, ...]
    withheld: int
    too_old: int = 0


def plan_rollback(state: MemoryState, former: MemoryState, now: datetime) -> RollbackPlan:
    """Return the changes after which an agent remembers exactly what it did in ``former``.

    Erasing is final: what was erased in either state is in neither, and every tombstone stays.
    What was sealed since stays sealed, and nothing comes back that tells it in the clear. Words
    are kept as long as they are today. Ids go on being counted from the higher mark.
    """
    kept = _as_kept_today(former, state, now)
    then, withheld = _without_erased(_with_retention_of(state, kept), state)
    then = _with_newer_seals(then, state)
    then, _ = then.apply([Put(silenced(each, now)) for each in then.reminders.values()])
    then, _ = then.apply([Put(hushed(each, now)) for each in then.intentions.values()])
    changes = (
        *_missing_tombstones(state, former),
        *id_mark_changes(state, then),
        *_differences(state, then),
    )
    return RollbackPlan(
        changes=changes,
        back=tuple(m for m in _memories(then) if m.id not in state.memories),
        gone=tuple(m for m in _memories(state) if m.id not in then.memories),
        altered=tuple(
            m for m in _memories(then) if m.id in state.memories and state.memories[m.id] != m
        ),
        withheld=withheld,
        too_old=sum(key not in kept.diary for key in former.diary),
    )


def _as_kept_today(other: MemoryState, state: MemoryState, now: datetime) -> MemoryState:
    """Return another state without the words that this one no longer keeps."""
    before = kept_since(now, state.agent_info.settings.diary_days)
    return (before and without_words_before(other, before)) or other


def _with_retention_of(state: MemoryState, other: MemoryState) -> MemoryState:
    days, info = state.agent_info.settings.diary_days, other.agent_info
    if not other.agent_infos or info.settings.diary_days == days:
        return other
    return other.apply([Put(replace(info, settings=replace(info.settings, diary_days=days)))])[0]


def _memories(state: MemoryState) -> list[Memory]:
    return [state.memories[each] for each in sorted(state.memories)]


def _without_erased(former: MemoryState, state: MemoryState) -> tuple[MemoryState, int]:
    """Return the former state without what was erased since, and how many memories that took."""
    told = (
        {m.id for m in every_message(former)} | set(former.remembered_ids) | set(former.receipts)
    )
    for memory in former.memories.values():
        told.update(memory.source_ids)
    # What that state knew as erased it had lived through: what still rests on it was left by that.
    messages = {x for x in told if state.is_erased(x) and not former.is_erased(x)}
    gone = {
        m.id
        for m in former.memories.values()
        if memory_is_erased(m.id, state) or (m.source_ids and messages.issuperset(m.source_ids))
    }
    if not gone and not messages:
        return former, 0
    scope = ErasureScope((), text_matcher(()), gone, messages)
    then, _ = former.apply(
        [*erasure_changes(former, scope), *_drops_of_messages(former, messages)]
    )
    return then, len(gone)


def _drops_of_messages(former: MemoryState, messages: set[str]) -> Iterator[Change]:
    for name in ("remembered_ids", "receipts", "turns"):
        yield from (
            Drop(type(record), record.key)
            for key, record in getattr(former, name).items()
            if key in messages
        )


def _with_newer_seals(then: MemoryState, state: MemoryState) -> MemoryState:
    for memory in state.memories.values():
        former = then.memories.get(memory.id)
        if memory.sealed is not None and former is not None and former.sealed is None:
            scope = ErasureScope.of(then, OneMemory(memory.id))
            then, _ = then.apply([*erasure_changes(then, scope), Put(memory)])
    return then


def _missing_tombstones(state: MemoryState, former: MemoryState) -> Iterator[Change]:
    """Yield what the former state had erased and this one does not know of: a folder made anew."""
    missing = [key for key in sorted(former.erased_ids) if key not in state.erased_ids]
    yield from (Put(former.erased_ids[key]) for key in missing)
    keys = {tombstone.key_hex for tombstone in state.tombstones.values()}
    others = [s for _, s in sorted(former.tombstones.items()) if s.key_hex not in keys]
    for number, tombstone in enumerate(others, start=next_tombstone_id(state)):
        yield Put(replace(tombstone, id=number))


def _differences(state: MemoryState, then: MemoryState) -> Iterator[Change]:
    for kind, name in TABLES.items():
        # What was erased is a union of both states, never a difference: see _missing_tombstones.
        if kind in _TOMBSTONE_TABLES:
            continue
        here, there = getattr(state, name), getattr(then, name)
        yield from (Drop(kind, key) for key in sorted(here.keys()) if key not in there)
        yield from (Put(there[key]) for key in sorted(there.keys()) if here.get(key) != there[key])
