"""The index of the network: what linking asks of a whole state, answered without walking it.

The functions of this package are pure; to find the relatives of a new memory among 100,000 they
take a :class:`NetworkIndex`, which the writer keeps up to date beside the state.

The focus is the few entities being talked about (source document 002 §8). It comes from
remembering, never from recalling. Links of type ``focus`` whose target is in focus are locked:
they count as 1 and do not decay. Once out of focus they go on from the strength they had.
"""

import re
import unicodedata
from array import array
from bisect import bisect_left, insort
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, TypeAlias, assert_never

import numpy as np
from numpy.typing import NDArray

from memory.changes import Change, Drop, Links, Put
from memory.model import Link, LinkType, Memory, Nature, Origin, Source, Tier, Trace, Words
from memory.state import MAX_LINKS, MemoryState


def normalised_name(text: str) -> str:
    """Return the form in which spellings are compared: NFKC, case-folded, single spaces.

    Half and full width, capitals and surrounding blanks make no difference.

    >>> normalised_name("  ＡＩ  Lab ") == normalised_name("ai lab")
    True
    """
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def jaccard(one: AbstractSet[str], other: AbstractSet[str]) -> float:
    """Return |one ∩ other| / |one ∪ other|, 0 of two empty sets (source document 000 §5.1.1)."""
    union = len(one | other)
    return len(one & other) / union if union else 0.0


LEAST_OVERLAP: Final = 0.3
"""The keyword Jaccard from which two memories are linked (source document 000 §5.1.1)."""

NEARBY: Final = timedelta(hours=24)
"""The most time between two memories linked by time (source document 000 §11.2)."""

_GONE: Final = -1
_ANY_ID: Final = 2**63 - 1
_YIELDING: Final = (LinkType.CO_TURN, LinkType.TEMPORAL)
"""The types of link that a keyword link of the same strength ranks above."""

Moment: TypeAlias = tuple[datetime, int]
"""When a memory began, and its id, which makes the order in time total."""


def moment(memory: Memory) -> Moment:
    """Return when a memory began, as a sort key."""
    return (memory.trace.created_at, memory.id)


class KeywordOverlaps:
    """The keywords of memories, and which memories are worth a link for those they share.

    Talk that repeats itself gives thousands of memories the same keywords, and a node keeps 32
    links. So an overlap is told only where one of the two would keep it, which leaves a few, and
    numpy finds them among the thousands.
    """

    def __init__(self) -> None:
        self._row_of: dict[int, int] = {}
        self._words: dict[int, frozenset[str]] = {}
        self._rows_with: dict[str, array[int]] = {}
        # By row. One whose memory is gone has id -1 and is left where it stands.
        self._ids = array("q")
        self._sizes = array("q")
        # What a link must be stronger than to enter the list of this memory …
        self._weakest = array("d")
        # … or as strong as, if it leads to a memory made before this id.
        self._tie_below = array("q")
        self._gone = 0

    def put(self, memory_id: int, words: frozenset[str]) -> None:
        """Hold the keywords of a memory in place of those it had."""
        if self._words.get(memory_id) == words:
            return
        self.remove(memory_id)
        row = len(self._ids)
        self._row_of[memory_id] = row
        self._words[memory_id] = words
        self._ids.append(memory_id)
        self._sizes.append(len(words))
        self._weakest.append(0.0)
        self._tie_below.append(_ANY_ID)
        for word in words:
            self._rows_with.setdefault(word, array("q")).append(row)

    def remove(self, memory_id: int) -> None:
        """Hold nothing of a memory any more."""
        row = self._row_of.pop(memory_id, None)
        if row is None:
            return
        del self._words[memory_id]
        self._ids[row] = _GONE
        self._gone += 1
        if self._gone > len(self._row_of):
            self._make_anew()

    def note_links(self, memory_id: int, links: Sequence[Link]) -> None:
        """Know from now on which links a memory has."""
        if (row := self._row_of.get(memory_id)) is None:
            return
        full = len(links) >= MAX_LINKS
        self._weakest[row] = links[-1].strength if full else 0.0
        self._tie_below[row] = _replaceable_below(links) if full else _ANY_ID

    def worth_a_link(self, memory_id: int, words: frozenset[str]) -> list[tuple[int, float]]:
        """Return the memories with a keyword Jaccard of at least 0.3, and that coefficient.

        Left out are pairs of which neither would keep the link: it is not among the 32 strongest
        by keywords of the one, and the other has 32 that are better.
        """
        found = [
            np.frombuffer(self._rows_with[w], np.int64) for w in words & self._rows_with.keys()
        ]
        if not found:
            return []
        rows, common = np.unique(np.concatenate(found), return_counts=True)
        # Views: an array cannot grow while there are any, so none may leave this method.
        ids = np.frombuffer(self._ids, np.int64)[rows]
        sizes = np.frombuffer(self._sizes, np.int64)[rows]
        overlaps = common / (len(words) + sizes - common)
        near = (overlaps >= LEAST_OVERLAP) & (ids != memory_id) & (ids != _GONE)
        rows, ids, overlaps = rows[near], ids[near], overlaps[near]
        weakest = np.frombuffer(self._weakest, np.float64)[rows]
        tie_below = np.frombuffer(self._tie_below, np.int64)[rows]
        enters = (overlaps > weakest) | ((overlaps == weakest) & (memory_id < tie_below))
        enters |= _strongest(ids, overlaps)
        return list(zip(ids[enters].tolist(), overlaps[enters].tolist(), strict=True))

    def _make_anew(self) -> None:
        """Leave out the rows of memories that are gone."""
        kept = KeywordOverlaps()
        for memory_id, row in self._row_of.items():
            kept.put(memory_id, self._words[memory_id])
            kept._weakest[-1], kept._tie_below[-1] = self._weakest[row], self._tie_below[row]
        vars(self).update(vars(kept))


def _replaceable_below(links: Sequence[Link]) -> int:
    """Return the id under which a keyword link as strong as the weakest of these ranks above one.

    The ranks are those of ``memory.network.links.link_rank``: by type, then the older first.
    """
    weakest = [link for link in links if link.strength == links[-1].strength]
    if any(link.type in _YIELDING for link in weakest):
        return _ANY_ID
    return max((e.target for e in weakest if e.type is LinkType.KEYWORD), default=_GONE)


def _strongest(ids: NDArray[np.int64], overlaps: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which of some links are the 32 strongest; of equal ones the older memories'."""
    if len(ids) <= MAX_LINKS:
        return np.ones(len(ids), np.bool_)
    least = np.partition(overlaps, -MAX_LINKS)[-MAX_LINKS]
    chosen: NDArray[np.bool_] = overlaps > least
    equal = np.flatnonzero(overlaps == least)
    room = MAX_LINKS - int(chosen.sum())
    chosen[equal[np.argsort(ids[equal])[:room]]] = True
    return chosen


class NetworkIndex:
    """Finds the memories that share keywords, a turn or a day, and the entities by name.

    It knows the active memories, and holds none of them: those of a large state are packed. Call
    :meth:`note` after changes were applied to the state.
    """

    def __init__(self) -> None:
        self._moments: dict[int, Moment] = {}
        self._turns: dict[int, str] = {}
        self._keywords = KeywordOverlaps()
        self._by_turn: dict[str, set[int]] = {}
        self._in_time: list[Moment] = []
        self._entities: dict[str, int] = {}
        self._names: dict[int, str] = {}
        self._entities_of: dict[int, frozenset[int]] = {}
        self._sources_of: dict[int, set[int]] = {}

    @classmethod
    def build(cls, state: MemoryState) -> "NetworkIndex":
        """Return the index of a whole state; may run in a thread."""
        index = cls.of(state.memories.values())
        index.note(map(Put, state.links.values()))
        return index

    @classmethod
    def of(cls, memories: Iterable[Memory]) -> "NetworkIndex":
        """Return the index of some memories."""
        # Sorted once at the end: inserting each into its place would be quadratic.
        index = cls()
        for memory in memories:
            index._add(memory, in_time=False)
        index._in_time = sorted(index._moments.values())
        return index

    def note(self, changes: Iterable[Change]) -> None:
        """Bring the index up to date; changes of neither memories nor links are ignored."""
        for change in changes:
            match change:
                case Put(Memory() as memory):
                    self._remove(memory.id, replaced=memory.is_active)
                    self._add(memory)
                case Put(Links() as links):
                    self._note_links(links)
                case Put(_):
                    pass
                case Drop(table, int(key)) if table is Memory:
                    self._remove(key)
                case Drop(table, int(key)) if table is Links:
                    self._note_links(Links(source=key, links=()))
                case Drop():
                    pass
                case never:
                    assert_never(never)

    @property
    def memory_ids(self) -> Collection[int]:
        """Return every memory that may be linked."""
        return self._moments.keys()

    def entity(self, name: str) -> int | None:
        """Return the entity of that name, in any spelling."""
        return self._entities.get(normalised_name(name))

    def entities_in(self, text: str) -> tuple[str, ...]:
        """Return the names of known entities that stand in a text, in any spelling."""
        plain = normalised_name(text)
        return tuple(name for name in self._entities if _stands_in(name, plain))

    def focus_sources(self, entity: int) -> AbstractSet[int]:
        """Return the nodes with a focus link to that entity; some of them may be gone."""
        return self._sources_of.get(entity, frozenset())

    def sharing_keywords(self, memory: Memory) -> Iterable[tuple[int, float]]:
        """Return the memories to be linked for their keywords, with the Jaccard coefficient."""
        return self._keywords.worth_a_link(memory.id, _keywords_of(memory))

    def of_same_turn(self, memory: Memory) -> AbstractSet[int]:
        """Return the memories of the same turn; none for a memory without a turn."""
        return self._by_turn.get(memory.origin.turn_id, set()) - {memory.id}

    def near_in_time(self, memory: Memory) -> Iterator[int]:
        """Yield the memories that began within 24 hours, at most 32 before and 32 after."""
        # More could never be kept: a node has room for 32 links.
        here = moment(memory)
        place = bisect_left(self._in_time, here)
        around = self._in_time[max(0, place - MAX_LINKS) : place + MAX_LINKS + 1]
        for at, other in around:
            if other != memory.id and abs(at - here[0]) <= NEARBY:
                yield other

    def _add(self, memory: Memory, *, in_time: bool = True) -> None:
        if not memory.is_active:
            return
        # Entities are linked by being talked about and by nothing else, so only their names count.
        if memory.nature.tier is Tier.ENTITY:
            self._names[memory.id] = normalised_name(memory.words.text)
            self._entities.setdefault(self._names[memory.id], memory.id)
            return
        began = self._moments[memory.id] = moment(memory)
        self._keywords.put(memory.id, _keywords_of(memory))
        if memory.origin.turn_id:
            self._turns[memory.id] = memory.origin.turn_id
            self._by_turn.setdefault(memory.origin.turn_id, set()).add(memory.id)
        if in_time:
            insort(self._in_time, began)

    def _remove(self, memory_id: int, *, replaced: bool = False) -> None:
        name = self._names.pop(memory_id, None)
        if name is not None and self._entities[name] == memory_id:
            del self._entities[name]
        began = self._moments.pop(memory_id, None)
        if began is None:
            return
        if not replaced:
            self._keywords.remove(memory_id)
        if turn := self._turns.pop(memory_id, ""):
            self._by_turn[turn].discard(memory_id)
        del self._in_time[bisect_left(self._in_time, began)]

    def _note_links(self, links: Links) -> None:
        self._keywords.note_links(links.source, links.links)
        for entity in self._entities_of.pop(links.source, ()):
            self._sources_of[entity].discard(links.source)
        entities = frozenset(e.target for e in links.links if e.type is LinkType.FOCUS)
        if entities:
            self._entities_of[links.source] = entities
        for entity in entities:
            self._sources_of.setdefault(entity, set()).add(links.source)


def _stands_in(name: str, plain: str) -> bool:
    """Whether a name stands in a text; one in letters as a word of its own: Ann is no planning."""
    if name not in plain:
        return False
    return not name.isascii() or re.search(rf"(?<!\w){re.escape(name)}(?!\w)", plain) is not None


def _keywords_of(memory: Memory) -> frozenset[str]:
    return frozenset(filter(None, map(normalised_name, memory.words.keywords)))


FOCUS_LIMIT: Final = 5
"""``focus_limit`` of source document 002 §1."""


@dataclass(frozen=True, slots=True)
class NamedEntities:
    """The entities of some names.

    ``ids`` maps each name, as it was given, to its entity; ``new`` are those that had to be made.
    """

    ids: Mapping[str, int]
    new: tuple[Memory, ...]


def named_entities(
    names: Sequence[str], index: NetworkIndex, *, first_id: int, at: datetime
) -> NamedEntities:
    """Return the entities of ``names``; those that are missing are made, from ``first_id`` on.

    Spellings that differ only in width, case or blanks are one name; an empty name is ignored.
    """
    ids: dict[str, int] = {}
    made: dict[str, Memory] = {}
    for name in names:
        plain = normalised_name(name)
        if not plain:
            continue
        known = index.entity(plain)
        if known is None and plain not in made:
            made[plain] = _new_entity(first_id + len(made), name.strip(), at)
        ids[name] = made[plain].id if known is None else known
    return NamedEntities(ids, tuple(made.values()))


def focus_after(
    focus: Sequence[int], mentioned: Sequence[int], limit: int = FOCUS_LIMIT
) -> tuple[int, ...]:
    """Return the focus after entities were ``mentioned``, both least recent first.

    Beyond ``limit``, the entity whose last mention is longest ago leaves (LRU, source document
    002 §8.4).
    """
    latest_first = dict.fromkeys((*reversed(mentioned), *reversed(focus)))
    return tuple(reversed(list(latest_first)[:limit]))


def is_locked(link: Link, focus: Sequence[int]) -> bool:
    """Whether the link leads to an entity in focus and so does not decay."""
    return link.type is LinkType.FOCUS and link.target in focus


def effective_strength(link: Link, focus: Sequence[int]) -> float:
    """Return the strength that counts: 1 for a locked link, its own otherwise."""
    return 1.0 if is_locked(link, focus) else link.strength


def _new_entity(memory_id: int, name: str, at: datetime) -> Memory:
    return Memory(
        id=memory_id,
        words=Words(text=name, phrase=name),
        nature=Nature(tier=Tier.ENTITY),
        trace=Trace.starting_at(at),
        origin=Origin(source=Source.BACKGROUND, at=at),
    )
