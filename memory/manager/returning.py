"""Going back to a former state as a backup holds it, without what was erased since."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from memory.changes import ErasedId, Change, Drop, Put, Record, Tombstone
from memory.manager.burial import is_erased, memory_is_erased, next_tombstone_id
from memory.manager.counting import id_mark_changes
from memory.manager.reach import ErasureScope, OneMemory, every_message, text_matcher
from memory.manager.sweeping import erasure_changes
from memory.model import Memory
from memory.state import TABLES, MemoryState

_TOMBSTONE_TABLES: tuple[type[Record], ...] = (Tombstone, ErasedId)


@dataclass(frozen=True, slots=True, kw_only=True)
class RollbackPlan:
    """What going back does: the memories that come back, go, or say something else again.

    ``withheld`` counts what the backup holds and was erased since: it stays erased.
    """

    changes: tuple[Change, ...]
    back: tuple[Memory, ...]
    gone: tuple[Memory, ...]
    altered: tuple[Memory, ...]
    withheld: int


def plan_rollback(state: MemoryState, former: MemoryState) -> RollbackPlan:
    """Return the changes after which an agent remembers exactly what it did in ``former``.

    Erasing is final: what was erased in either state is in neither, and every tombstone stays.
    What was sealed since stays sealed, and nothing comes back that tells it in the clear.
    Ids go on being counted from the higher mark.
    """
    then, withheld = _without_erased(former, state)
    then = _with_newer_seals(then, state)
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
    )


def _memories(state: MemoryState) -> list[Memory]:
    return [state.memories[each] for each in sorted(state.memories)]


def _without_erased(former: MemoryState, state: MemoryState) -> tuple[MemoryState, int]:
    """Return the former state as it is without what is buried now, and how many memories less."""
    told = (
        {m.id for m in every_message(former)} | set(former.remembered_ids) | set(former.receipts)
    )
    for memory in former.memories.values():
        told.update(memory.source_ids)
    messages = {each for each in told if is_erased(each, state)}
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
    for name in ("seen", "receipts", "turns"):
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
        if kind in _TOMBSTONE_TABLES:
            continue
        here, there = getattr(state, name), getattr(then, name)
        yield from (Drop(kind, key) for key in sorted(here.keys()) if key not in there)
        yield from (Put(there[key]) for key in sorted(there.keys()) if here.get(key) != there[key])
