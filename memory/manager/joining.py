"""Taking another memory in: all of it into an empty one, else only what is new."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from memory.changes import Change, Corrections, Former, Links, Put, Record, WeightLog
from memory.manager.burial import is_buried
from memory.manager.undo import undoable
from memory.model import Link, Memory, Merged, Source, Tier
from memory.state import TABLES, MemoryState


@dataclass(frozen=True, slots=True, kw_only=True)
class Joining:
    """What an import does: how many memories come, are known already, or cannot come."""

    changes: tuple[Change, ...]
    new: int
    known: int = 0
    refused: int = 0
    whole: bool = False


def plan_joining(state: MemoryState, other: MemoryState, now: datetime) -> Joining:
    """Return the changes that take ``other`` into ``state``.

    An agent that remembers nothing takes all of it, under the same ids, settings included. One
    that does takes the memories it does not have, under new ids, with what belongs to them; its
    own settings, conversations and receipts stay. What was erased here, and what is sealed for
    another agent, does not come.
    """
    if _knows_nothing(state):
        puts = tuple(Put(each) for each in _all(other))
        return Joining(changes=puts, new=len(other.memories), whole=True)
    told = {_same(memory): memory.id for memory in state.memories.values()}
    refused = {m.id for m in other.memories.values() if _is_refused(m, state)}
    ids: dict[int, int] = {}
    new: list[Memory] = []
    for memory in sorted(other.memories.values(), key=lambda each: each.id):
        if memory.id in refused:
            continue
        known = told.get(_same(memory))
        ids[memory.id] = known or state.next_id + len(new)
        if known is None:
            new.append(memory)
    changes = tuple(map(Put, _brought(new, other, ids)))
    return Joining(
        changes=undoable(state, changes, now, actor="partner", label="import"),
        new=len(new),
        known=len(ids) - len(new),
        refused=len(refused),
    )


def _knows_nothing(state: MemoryState) -> bool:
    return not any(getattr(state, name) for name in TABLES.values() if name != "households")


def _all(state: MemoryState) -> Iterator[Record]:
    for name in TABLES.values():
        yield from getattr(state, name).values()


def _same(memory: Memory) -> tuple[object, ...]:
    if memory.nature.tier is Tier.ENTITY:
        return (memory.nature.tier, memory.words.text)
    return (memory.nature.tier, memory.words.text, memory.trace.created_at, memory.origin.speaker)


def _is_refused(memory: Memory, state: MemoryState) -> bool:
    return memory.sealed is not None or any(is_buried(i, state) for i in memory.source_ids)


def _brought(new: list[Memory], other: MemoryState, ids: Mapping[int, int]) -> Iterator[Record]:
    for memory in new:
        here = ids[memory.id]
        yield _renumbered(memory, here, ids)
        links = tuple(_relinked(other.links_of(memory.id), ids, here))
        if links:
            yield Links(source=here, links=links)
        for table in (Corrections, WeightLog, Former):
            record = getattr(other, TABLES[table]).get(memory.id)
            if record is not None:
                yield replace(record, memory_id=here)


def _renumbered(memory: Memory, here: int, ids: Mapping[int, int]) -> Memory:
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


def _relinked(links: tuple[Link, ...], ids: Mapping[int, int], here: int) -> Iterator[Link]:
    targets = {here}
    for link in links:
        target = ids.get(link.target)
        if target is not None and target not in targets:
            targets.add(target)
            yield replace(link, target=target)
