"""How much the words of a question say of every line, talk, day, week and memory.

The words of a talk or a day count wherever they were said; those of a line where it may be found,
and a little in the lines beside it.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from memory.recall.index import PassageIndex
from memory.recall.passage_arrays import Flags, PassageGroups, PassageLayout
from memory.recall.query import Query
from memory.text.bm25 import Bm25, idf, saturation, saturation_into
from memory.text.postings import Floats, PostingsPart, Slots
from memory.text.tokens import is_atomic

_LEAST_IDF_SHARE: Final = 0.15
"""How telling a piece must be beside the rarest: about every fifth message may have it."""


class FoundTerm(NamedTuple):
    """A term that is asked for: its weight, how telling it is, and where it stands."""

    weight: float
    telling: float
    places: Sequence[PostingsPart]


Counts: TypeAlias = npt.NDArray[np.float32]
"""A row for each term, a column for each group."""


class FoundTerms(NamedTuple):
    """Terms that are asked for, in one piece: what numpy costs, it costs once for all of them.

    ``weights`` and ``telling`` have an entry for each term. The others have one for each place
    where a term stands, term after term: the slot, how often it stands there, and which it is.
    """

    weights: Floats
    telling: Floats
    slots: Slots
    times: Floats
    rows: Slots

    @classmethod
    def of(cls, found: Sequence[FoundTerm], words: Bm25) -> "FoundTerms":
        """Return the terms one after another, each where a slot of ``words`` lives."""
        return cls(
            np.array([each.weight for each in found]),
            np.array([each.telling for each in found]),
            *words.places_with([each.places for each in found]),
        )

    def within(self, flags: Flags) -> "FoundTerms":
        """Return where they stand among the slots that are flagged."""
        there = flags.take(self.slots)
        return self._replace(
            slots=self.slots[there], times=self.times[there], rows=self.rows[there]
        )


_COMMON_SHARE: Final = 1 / 80
"""A term in more of all slots than this is counted in all of them: that costs less than to ask
which it touches, for its neighbours are several times as many."""


_TOGETHER: Final = 100_000
"""So many cells, of all terms in all slots, are counted at once: numpy's calls cost most there."""

_LAID_OUT: Final = 500_000
"""Up to so many cells are laid out at once, though most of them stay empty."""


class NeighbourBm25:
    """BM25 of messages that also say a little of what their neighbours say."""

    def __init__(self, layout: PassageLayout) -> None:
        size = len(layout.neighbour_norm)
        self.score = np.zeros(size, np.float32)
        self.covered = np.zeros(size, np.float32)
        self._layout = layout
        self._counts = np.zeros(size + 1, np.float32)  # the last cell takes what leads nowhere
        self._share, self._whole = np.empty(size, np.float32), np.empty(size, np.float32)

    def add_terms(self, found: FoundTerms) -> None:
        """Count terms, in a small memory all at once."""
        if len(found.telling) * len(self.score) <= _TOGETHER:
            self._add_together(found)
            return
        if len(found.telling) << len(self.score).bit_length() <= _LAID_OUT:
            self._add_laid_out(found)
            return
        ends = np.searchsorted(found.rows, np.arange(1, len(found.telling))).tolist()
        for telling, slots, times in zip(
            found.telling.tolist(),
            np.split(found.slots, ends),
            np.split(found.times, ends),
            strict=True,
        ):
            self._add_term(telling, slots, times)

    def _add_together(self, found: FoundTerms) -> None:
        # A row for each term, a column for each slot; the first column takes what leads nowhere.
        width, slots = len(self.score) + 1, found.slots
        first = found.rows * width + 1
        where = self._layout.neighbours.take(slots, axis=0) + first[:, np.newaxis]
        heard = self._layout.neighbour_shares.take(slots, axis=0) * found.times[:, np.newaxis]
        places = np.concatenate([slots + first, where.ravel()])
        said = np.concatenate([found.times, heard.ravel()])
        rows = len(found.telling)
        cells = np.bincount(places, said, rows * width).astype(np.float32)
        counts = cells.reshape(rows, width)[:, 1:]
        telling = found.telling.astype(np.float32)
        self.score += telling @ saturation(counts, self._layout.neighbour_norm)
        self.covered += telling @ (counts > 0.0)

    def _add_laid_out(self, found: FoundTerms) -> None:
        """Add what :meth:`_add_term` does of each; what no term touches is not gone through."""
        # A row is as long as a power of two, so that nothing need be divided; its first cell takes
        # what leads nowhere.
        bits, rows, slots = len(self.score).bit_length(), len(found.telling), found.slots
        first = (found.rows << bits) + 1
        cells = np.zeros(rows << bits, np.float32)
        cells[slots + first] = found.times
        where = self._layout.neighbours.take(slots, axis=0) + first[:, np.newaxis]
        heard = self._layout.neighbour_shares.take(slots, axis=0)
        heard *= found.times[:, np.newaxis]
        np.add.at(cells, where.ravel(), heard.ravel())
        cells[:: 1 << bits] = 0.0
        touched = np.flatnonzero(cells > 0.0)
        slot = (touched & ((1 << bits) - 1)) - 1
        telling = found.telling.astype(np.float32).take(touched >> bits)
        share = saturation(cells.take(touched), self._layout.neighbour_norm.take(slot))
        share *= telling
        np.add.at(self.score, slot, share)
        np.add.at(self.covered, slot, telling)

    def _add_term(self, telling: float, slots: Slots, times: Floats) -> None:
        counts = self._counts
        counts[slots] = times
        where = self._layout.neighbours.take(slots, axis=0)
        heard = self._layout.neighbour_shares.take(slots, axis=0)
        heard *= times[:, np.newaxis]
        np.add.at(counts, where.ravel(), heard.ravel())
        counts[-1] = 0.0
        if len(slots) > _COMMON_SHARE * len(self.score):
            self._add_to_all(telling)
            counts.fill(0.0)
            return
        touched = np.flatnonzero(counts > 0.0)
        norms = self._layout.neighbour_norm.take(touched)
        self.score[touched] += telling * saturation(counts.take(touched), norms)
        self.covered[touched] += telling
        counts[touched] = 0.0

    def _add_to_all(self, telling: float) -> None:
        """Add what the counts say of every slot; what was not touched gains nothing."""
        counts, share, whole = self._counts[:-1], self._share, self._whole
        saturation_into(counts, self._layout.neighbour_norm, share, whole)
        share *= np.float32(telling)
        self.score += share
        np.multiply(counts > 0.0, np.float32(telling), out=share)
        self.covered += share


class GroupBm25:
    """BM25 of passages that belong together, each group as one text."""

    def __init__(self, groups: PassageGroups) -> None:
        self.score = np.zeros(len(groups.length_norm), np.float32)
        self._groups = groups

    def add_terms(self, found: FoundTerms) -> Counts:
        """Count terms by where they stand; return how often each is said in each group."""
        width, rows = len(self.score), len(found.weights)
        places = self._groups.group_of.take(found.slots)
        places += found.rows * width
        counts = np.bincount(places, found.times, rows * width).astype(np.float32)
        return self.add_counts(counts.reshape(rows, width), found)

    def add_counts(self, counts: Counts, found: FoundTerms) -> Counts:
        """Count terms of which it is known how often each is said in each group, by rows."""
        total, holding = self._groups.group_count, np.count_nonzero(counts, axis=1).tolist()
        telling = found.weights * [idf(total, held) for held in holding]
        share = saturation(counts, self._groups.length_norm)
        share *= telling.astype(np.float32)[:, np.newaxis]
        self.score += share.sum(axis=0)
        return counts

    def of_groups(self, counts: Counts) -> Counts:
        """Return how often terms are said in each group, by how often they are in its parts."""
        rows, width = len(counts), len(self.score)
        places = np.arange(rows)[:, np.newaxis] * width + self._groups.group_of
        summed = np.bincount(places.ravel(), counts.ravel(), rows * width)
        return summed.astype(np.float32).reshape(rows, width)


class SlotScores(NamedTuple):
    """What the words of a question say of each slot.

    ``neighbourhood`` and ``covered`` count the words beside it as well; the latter is how telling
    those are that stand there. ``own`` counts its pieces, ``rarest`` its most telling word.
    """

    neighbourhood: Floats
    covered: Floats
    own: Floats
    rarest: Floats


class WordScores:
    """What the words of a question say; they are gone through once for all that is asked of them.

    ``talks``, ``days``, ``weeks`` and ``scenes`` are scores of each, ``whole`` is what all of its
    words tell together.
    """

    def __init__(self, query: Query, index: PassageIndex) -> None:
        words, self._layout = index.words, index.layout
        by_term = {
            term: FoundTerm(weight, telling, words.parts_with(term))
            for term, weight in query.terms.items()
            if (telling := words.idf(term) * weight) > 0.0
        }
        self._names = [*by_term]
        self._terms = FoundTerms.of([*by_term.values()], words)
        self._pieces = FoundTerms.of(_pieces(query, index, by_term), words)
        self.whole = sum(each.telling for each in by_term.values())
        layout = self._layout
        groups = (layout.days, layout.weeks, layout.talks, layout.memory_groups)
        days, weeks, talks, scenes = map(GroupBm25, groups)
        talks.add_terms(self._terms)
        weeks.add_counts(weeks.of_groups(days.add_terms(self._terms)), self._terms)
        scenes.add_terms(self._pieces)
        self.talks, self.days, self.weeks = talks.score, days.score, weeks.score
        self.scenes = scenes.score

    @cached_property
    def everywhere(self) -> SlotScores:
        """The scores of slots, all of which are heard in others."""
        return self.of_slots()

    def of_slots(self, heard: Flags | None = None) -> SlotScores:
        """Return the scores of slots; only slots that are ``heard`` are heard in others."""
        band = NeighbourBm25(self._layout)
        band.add_terms(self._terms if heard is None else self._terms.within(heard))
        return SlotScores(band.score, band.covered, *self._in_slots)

    def said_in(self, slots: Sequence[int]) -> dict[int, set[str]]:
        """Return which terms some slots hold; of one that holds none nothing is told."""
        wanted = np.zeros(len(self._layout.own_norm), np.bool_)
        wanted[slots] = True
        terms, names = self._terms, self._names
        there = np.flatnonzero(wanted.take(terms.slots))
        found: dict[int, set[str]] = {}
        for slot, row in zip(terms.slots[there].tolist(), terms.rows[there].tolist(), strict=True):
            found.setdefault(slot, set()).add(names[row])
        return found

    @cached_property
    def _in_slots(self) -> tuple[Floats, Floats]:
        """What each slot says itself, whoever hears it: by its pieces, and its rarest term."""
        terms, pieces = self._terms, self._pieces
        own, rarest = np.zeros((2, len(self._layout.own_norm)), np.float32)
        np.maximum.at(rarest, terms.slots, terms.telling.astype(np.float32)[terms.rows])
        much = (pieces.weights * pieces.telling).astype(np.float32)[pieces.rows]
        much *= saturation(pieces.times, self._layout.own_norm[pieces.slots])
        np.add.at(own, pieces.slots, much)
        return own, rarest


def _pieces(
    query: Query, index: PassageIndex, by_term: Mapping[str, FoundTerm]
) -> list[FoundTerm]:
    """Return where the pieces of a question stand.

    In a language with spaces they are terms, and ``by_term`` tells where these stand. Pieces that
    a good part of all messages has are left out: they tell little and cost most.
    """
    least = _LEAST_IDF_SHARE * idf(int(np.count_nonzero(index.words.alive)), 1)
    found: list[FoundTerm] = []
    for piece, weight in query.pieces.items():
        within = index.words if is_atomic(piece) else index.characters
        telling = within.idf(piece)
        if telling <= least:
            continue
        known = by_term.get(piece) if within is index.words else None
        places = known.places if known else within.parts_with(piece)
        found.append(FoundTerm(weight, telling, places))
    return found


_FEEDBACK_TALKS: Final = 5
_FEEDBACK_LINES: Final = 24
_FEEDBACK_TERMS: Final = 20
"""What a statement is about is also said by the talks nearest to it: so many, by so many terms."""


def feedback(query: Query, index: PassageIndex, score: Floats, within: Flags) -> Floats:
    """Return how near each talk is to the talks that are nearest to a statement.

    Relevance feedback (Rocchio 1971). It says something where talks are long and many; of memories
    that stand alone it only repeats the words, so it counts by the lines of a talk. A question is
    about what it says itself.
    """
    layout = index.layout
    near = GroupBm25(layout.talks)
    counts = (1.0 - query.asking) * (1.0 - 1.0 / max(layout.lines_per_talk, 1.0))
    if counts <= 0.0 or not score.any():
        return near.score
    best = np.array(_best_of(score, _FEEDBACK_TALKS))
    shares = score[best] / score[best[0]]
    telling = _telling_terms(index, best[shares > 0.0], shares, within)
    found = [FoundTerm(much, much, index.words.parts_with(term)) for term, much in telling]
    near.add_terms(FoundTerms.of(found, index.words))
    return share_of_best(near.score) * np.float32(counts)


def _best_of(score: Floats, most: int) -> list[int]:
    """Return the places of the few highest scores, highest first, of equal ones the first."""
    left, best = score.copy(), list[int]()
    for _ in range(min(most, len(score))):
        best.append(int(left.argmax()))
        left[best[-1]] = -np.inf
    return best


def _telling_terms(
    index: PassageIndex, talks: Slots, shares: Floats, within: Flags
) -> list[tuple[str, float]]:
    """Return what some talks are about, most telling first, each term beside the first."""
    words = index.words
    order = index.columns.order
    lines, talk_of = index.layout.talks.first_slots(talks, within, _FEEDBACK_LINES, order)
    held = words.texts.of(lines)
    if not len(held.keys):
        return []
    # Twice as quick as numpy's own way to number them.
    terms = np.sort(held.keys)
    terms = terms[np.append(True, terms[1:] != terms[:-1])]
    place = np.searchsorted(terms, held.keys)
    # A row for each talk, a column for each term.
    place += np.repeat(talk_of, held.sizes) * len(terms)
    times = np.bincount(place, held.times, len(talks) * len(terms)).reshape(len(talks), -1)
    said = shares[: len(talks), np.newaxis] * np.minimum(times, _FEEDBACK_TALKS)
    telling = said.sum(axis=0) * words.idf_of(terms)
    most = min(_FEEDBACK_TERMS, len(terms))
    least = np.partition(telling, len(terms) - most)[len(terms) - most]
    found = [
        (-telling[i], words.texts.token(int(terms[i]))) for i in np.flatnonzero(telling >= least)
    ]
    found = sorted(found)[:most]
    return [(term, float(much / found[0][0])) for much, term in found]


def share_of_best(score: Floats) -> Floats:
    """Return scores as shares of the best one."""
    return score / best_or_one(score)


def best_or_one(score: Floats) -> float:
    """Return what scores are divided by to be shares of the best one."""
    return float(score.max(initial=0.0)) or 1.0
