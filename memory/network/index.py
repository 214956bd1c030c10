"""The index of the network: what linking asks of a whole state, answered without walking it.

The functions of this package are pure; to find the relatives of a new memory among 100,000 they
take a :class:`NetworkIndex`, which the writer keeps up to date beside the state.
"""

import unicodedata
from array import array
from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from datetime import datetime, timedelta
from typing import Final, TypeAlias, assert_never

import numpy as np

from memory.changes import Change, Drop, Links, Put
from memory.model import LinkType, Memory, Tier
from memory.state import MAX_LINKS, MemoryState
from memory.text.bm25 import Bm25


def normalised_name(text: str) -> str:
    """Return the form in which spellings are compared: NFKC, case-folded, single spaces.

    Half and full width, capitals and surrounding blanks make no difference.

    >>> normalised_name("  ＡＩ  Lab ") == normalised_name("ai lab")
    True
    """
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


LEAST_OVERLAP: Final = 0.3
"""The keyword Jaccard from which two memories are linked (source document 000 §5.1.1)."""

_GIVING_WAY: Final = frozenset({LinkType.CO_TURN, LinkType.TEMPORAL})
"""The types of links that give way to a keyword link of the same strength."""

_ANY_ID: Final = 1 << 62

_TAKES_ANY: Final = (0.0, _ANY_ID)

_REBUILD_ABOVE: Final = 0.5

_LEAST_TO_REBUILD: Final = 1_000

NEARBY: Final = timedelta(hours=24)
"""The most time between two memories linked by time (source document 000 §11.2)."""

Moment: TypeAlias = tuple[datetime, int]
"""When a memory began, and its id, which makes the order in time total."""


def moment(memory: Memory) -> Moment:
    """Return when a memory began, as a sort key."""
    return (memory.trace.created_at, memory.id)


class KeywordIndex:
    """The keywords of memories by id, and how strong a link each of them would still take.

    Talk that repeats itself, an hourly line of the same words, makes every memory a relative of
    every other one. A node keeps 32 links, so nearly all of those can never be kept: they are left
    out here, in arrays, instead of being offered, ranked and refused one by one.
    Links may be noted before or after the memory they start from.
    """

    def __init__(self) -> None:
        self._words: dict[int, frozenset[str]] = {}
        self._slots: dict[int, int] = {}
        self._takes: dict[int, tuple[float, int]] = {}
        self._begin()

    def _begin(self) -> None:
        self._postings = Bm25()
        self._ids = array("q")
        self._takes_above = array("d")
        self._takes_before = array("q")

    def add(self, memory_id: int, words: frozenset[str]) -> None:
        """Take in a memory that is not there."""
        self._words[memory_id] = words
        self._slots[memory_id] = self._postings.add(tuple(words))
        self._ids.append(memory_id)
        strength, last = self._takes.get(memory_id, _TAKES_ANY)
        self._takes_above.append(strength)
        self._takes_before.append(last)

    def remove(self, memory_id: int) -> None:
        """Take out a memory that is there."""
        self._postings.remove(self._slots.pop(memory_id), tuple(self._words.pop(memory_id)))
        postings = self._postings
        if len(postings) > _LEAST_TO_REBUILD and postings.dead_share > _REBUILD_ABOVE:
            self._begin()
            for known, words in self._words.items():
                self.add(known, words)

    def note_links(self, links: Links) -> None:
        """Note the links that a memory has from now on."""
        takes = _weakest_place(links)
        if takes == _TAKES_ANY:
            self._takes.pop(links.source, None)
        else:
            self._takes[links.source] = takes
        slot = self._slots.get(links.source)
        if slot is not None:
            self._takes_above[slot], self._takes_before[slot] = takes

    def overlapping(self, memory_id: int, words: AbstractSet[str]) -> Iterator[tuple[int, float]]:
        """Yield memories with a Jaccard coefficient |A ∩ B| / |A ∪ B| of at least 0.3, and that.

        Left out are those of which neither side could keep the link: they are not among the 32
        best for ``memory_id`` (of equals the lower id), and have 32 better ones themselves.
        """
        postings = self._postings
        common = np.zeros(len(postings), np.int64)
        for word in words:
            common[postings.slots_with(word)[0]] += 1
        own = self._slots.get(memory_id)
        if own is not None:
            common[own] = 0
        found = np.flatnonzero(common)
        shared = common[found]
        overlap = shared / (len(words) + postings.lengths[found].astype(np.int64) - shared)
        near = overlap >= LEAST_OVERLAP
        found, overlap = found[near], overlap[near]
        ids = np.array(self._ids, np.int64)[found]
        if len(found) > MAX_LINKS:
            above = np.array(self._takes_above)[found]
            before = np.array(self._takes_before)[found]
            kept = (overlap > above) | ((overlap == above) & (memory_id < before))
            kept[np.lexsort((ids, -overlap))[:MAX_LINKS]] = True
            ids, overlap = ids[kept], overlap[kept]
        return zip(ids.tolist(), overlap.tolist(), strict=True)


def _weakest_place(links: Links) -> tuple[float, int]:
    """Return what a keyword link must be to enter a list: stronger than that, or of an id before.

    Of two as strong the one to the older memory stays (see ``links.link_rank``).
    """
    if len(links.links) < MAX_LINKS:
        return _TAKES_ANY
    strength = min(link.strength for link in links.links)
    weakest = [link for link in links.links if link.strength == strength]
    if any(link.type in _GIVING_WAY for link in weakest):
        return strength, _ANY_ID
    words = (link.target for link in weakest if link.type is LinkType.KEYWORD)
    return strength, max(words, default=0)


class NetworkIndex:
    """Finds the memories that share keywords, a turn or a day, and the entities by name.

    It holds active memories. Call :meth:`note` after changes were applied to the state.
    """

    def __init__(self) -> None:
        self._memories: dict[int, Memory] = {}
        self._keywords = KeywordIndex()
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
        index._in_time = sorted(map(moment, index._memories.values()))
        return index

    def note(self, changes: Iterable[Change]) -> None:
        """Bring the index up to date; changes of neither memories nor links are ignored."""
        for change in changes:
            match change:
                case Put(Memory() as memory):
                    self._put(memory)
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

    def memories(self) -> Iterator[Memory]:
        """Yield every memory that may be linked."""
        return iter(self._memories.values())

    def entity(self, name: str) -> int | None:
        """Return the entity of that name, in any spelling."""
        return self._entities.get(normalised_name(name))

    def focus_sources(self, entity: int) -> AbstractSet[int]:
        """Return the nodes with a focus link to that entity; some of them may be gone."""
        return self._sources_of.get(entity, frozenset())

    def sharing_keywords(self, memory: Memory) -> Iterator[tuple[int, float]]:
        """Yield the memories that share keywords, as far as a link between the two may be kept.

        With each comes the Jaccard coefficient (see :meth:`KeywordIndex.overlapping`).
        """
        return self._keywords.overlapping(memory.id, _keywords_of(memory))

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

    def _put(self, memory: Memory) -> None:
        known = self._memories.get(memory.id)
        # Most changes of a memory are new numbers: it is found as before.
        if known is not None and memory.is_active and _found_by(memory) == _found_by(known):
            self._memories[memory.id] = memory
        else:
            self._remove(memory.id)
            self._add(memory)

    def _add(self, memory: Memory, *, in_time: bool = True) -> None:
        if not memory.is_active:
            return
        # Entities are linked by being talked about and by nothing else, so only their names count.
        if memory.nature.tier is Tier.ENTITY:
            self._names[memory.id] = normalised_name(memory.words.text)
            self._entities.setdefault(self._names[memory.id], memory.id)
            return
        self._memories[memory.id] = memory
        self._keywords.add(memory.id, _keywords_of(memory))
        if memory.origin.turn_id:
            self._by_turn.setdefault(memory.origin.turn_id, set()).add(memory.id)
        if in_time:
            insort(self._in_time, moment(memory))

    def _remove(self, memory_id: int) -> None:
        name = self._names.pop(memory_id, None)
        if name is not None and self._entities[name] == memory_id:
            del self._entities[name]
        old = self._memories.pop(memory_id, None)
        if old is None:
            return
        self._keywords.remove(memory_id)
        if old.origin.turn_id:
            self._by_turn[old.origin.turn_id].discard(memory_id)
        del self._in_time[bisect_left(self._in_time, moment(old))]

    def _note_links(self, links: Links) -> None:
        self._keywords.note_links(links)
        for entity in self._entities_of.pop(links.source, ()):
            self._sources_of[entity].discard(links.source)
        entities = frozenset(e.target for e in links.links if e.type is LinkType.FOCUS)
        if entities:
            self._entities_of[links.source] = entities
        for entity in entities:
            self._sources_of.setdefault(entity, set()).add(links.source)


def _keywords_of(memory: Memory) -> frozenset[str]:
    return frozenset(filter(None, map(normalised_name, memory.words.keywords)))


def _found_by(memory: Memory) -> tuple[object, ...]:
    """Return everything of a memory by which this index finds it."""
    tier, trace = memory.nature.tier, memory.trace
    return (tier, memory.words.keywords, memory.origin.turn_id, trace.created_at)
