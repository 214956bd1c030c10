"""Relevance, law and association put into one order: the hits of a search, and why each is one.

``docs/decisions/association.md`` gives the formula and what was measured of it.
"""

from bisect import insort
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from typing import Final, NamedTuple

import numpy as np

from memory.changes import DiaryLine
from memory.model import Mode, Passage
from memory.network.walk import SPREADING_FACTOR, Ways, spread
from memory.recall.in_mind import InMind, Reach, Standing, share_told, usual_best
from memory.recall.index import IndexedPassage, PassageIndex, best_stretches
from memory.recall.meaning import UNRELATED_COSINE, Near, with_meaning
from memory.recall.newer import (
    MOST_COMPARED,
    NOTHING_SAID,
    ComparedPassage,
    SaidOfQuery,
    newer_first,
    words_said,
)
from memory.recall.query import Query, share_asked
from memory.recall.relevance import SignsOfQuery, relevant_passages
from memory.recall.weights import Weights
from memory.state import MemoryState
from memory.text.tokens import characters, tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One passage that was found: of a memory, or a line of the diary.

    ``memory_id`` is 0 for a line that no memory holds any more, or none holds yet; ``line`` is the
    line that is quoted, None where a memory speaks in its own words. ``looked_up``: it did not
    come to mind by itself. ``past``: what it says no longer holds.
    ``score`` ranks hits within one search; ``relevance``, ``activation`` and ``retention`` are its
    parts, each 0..1. ``source_ids`` are the messages it came from, best first, at most 8;
    ``quote`` is its text, of a long message the best stretch. ``reasons`` are short ``name:value``
    texts; ``path`` lists the memories by which association led here, and is empty for a direct
    hit.
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
    line: DiaryLine | None = None
    looked_up: bool = False
    past: bool = False


_MOST_WORDS: Final = 6
_MOST_CHARACTERS: Final = 3


def _hit_reasons(
    each: "_Candidate",
    query: Query,
    index: PassageIndex,
    words: SaidOfQuery,
    cosine: float | None,
) -> tuple[str, ...]:
    """Return ``word:…`` (most telling first), ``date:…``, ``speaker:…``, ``cosine:…``, ``path:…``.

    A passage none of whose own words were asked for says which characters of them it has,
    ``character:…``, and ``beside:…`` with the day it was told: the words stand around it.
    """
    passage, path = each.shown, each.path
    said = words.by_slot[each.entry.slot].here if each.entry else set(tokens(passage.text))
    shared = [word for word in said if word in query.terms]
    shared.sort(key=lambda word: (-words.telling[word], word))
    found = [f"word:{word}" for word in shared[:_MOST_WORDS]]
    # A line that only says "this year" reminds of nothing by it.
    told = [s for s in query.spans if s.start <= passage.at < s.end]
    if all(s.end - s.start < timedelta(days=90) for s in told) or share_asked(query.text):
        found += [f"date:{s.words}" for s in told]
    if passage.speaker in query.speakers:
        found.append(f"speaker:{passage.speaker}")
    if cosine is not None:
        found.append(f"cosine:{cosine:.2f}")
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

PAST_SHARE: Final = 0.5
"""What is left of the score of what no longer holds: it follows what holds, under every law."""

_OF_THE_PRESENT: Final = frozenset({"", "own", "nothing-near", "nearer"})
"""Reasons to look things up that say nothing of the past."""

_SEEDS, _MOST_ASSOCIATED, _MOST_CONSIDERED = 5, 5, 20


# A tuple: dozens are made in a search, and a dataclass that is frozen takes five times as long.
class _Candidate(NamedTuple):
    """A passage on its way to becoming a hit."""

    memory_id: int
    passage: Passage
    relevance: float
    activation: float
    retention: float
    score: float
    path: tuple[int, ...] = ()
    entry: IndexedPassage | None = None
    looked_up: bool = False
    past: bool = False
    untold: bool = False

    @property
    def sort_key(self) -> tuple[float, float, int]:
        """Return what sorts best first: score, then the newer, then the lower id."""
        return (-self.score, -self.passage.at.timestamp(), self.memory_id)

    @property
    def shown(self) -> Passage:
        """Return the passage with the words that were found."""
        return self.entry.stretch if self.entry else self.passage


def _mixed(relevance: float, activation: float) -> float:
    """Return the score of what is retained as well as can be."""
    return RELEVANCE_SHARE * relevance + ACTIVATION_SHARE * activation


def _activations(direct: Iterable[_Candidate]) -> dict[int, float]:
    """Return the activation of each memory among some passages: that of its best one."""
    found: dict[int, float] = {}
    for each in direct:
        if each.memory_id:
            found.setdefault(each.memory_id, each.activation)
    return found


class Ranking:
    """One search against one state at one instant; each memory's law is asked once.

    ``deep``: the reason to look things up as well; without one only what comes to mind is found.
    """

    def __init__(
        self,
        index: PassageIndex,
        state: MemoryState,
        weights: Weights,
        *,
        now: datetime,
        reach: Reach,
        deep: str = "",
    ) -> None:
        self._weights = weights
        self._index = index
        self._state = state
        self._rules = state.rules
        self._mode = reach.mode
        self._near = reach.near
        self._of_partner = reach.of_partner
        self._deep = deep
        self._in_mind = InMind(index, state, now=now, reach=reach, deep=deep, cued=True)
        self._strong_from: float | None = None

    def nearest(self, signs: SignsOfQuery) -> float:
        """Return the relevance of the most relevant passage that may be recalled, 0 if none is."""
        return next((each.relevance for each in self._by_relevance(signs)), 0.0)

    def hits(self, signs: SignsOfQuery, k: int) -> list[Hit]:
        """Return the best ``k`` passages, those that association brought included."""
        query = signs.query
        direct, is_open = self._reached(signs, k)
        found = [*direct, *(self._associated_candidates(direct) if is_open else ())]
        found.sort(key=lambda each: each.sort_key)
        found = found[:k]
        by_news = not query.spans and self._deep in _OF_THE_PRESENT
        # A question or a name is answered by one line; what is told or listed is a matter of many.
        beside = query.broad if by_news else 0.0
        slots = [each.entry.slot for each in found if each.entry]
        words = words_said(slots, signs, beside=beside > 0.0)
        if by_news:
            found = _by_news(found, words, beside, self._near)
        return [self._hit(each, query, words) for each in found]

    def _by_relevance(self, signs: SignsOfQuery) -> Iterator[_Candidate]:
        """Yield the passages whose memory may be recalled, most relevant first."""
        everyday = self._mode is Mode.NORMAL and not self._deep
        by_words = relevant_passages(signs, self._weights, everyday=everyday)
        slots, relevance = with_meaning(by_words, self._near, self._index)
        columns = self._index.columns
        order = np.lexsort(
            (columns.order[slots], columns.memory[slots], -columns.at[slots], -relevance)
        )
        best: float | None = None
        for place, entry in best_stretches(order.tolist(), slots, self._index):
            standing = self._in_mind.of_passage(entry)
            if standing is None:
                continue
            share = float(relevance[place])
            if standing.by_cue and not self._is_strong_cue(share):
                continue
            best = best or share
            yield self._candidate(standing, entry.passage, share, share / best, entry=entry)

    def _reached(self, signs: SignsOfQuery, k: int) -> tuple[list[_Candidate], bool]:
        """Return what words reach, and whether links can bring anything else among the best.

        More than asked for, because retention may still move them.
        """
        found: list[_Candidate] = []
        scores: list[float] = []
        for each in islice(self._by_relevance(signs), 2 * k + 10):
            found.append(each)
            insort(scores, each.score)
            # What follows is no more relevant, and no law adds to that.
            least = scores[-k] if len(scores) >= k else 0.0
            words, links = each.relevance, each.activation
            if least > _mixed(words, links) and least > self._most_by_links(found, links):
                return found, False
        return found, True

    def _associated_candidates(self, direct: Iterable[_Candidate]) -> list[_Candidate]:
        """Return the at most 5 memories that the best ones bring up and words did not."""
        seeds = _activations(direct)
        if not seeds:
            return []
        strongest = dict(islice(seeds.items(), _SEEDS))
        every = self._mode is not Mode.NORMAL or bool(self._deep)

        def may_reach(memory_id: int) -> bool:
            memory = self._state.memories.get(memory_id)
            return memory is not None and (every or memory.is_active)

        ways = Ways(self._state.links_of, may_reach)
        reached = spread(strongest, ways, limit=_MOST_CONSIDERED)
        found: list[_Candidate] = []
        for node in reached:
            passages = self._state.memories[node.memory_id].passages
            # What has no text is sealed: found by nothing, and shown to no model.
            if node.memory_id in seeds or not passages or not passages[0].text:
                continue
            standing = self._in_mind.of_memory(node.memory_id)
            if standing is None or standing.by_cue:
                continue
            found.append(self._candidate(standing, passages[0], 0.0, node.activation, node.path))
            if len(found) == _MOST_ASSOCIATED:
                break
        return found

    def _most_by_links(self, direct: Iterable[_Candidate], further: float) -> float:
        """Return the highest score of what only links bring; no way is stronger than its first.

        ``further``: the highest activation of a seed that is not among ``direct`` yet.
        """
        seeds = list(islice(_activations(direct).items(), _SEEDS))
        links_of = self._state.links_of
        first = [much * link.strength for seed, much in seeds for link in links_of(seed)[:1]]
        if len(seeds) < _SEEDS:
            first.append(further)
        return _mixed(0.0, SPREADING_FACTOR * max(first, default=0.0))

    def _is_strong_cue(self, relevance: float) -> bool:
        """Whether something fits as well as the best of a tenth of this agent's answers did."""
        if self._strong_from is None:
            self._strong_from = usual_best(self._state.receipts.values())
        return RELEVANCE_SHARE * relevance + ACTIVATION_SHARE >= self._strong_from

    def _candidate(
        self,
        standing: Standing,
        passage: Passage,
        relevance: float,
        activation: float,
        path: tuple[int, ...] = (),
        entry: IndexedPassage | None = None,
    ) -> _Candidate:
        """Score = (0.6·relevance + 0.4·activation) × (floor + (1 - floor)·retention)."""
        # A bare factor of retention would bury all that is older than days (R@10 .61 to .08), so
        # fading shows in fate and level, and only gently in the order.
        floor = self._rules.settings.retention_floor
        mixed = _mixed(relevance, activation)
        past = self._is_past(standing, entry)
        told = share_told(passage) if self._of_partner else 1.0
        mixed *= told * (PAST_SHARE if past else 1.0)
        return _Candidate(
            memory_id=standing.memory_id,
            passage=passage,
            relevance=relevance,
            activation=activation,
            retention=standing.retention,
            score=mixed * (floor + (1.0 - floor) * standing.retention),
            path=path,
            entry=entry,
            looked_up=standing.looked_up,
            past=past,
            untold=told < 1.0,
        )

    def _hit(self, each: _Candidate, query: Query, words: SaidOfQuery) -> Hit:
        cosine = self._near.cosine(each.passage.text)
        if cosine is not None and cosine <= UNRELATED_COSINE:
            cosine = None
        reasons = _hit_reasons(each, query, self._index, words, cosine)
        if each.looked_up:
            reasons = (*reasons, f"deep:{self._deep}")
        memory = self._state.memories.get(each.memory_id)
        if memory is not None and not (memory.is_active or memory.is_past):
            reasons = (*reasons, f"let-go:#{memory.id}")
        return Hit(
            memory_id=each.memory_id,
            score=each.score,
            relevance=each.relevance,
            activation=each.activation,
            retention=each.retention,
            source_ids=each.passage.source_ids[:MOST_SOURCES],
            quote=each.shown.text,
            reasons=reasons,
            path=each.path,
            line=each.entry.line if each.entry else None,
            looked_up=each.looked_up,
            past=each.past,
        )

    def _is_past(self, standing: Standing, entry: IndexedPassage | None) -> bool:
        """Whether what a passage says no longer holds: it is told as something of before."""
        memories = self._state.memories
        memory = memories.get(standing.memory_id)
        if memory is not None and memory.is_past:
            return True
        # Of what comes to mind by itself the memory tells; a line has to be asked about.
        if entry is None or (standing.memory_id and not standing.looked_up):
            return False
        told = (memories[other] for other in entry.others if other in memories)
        past = any(fact.is_fact and fact.is_past for fact in told)
        return past or (entry.line is not None and entry.line.past)


def _by_news(
    found: Sequence[_Candidate], words: SaidOfQuery, beside: float, near: Near
) -> list[_Candidate]:
    """Return candidates, best first, with the newer of one matter before the older.

    ``beside``: how much of a word counts that is said beside a line; ``near``: what texts mean.
    """
    best = found[:MOST_COMPARED]
    compared = []
    for each in best:
        here, around = words.by_slot[each.entry.slot] if each.entry else NOTHING_SAID
        compared.append(
            ComparedPassage(
                # What is over, or was only asked, is no news.
                at=0.0 if each.past or each.untold else each.passage.at.timestamp(),
                score=each.score,
                terms={term: much for term, much in words.telling.items() if term in here},
                around=around,
                hers=each.passage.role == "assistant",
                cosine=near.cosine(each.passage.text),
            )
        )
    order = newer_first(compared, beside=beside)
    moved = [
        best[new] if new == old else best[old]._replace(score=best[new].score)
        for new, old in enumerate(order)
    ]
    return [*moved, *found[MOST_COMPARED:]]
