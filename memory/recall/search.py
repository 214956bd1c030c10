"""The search of one agent: relevance, law and association put in one order."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

import numpy as np

from memory.changes import Change, Drop, Put
from memory.laws.law import Vantage, recallable, retention
from memory.model import Link, Memory, Mode
from memory.network.linking import connectedness
from memory.network.spreading import Activated, spread
from memory.recall.hits import Hit
from memory.recall.index import PassageIndex
from memory.recall.query import Query, understand
from memory.recall.relevance import relevance
from memory.state import MemoryState
from memory.text.bm25 import Floats
from memory.text.tokens import tokens

RELEVANCE_SHARE: Final = 0.6
ACTIVATION_SHARE: Final = 0.4
MOST_SOURCES: Final = 8
MOST_REASONS: Final = 6
_SEEDS: Final = 5
_REBUILD_ABOVE: Final = 0.5
_WORTH_REBUILDING: Final = 1_000


class Recall:
    """Find passages. The index follows ``note``; it is built by ``build`` or the first search."""

    def __init__(self) -> None:
        self._index: PassageIndex | None = None

    def build(self, state: MemoryState) -> None:
        """Index every memory of ``state``; may run in a thread, before anything else is called."""
        order = sorted(state.memories.values(), key=lambda memory: memory.id)
        self._index = PassageIndex.of(order)

    def note(self, changes: Iterable[Change]) -> None:
        """Follow changes that were applied; before the index is built there is nothing to do."""
        if self._index is None:
            return
        for change in changes:
            match change:
                case Put(Memory() as memory):
                    self._index.put(memory)
                case Drop(table, int(memory_id)) if table is Memory:
                    self._index.drop(memory_id)
                case _:
                    pass
        words = self._index.words
        if len(words) > _WORTH_REBUILDING and words.dead_share > _REBUILD_ABOVE:
            self._index = None

    def search(
        self,
        query: str,
        state: MemoryState,
        *,
        now: datetime,
        k: int = 10,
        mode: Mode = Mode.NORMAL,
    ) -> list[Hit]:
        """Return the at most ``k`` best passages for ``query``, best first; writes nothing.

        Ties go to the newer passage, then to the lower memory id.
        """
        if self._index is None:
            self.build(state)
        if self._index is None or k < 1:
            return []
        return _Search(self._index, state, query, now, mode).hits(k)


class _Search:
    """One search: what is needed to answer one question, and nothing that outlives it."""

    def __init__(
        self, index: PassageIndex, state: MemoryState, text: str, now: datetime, mode: Mode
    ) -> None:
        self._index = index
        self._state = state
        self._settings = state.household.settings
        self._zone = ZoneInfo(self._settings.time_zone)
        self._now = now
        self._mode = mode
        self._query: Query = understand(text, index, now=now, zone=self._zone)
        self._known: dict[int, float | None] = {}

    def hits(self, k: int) -> list[Hit]:
        """Return the best ``k`` passages, those that association brought included."""
        score = relevance(self._query, self._index)
        direct = self._direct(score, k)
        best: dict[int, float] = {}
        for slot in direct:
            best.setdefault(int(self._index.columns.memory[slot]), float(score[slot]))
        if not best:
            return []
        top = max(best.values())
        activation = {memory: relevant / top for memory, relevant in best.items()}
        seeds = dict(list(activation.items())[:_SEEDS])
        found = [self._hit(slot, float(score[slot]), activation) for slot in direct]
        brought = spread(seeds, self._links_of)
        found += [hit for each in brought if (hit := self._brought(each, best)) is not None]
        return sorted(found, key=self._order)[:k]

    def _direct(self, score: Floats, k: int) -> list[int]:
        """Return the slots worth ranking: the best by relevance whose memory may be recalled.

        Twice as many as asked for: retention may move a passage by at most its floor.
        """
        found: list[int] = []
        wanted = 2 * k + 10
        some = np.flatnonzero(score > 0.0)
        order = some[np.lexsort((-self._index.columns.at[some], -score[some]))]
        for slot in order.tolist():
            if self._retention(int(self._index.columns.memory[slot])) is not None:
                found.append(slot)
                if len(found) == wanted:
                    break
        return found

    def _retention(self, memory_id: int) -> float | None:
        """Return the retention of a memory, None if it may not be recalled; worked out once."""
        if memory_id not in self._known:
            memory = self._state.memories.get(memory_id)
            self._known[memory_id] = None if memory is None else self._judged(memory)
        return self._known[memory_id]

    def _judged(self, memory: Memory) -> float | None:
        vantage = Vantage(self._now, self._zone, connectedness(memory.id, self._state))
        if not recallable(memory, vantage, self._mode, self._settings):
            return None
        return retention(memory, vantage, self._settings)

    def _links_of(self, memory_id: int) -> list[Link]:
        return [
            link
            for link in self._state.links_of(memory_id)
            if self._retention(link.target) is not None
        ]

    def _score(self, relevant: float, active: float, retained: float) -> float:
        floor = self._settings.retention_floor
        return (RELEVANCE_SHARE * relevant + ACTIVATION_SHARE * active) * (
            floor + (1.0 - floor) * retained
        )

    def _hit(self, slot: int, relevant: float, activation: Mapping[int, float]) -> Hit:
        entry = self._index.entry(slot)
        retained = self._retention(entry.memory_id) or 0.0
        active = activation[entry.memory_id] * 1.0
        return Hit(
            memory_id=entry.memory_id,
            score=self._score(relevant, active, retained),
            relevance=relevant,
            activation=active,
            retention=retained,
            source_ids=entry.passage.source_ids[:MOST_SOURCES],
            quote=entry.passage.text,
            reasons=self._reasons(slot),
        )

    def _brought(self, each: Activated, best: Mapping[int, float]) -> Hit | None:
        """Return the hit of a memory that association brought: its gist, or its first words."""
        if each.memory_id in best:
            return None
        memory = self._state.memories[each.memory_id]
        if not memory.passages:
            return None
        passage = memory.passages[0]
        retained = self._retention(memory.id) or 0.0
        way = "→".join(f"#{step}" for step in each.path)
        return Hit(
            memory_id=memory.id,
            score=self._score(0.0, each.activation, retained),
            relevance=0.0,
            activation=each.activation,
            retention=retained,
            source_ids=passage.source_ids[:MOST_SOURCES],
            quote=passage.text,
            reasons=(f"path:{way}",),
            path=each.path,
        )

    def _reasons(self, slot: int) -> tuple[str, ...]:
        """Say why a passage was found: the words it shares, the date, the speaker."""
        passage = self._index.entry(slot).passage
        own = dict.fromkeys(tokens(passage.text))
        shared = sorted(
            (word for word in own if word in self._query.terms),
            key=lambda word: -self._index.words.idf(word),
        )
        reasons = [f"word:{word}" for word in shared[:MOST_REASONS]]
        reasons += [
            f"date:{span.words}"
            for span in self._query.spans
            if span.start <= passage.at < span.end
        ]
        if passage.speaker in self._query.speakers:
            reasons.append(f"speaker:{passage.speaker}")
        return tuple(reasons) or ("beside:" + passage.at.date().isoformat(),)

    def _order(self, hit: Hit) -> tuple[float, float, int]:
        memory = self._state.memories[hit.memory_id]
        return (-hit.score, -memory.origin.at.timestamp(), hit.memory_id)
