"""The index of the network: what linking asks of a whole state, answered without walking it.

The functions of this package are pure; to find the relatives of a new memory among 100,000 they
take a :class:`NetworkIndex`, which the writer keeps up to date beside the state.
"""

import unicodedata
from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from datetime import datetime, timedelta
from itertools import chain
from typing import Final, TypeAlias, assert_never

from memory.changes import Change, Drop, Links, Put
from memory.model import LinkType, Memory, Tier
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

Moment: TypeAlias = tuple[datetime, int]
"""When a memory began, and its id, which makes the order in time total."""


def moment(memory: Memory) -> Moment:
    """Return when a memory began, as a sort key."""
    return (memory.trace.created_at, memory.id)


class NetworkIndex:
    """Finds the memories that share keywords, a turn or a day, and the entities by name.

    It holds active memories. Call :meth:`note` after changes were applied to the state.
    """

    def __init__(self) -> None:
        self._memories: dict[int, Memory] = {}
        self._words: dict[int, frozenset[str]] = {}
        self._by_word: dict[str, set[int]] = {}
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
                    self._remove(memory.id)
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
        """Yield the memories with a keyword Jaccard of at least 0.3, and that coefficient."""
        # common / union >= 0.3 implies common >= 0.3 * own, which needs no look at the other.
        words = _keywords_of(memory)
        enough = LEAST_OVERLAP * len(words)
        shared = Counter(chain.from_iterable(self._by_word.get(word, ()) for word in words))
        shared.pop(memory.id, None)
        for other, common in shared.items():
            if common >= enough:
                overlap = jaccard(words, self._words[other])
                if overlap >= LEAST_OVERLAP:
                    yield other, overlap

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
        self._memories[memory.id] = memory
        self._words[memory.id] = _keywords_of(memory)
        for word in self._words[memory.id]:
            self._by_word.setdefault(word, set()).add(memory.id)
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
        for word in self._words.pop(memory_id):
            self._by_word[word].discard(memory_id)
        if old.origin.turn_id:
            self._by_turn[old.origin.turn_id].discard(memory_id)
        del self._in_time[bisect_left(self._in_time, moment(old))]

    def _note_links(self, links: Links) -> None:
        for entity in self._entities_of.pop(links.source, ()):
            self._sources_of[entity].discard(links.source)
        entities = frozenset(e.target for e in links.links if e.type is LinkType.FOCUS)
        if entities:
            self._entities_of[links.source] = entities
        for entity in entities:
            self._sources_of.setdefault(entity, set()).add(links.source)


def _keywords_of(memory: Memory) -> frozenset[str]:
    return frozenset(filter(None, map(normalised_name, memory.words.keywords)))
