"""The search of one agent: the index it keeps in step, and one order of all that is found.

Relevance, law and association make that order; ``docs/decisions/association.md`` gives the formula
and what was measured of it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

import numpy as np

from memory.changes import AgentInfo, Change, Drop, Put
from memory.laws.registry import is_visible
from memory.model import Link, Memory, Mode, Passage
from memory.network.activation import spread
from memory.network.links import connectedness
from memory.recall.index import PassageIndex
from memory.recall.query import Query, parse_query
from memory.recall.relevance import (
    NOTHING_NEAR,
    Near,
    Weights,
    fitted_weights,
    relevant_passages,
    with_meaning,
)
from memory.state import MemoryState
from memory.text.tokens import characters, tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One passage that was found.

    ``score`` ranks hits within one search only; ``relevance``, ``activation`` and ``retention``
    are its parts, each 0..1. ``source_ids`` are the messages the passage came from, best first, at
    most 8; ``quote`` is its text. ``reasons`` are short ``name:value`` texts; ``path`` lists the
    memories by which association led here, from a direct hit on, and is empty for a direct hit.
    """

    memory_id: int
    score: float
    relevance: float
    activation: float
    retention: float
    source_ids: tuple[str, ...]
    quote: str
    reasons: tuple[str, ...] = ()
    path: tuple[int, ...] = ()


_MOST_WORDS: Final = 6

_MOST_CHARACTERS: Final = 3


def hit_reasons(
    passage: Passage,
    query: Query,
    index: PassageIndex,
    path: tuple[int, ...],
    near: Near = NOTHING_NEAR,
) -> tuple[str, ...]:
    """Return ``word:…`` (most telling first), ``date:…``, ``speaker:…``, ``cosine:…``, ``path:…``.

    A passage none of whose own words were asked for says which characters of them it has,
    ``character:…``, and ``beside:…`` with the day it was told: the words stand around it.
    """
    shared = [word for word in dict.fromkeys(tokens(passage.text)) if word in query.terms]
    shared.sort(key=lambda word: -index.words.idf(word) * query.terms[word])
    found = [f"word:{word}" for word in shared[:_MOST_WORDS]]
    found += [f"date:{s.words}" for s in query.spans if s.start <= passage.at < s.end]
    if passage.speaker in query.speakers:
        found.append(f"speaker:{passage.speaker}")
    if passage.text in near:
        found.append(f"cosine:{near[passage.text]:.2f}")
    if path:
        found.append("path:" + "→".join(f"#{step}" for step in path))
    if not found:
        found += [f"character:{one}" for one in _shared_characters(passage, query, index)]
        found.append(f"beside:{passage.at.astimezone(index.zone).date().isoformat()}")
    return tuple(found)


def _shared_characters(passage: Passage, query: Query, index: PassageIndex) -> list[str]:
    """Return the characters a passage shares with a question, most telling first."""
    shared = [one for one in dict.fromkeys(characters(passage.text)) if one in query.pieces]
    shared.sort(key=lambda one: -index.characters.idf(one))
    return shared[:_MOST_CHARACTERS]


# The shares of relevance and activation are those of source document 000.
RELEVANCE_SHARE: Final = 0.6

ACTIVATION_SHARE: Final = 0.4

MOST_SOURCES: Final = 8

_SEEDS: Final = 5

_MOST_ASSOCIATED: Final = 5

_MOST_CONSIDERED: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class _Candidate:
    """A passage on its way to becoming a hit."""

    memory: Memory
    passage: Passage
    relevance: float
    activation: float
    retention: float
    score: float
    path: tuple[int, ...] = ()

    @property
    def sort_key(self) -> tuple[float, float, int]:
        """Return what sorts best first: score, then the newer, then the lower id."""
        return (-self.score, -self.passage.at.timestamp(), self.memory.id)


class _Ranking:
    """One search against one state at one instant; each memory's law is asked once."""

    def __init__(
        self,
        index: PassageIndex,
        state: MemoryState,
        weights: Weights,
        *,
        now: datetime,
        mode: Mode,
        near: Near = NOTHING_NEAR,
    ) -> None:
        self._weights = weights
        self._index = index
        self._state = state
        self._rules = state.rules
        self._context = self._rules.context(now)
        self._now = now
        self._mode = mode
        self._near = near
        self._retentions: dict[int, float | None] = {}

    def hits(self, text: str, k: int) -> list[Hit]:
        """Return the best ``k`` passages, those that association brought included."""
        query = parse_query(text, self._index, self._now)
        direct = self._direct_candidates(query, k)
        found = [*direct, *self._associated_candidates(direct)]
        found.sort(key=lambda each: each.sort_key)
        return [self._hit(each, query) for each in found[:k]]

    def _direct_candidates(self, query: Query, k: int) -> list[_Candidate]:
        """Return the passages worth ranking, most relevant first, whose memory may be recalled.

        More than asked for, because retention may still move them.
        """
        by_words = relevant_passages(query, self._index, self._weights)
        slots, relevance = with_meaning(by_words, self._near, self._index)
        columns = self._index.columns
        order = np.lexsort((columns.memory[slots], -columns.at[slots], -relevance))
        wanted = 2 * k + 10
        found: list[_Candidate] = []
        best: float | None = None
        for place in order.tolist():
            entry = self._index.entry(int(slots[place]))
            retained = self._retention(entry.memory_id)
            if retained is None:
                continue
            share = float(relevance[place])
            best = best or share
            found.append(
                self._candidate(entry.memory_id, entry.passage, share, share / best, retained)
            )
            if len(found) == wanted:
                break
        return found

    def _associated_candidates(self, direct: Iterable[_Candidate]) -> list[_Candidate]:
        """Return the at most 5 memories that the best ones bring up and words did not."""
        seeds: dict[int, float] = {}
        for each in direct:
            seeds.setdefault(each.memory.id, each.activation)
        if not seeds:
            return []
        strongest = dict(list(seeds.items())[:_SEEDS])
        reached = spread(strongest, self._links_of, limit=_MOST_CONSIDERED)
        found: list[_Candidate] = []
        for node in reached:
            retained = self._retention(node.memory_id)
            passages = self._state.memories[node.memory_id].passages
            if node.memory_id in seeds or retained is None or not passages:
                continue
            # A sealed memory has empty words: it is found by nothing, and shown to no model.
            if not passages[0].text:
                continue
            found.append(
                self._candidate(
                    node.memory_id, passages[0], 0.0, node.activation, retained, node.path
                )
            )
        return found[:_MOST_ASSOCIATED]

    def _candidate(
        self,
        memory_id: int,
        passage: Passage,
        relevance: float,
        activation: float,
        retained: float,
        path: tuple[int, ...] = (),
    ) -> _Candidate:
        """Score = (0.6·relevance + 0.4·activation) × (floor + (1 - floor)·retention)."""
        # A bare factor of retention would bury all that is older than days: R@10 on LoCoMo fell
        # from .61 to .08. So fading shows in fate and level, and only gently in the order.
        floor = self._rules.settings.retention_floor
        mixed = RELEVANCE_SHARE * relevance + ACTIVATION_SHARE * activation
        return _Candidate(
            memory=self._state.memories[memory_id],
            passage=passage,
            relevance=relevance,
            activation=activation,
            retention=retained,
            score=mixed * (floor + (1.0 - floor) * retained),
            path=path,
        )

    def _links_of(self, memory_id: int) -> list[Link]:
        """Return the links to memories that are there and, in everyday recall, active."""
        memories = self._state.memories
        return [
            link
            for link in self._state.links_of(memory_id)
            if (target := memories.get(link.target)) is not None
            and (target.is_active or self._mode is not Mode.NORMAL)
        ]

    def _retention(self, memory_id: int) -> float | None:
        """Return the retention of a memory, None if it may not be recalled."""
        if memory_id not in self._retentions:
            memory = self._state.memories.get(memory_id)
            self._retentions[memory_id] = (
                None if memory is None else self._retention_by_law(memory)
            )
        return self._retentions[memory_id]

    def _retention_by_law(self, memory: Memory) -> float | None:
        rules, context = self._rules, self._context
        # Adding up the links of every candidate is dear, so only a law that reads them pays.
        if rules.law.reads_links:
            context = replace(context, connectedness=connectedness(memory.id, self._state))
        found = rules.judge_recall(memory, context)
        return found.retention if is_visible(memory, found, self._mode) else None

    def _hit(self, each: _Candidate, query: Query) -> Hit:
        return Hit(
            memory_id=each.memory.id,
            score=each.score,
            relevance=each.relevance,
            activation=each.activation,
            retention=each.retention,
            source_ids=each.passage.source_ids[:MOST_SOURCES],
            quote=each.passage.text,
            reasons=hit_reasons(each.passage, query, self._index, each.path, self._near),
            path=each.path,
        )


# Slots are not given out again, so an index in which more is dead than alive is built anew; for a
# small one that is not worth a thought.
_REBUILD_ABOVE: Final = 0.5
_LEAST_TO_REBUILD: Final = 1_000


class Recall:
    """Find passages. The index follows ``note``; it is built by ``build`` or the first search.

    ``weights`` says how much each sign of relevance counts; the default is what was fitted.
    """

    def __init__(self, weights: Weights = fitted_weights) -> None:
        self._weights = weights
        self._index: PassageIndex | None = None

    def build(self, state: MemoryState) -> None:
        """Index every memory of ``state``; may run in a thread, before anything else is called."""
        order = sorted(state.memories.values(), key=lambda memory: memory.id)
        zone = ZoneInfo(state.agent_info.settings.time_zone)
        self._index = PassageIndex.of(order, zone)

    def note(self, changes: Iterable[Change]) -> None:
        """Follow changes that were applied; before the index is built there is nothing to do.

        A new time zone, or more that was taken out than is left, makes the next search build anew.
        """
        for change in changes:
            if self._index is None:
                return
            match change:
                case Put(Memory() as memory):
                    self._index.put(memory)
                case Put(AgentInfo(settings=settings)):
                    # Every passage is filed under the day it was said on, in that zone.
                    if settings.time_zone != self._index.zone.key:
                        self._index = None
                case Drop(table, int(memory_id)) if table is Memory:
                    self._index.drop(memory_id)
                case _:
                    pass
        if self._index is not None and _needs_rebuild(self._index):
            self._index = None

    def search(
        self,
        query: str,
        state: MemoryState,
        *,
        now: datetime,
        k: int = 10,
        mode: Mode = Mode.NORMAL,
        near: Near = NOTHING_NEAR,
    ) -> list[Hit]:
        """Return the at most ``k`` best passages for ``query``, best first; writes nothing.

        ``near`` says how near passages are in meaning, where an embedder knows.
        Ties go to the newer passage, then to the lower memory id.
        """
        if self._index is None:
            self.build(state)
        if self._index is None or k < 1:
            return []
        return _Ranking(self._index, state, self._weights, now=now, mode=mode, near=near).hits(
            query, k
        )


def _needs_rebuild(index: PassageIndex) -> bool:
    return len(index) > _LEAST_TO_REBUILD and index.words.dead_share > _REBUILD_ABOVE
