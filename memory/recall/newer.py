"""The newer of two things told of one matter is found first, by rule; no model is asked.

Of passages that answer the same words of a line the newer goes first, unless the line asks about
the past. What a newer line ended is told as before by ``memory.recall.said_around``, which also
tells what was likely said last of the matter that is asked about, whatever its words.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime
from itertools import chain
from typing import Final, NamedTuple

import numpy as np

from memory.model import Memory, Sensitivity
from memory.recall.index import IndexedPassage, PassageIndex
from memory.recall.passage_arrays import NOWHERE, likeliest
from memory.recall.relevance import SignsOfQuery
from memory.recall.word_scores import FoundTerm, FoundTerms
from memory.state import MemoryState
from memory.text.bm25 import saturation
from memory.text.matters import alike, chances_of_ending, ending_alone

MOST_COMPARED: Final = 10
"""So many of the best are put in order of news: what is among them stays among them."""

SAME_MATTER: Final = 0.6
"""The share of the telling words of the older that the newer must answer as well."""

LEAST_SCORE: Final = 0.6
"""How near in score the newer must be to the older: a passing word is no news of a matter."""

SCORE_PER_SHARE: Final = 0.75
"""How much less near that must be the more of the matter the newer answers."""


LESS_NEAR: Final = 0.1
"""How much less near in meaning, by its cosine, the newer may be where vectors are."""


class ComparedPassage(NamedTuple):
    """What is compared of a passage: when it was told, its score, the words it answers.

    ``at`` is in seconds; ``terms`` are words of the line that the passage has, each with how
    telling it is; ``around`` are those that are said in it or right beside it. ``hers``:
    she said it herself. ``cosine``: how near it is in meaning to the line, where that is known.
    """

    at: float
    score: float
    terms: Mapping[str, float]
    around: AbstractSet[str] = frozenset()
    hers: bool = False
    cosine: float | None = None


def newer_first(told: Sequence[ComparedPassage], beside: float = 1.0) -> list[int]:
    """Return the places of ``told``, best first by score, with the newer of one matter first.

    Only who is told of the same matter changes places; everything else keeps its order. What is
    said ``beside`` a line counts so much of what is said in it, 0..1.
    """
    order: list[int] = []
    for place, each in enumerate(told):
        older = (at for at, other in enumerate(order) if _is_news(each, told[other], beside))
        order.insert(next(older, len(order)), place)
    return order


def _is_news(new: ComparedPassage, old: ComparedPassage, beside: float) -> bool:
    """Tell whether one passage is newer than another and says of the same matter what it says."""
    whole = sum(old.terms.values())
    # That she says back what she was told is no news of it.
    if new.at <= old.at or whole <= 0.0 or (new.hers and not old.hers):
        return False
    shared = sum(much * _share_said(term, new, beside) for term, much in old.terms.items()) / whole
    near = LEAST_SCORE - SCORE_PER_SHARE * (shared - SAME_MATTER)
    return shared >= SAME_MATTER and new.score >= near * old.score and _means_it_too(new, old)


def _means_it_too(new: ComparedPassage, old: ComparedPassage) -> bool:
    """Tell whether the newer is as near in meaning: the same words may be of another matter."""
    if new.cosine is None or old.cosine is None:
        return True
    return new.cosine >= old.cosine - LESS_NEAR


def _share_said(term: str, new: ComparedPassage, beside: float) -> float:
    """Return how much of a word counts as said: who goes on with a matter says much nearby."""
    return 1.0 if term in new.terms else beside * (term in new.around)


BESIDE: Final = 12
"""So many lines before and after a line in the same talk are about its matter."""


class Said(NamedTuple):
    """Which words of a question a line has, and which the lines beside it."""

    here: AbstractSet[str]
    beside: AbstractSet[str]


NOTHING_SAID: Final = Said(frozenset(), frozenset())


class SaidOfQuery(NamedTuple):
    """How telling each term of a question is, and which of them some slots hold."""

    telling: Mapping[str, float]
    by_slot: Mapping[int, Said]


def words_said(slots: Sequence[int], signs: SignsOfQuery, *, beside: bool) -> SaidOfQuery:
    """Return which terms of a question the lines in some slots have, best first.

    If asked for ``beside``, of those that are compared also what is said around them.
    """
    index, terms = signs.index, signs.query.terms
    # Those further down are compared with nothing.
    most = MOST_COMPARED if beside else 0
    near = {
        slot: _slots_beside(slot, index) if place < most else []
        for place, slot in enumerate(slots)
    }
    said = signs.words.said_in([*chain(near, *near.values())])
    telling, nothing = index.words.idf, frozenset[str]()
    return SaidOfQuery(
        {term: telling(term) * weight for term, weight in terms.items()},
        {
            slot: Said(
                said.get(slot, nothing),
                nothing.union(*[said[each] for each in those if each in said]),
            )
            for slot, those in near.items()
        },
    )


def _slots_beside(slot: int, index: PassageIndex) -> list[int]:
    """Return the slots of the lines beside one in the same talk."""
    # Looked up one by one numpy's own arrays take three times as long.
    columns, talk = index.columns, index.layout.talks.group_of.data
    found = []
    for column in (columns.before.data, columns.after.data):
        at = slot
        for _ in range(BESIDE):
            at = column[at]
            if at == NOWHERE or talk[at] != talk[slot]:
                break
            found.append(at)
    return found


_MOST_CHANGES: Final = 8
"""So many times something may have changed since: further on nobody looks."""


def what_holds_now(memory: Memory, state: MemoryState) -> Memory | None:
    """Return what took the place of a memory and holds, as far as that can be shown."""
    for _ in range(_MOST_CHANGES):
        newer = state.memories.get(memory.lineage.replaced_by or 0)
        if newer is None or newer.nature.sensitivity is Sensitivity.SECRET or not newer.is_active:
            return None
        if not newer.is_past:
            return newer
        memory = newer
    return None


def lines_after(at: datetime, held: str, index: PassageIndex) -> Iterator[IndexedPassage]:
    """Yield the lines of the partner's after an instant that are likeliest to end what is held."""
    columns, size = index.columns, len(index)
    own = index.words.alive[:size] & ~columns.assistant[:size]
    later = np.flatnonzero(own & (columns.at[:size] > at.timestamp()))
    likely = chances_of_ending(columns.matters[later], held)
    first = later[likeliest(likely, columns.order[later], _READ_FOR_ENDINGS)]
    return (each for each in map(index.entry, first.tolist()) if each.line is not None)


_READ_FOR_ENDINGS: Final = 12
"""So many lines likely to end one are read in full."""


def lines_of_matter(
    asked: Mapping[int, float], index: PassageIndex
) -> Iterator[tuple[IndexedPassage, float]]:
    """Yield the lines of the partner's likeliest told last of the matters asked, best first.

    Each comes with how likely it is of them, 0 to 1; there are at most three. A question is mostly
    of what changed, and of how it is now: of two lines of one matter the later is likelier, and
    what by itself ends something (``benchmarks/matter_lives``).
    """
    columns, size = index.columns, len(index)
    own = np.flatnonzero(index.words.alive[:size] & ~columns.assistant[:size])
    if not asked or not len(own):
        return
    near, at = alike(columns.matters[own], asked), columns.at[own]
    late = (at - at.min()) / max(float(np.ptp(at)), 1.0)
    worth = near**2 * (_ANY_LINE + ending_alone(columns.matters[own])) * (_FIRST_LINE + late)
    best = likeliest(worth, columns.order[own], _MOST_OF_MATTER)
    for place in best[near[best] >= _OF_MATTER].tolist():
        entry = index.entry(int(own[place]))
        if entry.line is not None:
            yield entry, float(near[place])


def lines_naming(
    terms: Collection[str], index: PassageIndex
) -> list[tuple[IndexedPassage, float]]:
    """Return what the partner told that names some terms best, best first, with its BM25.

    All of a life takes part, ten of it are told: what was said since is news of a matter only
    where it is as much about it as what was said before.
    """
    words, layout, columns = index.words, index.layout, index.columns
    found = FoundTerms.of(
        [FoundTerm(1.0, words.idf(each), words.parts_with(each)) for each in terms], words
    )
    much = saturation(found.times, layout.own_norm[found.slots])
    much *= found.telling.astype(np.float32)[found.rows]
    score = np.bincount(found.slots, much, len(index)).astype(np.float32)
    own = np.flatnonzero((score > 0.0) & ~columns.assistant[: len(index)])
    best = own[likeliest(score[own], columns.order[own], MOST_COMPARED)]
    return [(index.entry(slot), float(score[slot])) for slot in best.tolist()]


_MOST_OF_MATTER: Final = 3
_OF_MATTER: Final = 0.03
"""How likely a line must be of the matter that is asked about."""

_ANY_LINE: Final = 0.3
_FIRST_LINE: Final = 0.5
"""What a line is worth that ends nothing, beside one; and the first of a life, beside the last."""
