"""How much each passage has to do with a question, by its signs.

A sign is what speaks for a passage: its words, those around it, when, by whom and how it was said.
Each is a number of about 0 to 1; ``memory.recall.query`` says how much each counts.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from memory.recall.index import PassageIndex
from memory.recall.passage_arrays import NOWHERE, Flags, Ints, PassageColumns, best_slots
from memory.recall.query import Query
from memory.recall.scenes import mean_of_adjacent_days, rank_within_group
from memory.recall.weights import SIGN_NAMES, Weights, best_possible
from memory.recall.word_scores import FoundTerm, FoundTerms, GroupBm25, SlotScores, WordScores
from memory.text.matters import alike
from memory.text.postings import Floats, Slots

MOST_CANDIDATES: Final = 1_000
"""Passages that are looked at closely."""

_SECONDS_PER_DAY: Final = 86_400.0
_LOG_YEAR: Final = float(np.log1p(365.0))

_DAY_SCALE: Final = 4.0
_WEEK_SCALE: Final = 15.0


@dataclass(frozen=True, slots=True)
class PassageSigns:
    """The passages worth a closer look, and their signs: one row each."""

    slots: Slots
    signs: Floats


@dataclass(frozen=True, slots=True)
class _WordSigns:
    """What the words of a question say of every slot, and what follows for every talk.

    Of what is asked of few slots only the scores and the best of them are told: a division of all
    takes time that grows with the memory.
    """

    neighbourhood: Floats
    own: Floats
    best_own: float
    rarest: Floats
    best_rarest: float
    covered: Floats
    whole: float
    feedback: Floats


class _GroupSigns(NamedTuple):
    """What the words of a question say of every scene, talk and day; the latter in three ways."""

    scene: Floats
    day: Floats
    days_beside: Floats
    week: Floats
    talk: Floats


def passage_signs(query: Query, index: PassageIndex, *, everyday: bool = False) -> PassageSigns:
    """Return the signs of every passage that has to do with a question.

    With ``everyday`` only of those that may come to mind by themselves.
    """
    return SignsOfQuery(query, index).found(everyday=everyday)


class RelevantPassages(NamedTuple):
    """Passages that have to do with a question, and how much, in (0, 1]."""

    slots: Slots
    relevance: Floats


class SignsOfQuery:
    """The signs of passages for one question; its words are gone through once at both depths."""

    def __init__(self, query: Query, index: PassageIndex) -> None:
        self.query, self.index = query, index
        self._found: dict[bool, PassageSigns] = {}
        self.relevant: Final[dict[tuple[Weights, bool], RelevantPassages]] = {}

    def found(self, *, everyday: bool) -> PassageSigns:
        """Return what :func:`passage_signs` returns."""
        alive = self.index.words.alive
        flags = self.index.columns.everyday[: len(self.index)]
        # While nothing was let go both depths look at the same.
        everyday = everyday and not np.array_equal(flags, alive)
        if everyday not in self._found:
            heard = self.index.layout.beside_everyday if everyday else None
            self._found[everyday] = self._within(flags if everyday else alive, heard)
        return self._found[everyday]

    def most_relevance(self, by_sign: Mapping[str, float], slots: Slots) -> float:
        """Return what the relevance of no passage in some slots is above, at either depth.

        The groups they are in tell it: whatever else speaks for a passage, it can make up for none
        of what a far scene, day or talk lacks.
        """
        groups, columns, layout = self._groups, self.index.columns, self.index.layout
        talk, scene = layout.talks.group_of.take(slots), layout.scene_of.take(slots)
        day = sum(by_sign[each] * getattr(groups, each) for each in ("day", "days_beside", "week"))
        much = (by_sign["talk"] * groups.talk).take(talk)
        much += (by_sign["scene"] * groups.scene).take(scene)
        much += np.asarray(day).take(columns.day_number.take(slots))
        lacks = float(much.max(initial=-np.inf))
        lacks -= sum(max(by_sign[each], 0.0) for each in _GroupSigns._fields)
        return float(np.exp(lacks / SOFTNESS)) * _ROUNDED_UP

    @cached_property
    def _words(self) -> WordScores:
        return WordScores(self.query, self.index)

    @cached_property
    def _groups(self) -> _GroupSigns:
        words, layout = self._words, self.index.layout
        day = _share_of_best(words.days)
        return _GroupSigns(
            scene=_share_of_best(words.scenes),
            day=day,
            days_beside=mean_of_adjacent_days(day, layout.day_order),
            week=_share_of_best(words.weeks)[layout.weeks.group_of],
            talk=_share_of_best(words.talks),
        )

    def _within(self, within: Flags, heard: Flags | None) -> PassageSigns:
        """Return what is found ``within`` some slots; only what ``heard`` ones say counts."""
        query, index, columns = self.query, self.index, self.index.columns
        if not index.words.alive.any():
            return PassageSigns(np.zeros(0, np.int64), np.zeros((0, len(SIGN_NAMES)), np.float32))
        groups = self._groups
        words = _word_signs(query, index, within, self._words, self._words.of_slots(heard))
        speaks = words.neighbourhood > 0.0
        if query.matters:
            # What was taken out still says here what it was about.
            near = alike(columns.matters[: len(index)], query.matters) * index.words.alive
            speaks |= near >= max(_NEAR_SHARE * float(near.max(initial=0.0)), _LEAST_ALIKE)
        if query.times_asked_about:
            speaks |= _days_away(query, columns.day[: len(index)]) == 0.0
        found = np.flatnonzero(speaks & within)
        # All signs of all passages would take time that grows with the memory; a first look at
        # four of them picks those that can still win.
        if len(found) > MOST_CANDIDATES:
            found = _most_promising(found, query, words, groups, index)
        return PassageSigns(found, _signs_of(found, query, index, words, groups))


_ROUNDED_UP: Final = 1.001
"""More than what is rounded away on the way to a relevance."""


def _signs_of(
    found: Slots, query: Query, index: PassageIndex, words: _WordSigns, groups: _GroupSigns
) -> Floats:
    columns = index.columns
    away = _days_away(query, columns.day[found])
    scene, day = index.layout.scene_of[found], columns.day_number[found]
    talk = index.layout.talks.group_of[found]
    named = [index.speakers[name] for name in query.speakers]
    ago = np.maximum(query.now.timestamp() - columns.at[found], 0.0)
    signs = (
        words.neighbourhood[found],
        words.own[found] / words.best_own,
        groups.scene[scene],
        groups.day[day],
        groups.days_beside[day],
        groups.week[day],
        words.rarest[found] / words.best_rarest,
        words.covered[found] / words.whole,
        away == 0.0,
        np.exp(-away / _DAY_SCALE),
        np.exp(-away / _WEEK_SCALE),
        np.isin(columns.speaker[found], named),
        columns.word_count[found] / (columns.word_count[found] + index.layout.usual_words),
        *_manner_signs(query, columns, found),
        groups.talk[talk],
        words.feedback[talk],
        1.0 - np.minimum(np.log1p(ago / _SECONDS_PER_DAY) / _LOG_YEAR, 1.0),
        _share_of_best(alike(columns.matters[found], query.matters)),
    )
    return np.stack([np.asarray(s, np.float32) for s in signs], axis=1)


def _manner_signs(
    query: Query, columns: PassageColumns, found: Slots
) -> tuple[npt.NDArray[Any], ...]:
    """Return the signs of how something was said, from ``asks`` to ``tells_name``."""
    before = columns.before[found]
    return (
        columns.is_question[found],
        columns.tells_time[found] & query.wants_time,
        columns.tells_number[found] & query.wants_number,
        columns.assistant[found],
        columns.is_question[before] & (before != NOWHERE),
        (before == NOWHERE) & ~columns.gist[found],
        columns.tells_self[found],
        columns.tells_past[found],
        columns.tells_name[found] & query.wants_name,
    )


_NEAR_SHARE: Final = 0.2
"""A passage of the matter that is asked about counts, though it shares no word, from this share of
the likeliest on."""

_LEAST_ALIKE: Final = 0.03
"""How likely it must be of that matter, at least, to be found by it."""

_SAMPLED: Final = 64
"""Of so many passages one is looked at first: what is far below the best of these is out."""


def _most_promising(
    found: Slots, query: Query, words: _WordSigns, groups: _GroupSigns, index: PassageIndex
) -> Slots:
    """Return those of ``found`` that look best at first sight, in order of their slots."""
    columns, layout = index.columns, index.layout

    def promise(slots: Slots) -> Floats:
        much = words.neighbourhood.take(slots)
        if query.times_asked_about:
            much += 0.8 * (_days_away(query, columns.day.take(slots)) == 0.0)
        much += (0.3 * groups.scene).take(layout.scene_of.take(slots))
        much += (0.2 * groups.day).take(columns.day_number.take(slots))
        return much

    sample = promise(found[::_SAMPLED])
    # A little more than enough, so that seldom too few are above.
    place = max(len(sample) - 2 * MOST_CANDIDATES // _SAMPLED, 0)
    least = np.partition(sample, place)[place]
    most_beside = 0.3 + 0.2 + 0.8 * bool(query.times_asked_about)
    near = found[words.neighbourhood.take(found) >= least - most_beside]
    much = promise(near)
    if np.count_nonzero(much >= least) >= MOST_CANDIDATES:
        near, much = near[much >= least], much[much >= least]
    else:
        near, much = found, promise(found)
    return best_slots(near, much, MOST_CANDIDATES, columns)


def _word_signs(
    query: Query, index: PassageIndex, within: Flags, scores: WordScores, slots: SlotScores
) -> _WordSigns:
    """Return what words say: the best ``within`` what is looked at measures every other one."""
    everywhere = bool(within.all())
    in_reach, own, rarest = (
        score if everywhere else score * within
        for score in (slots.neighbourhood, slots.own, slots.rarest)
    )
    return _WordSigns(
        neighbourhood=_share_of_best(in_reach),
        own=own,
        best_own=_best_or_one(own),
        rarest=rarest,
        best_rarest=_best_or_one(rarest),
        covered=slots.covered,
        whole=max(scores.whole, 1e-9),
        feedback=_feedback(query, index, scores.talks, within),
    )


_FEEDBACK_TALKS: Final = 5
_FEEDBACK_LINES: Final = 24
_FEEDBACK_TERMS: Final = 20
"""What a statement is about is also said by the talks nearest to it: so many, by so many terms."""


def _feedback(query: Query, index: PassageIndex, score: Floats, within: Flags) -> Floats:
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
    return _share_of_best(near.score) * np.float32(counts)


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
    terms, place = np.unique(held.keys, return_inverse=True)
    if not len(terms):
        return []
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


def _share_of_best(score: Floats) -> Floats:
    """Return scores as shares of the best one."""
    return score / _best_or_one(score)


def _best_or_one(score: Floats) -> float:
    """Return what scores are divided by to be shares of the best one."""
    return float(score.max(initial=0.0)) or 1.0


def _days_away(query: Query, day: Ints) -> Floats:
    """Return how many days lie between each slot and the nearest time meant; very many if none."""
    away = np.full(len(day), 1e6, np.float32)
    for span in query.times_asked_about:
        first, last = span.start.toordinal(), span.end.toordinal() - 1
        outside = np.maximum(np.maximum(first - day, day - last), 0)
        np.minimum(away, outside.astype(np.float32), out=away)
    return away


SOFTNESS: Final = 4.0
"""The weights are log-odds; divided by this they make a relevance that falls gently."""

_GIST_SHARE: Final = 0.5
"""What is left of the relevance of a gist whose messages can be found themselves: it repeats."""

_REPEAT_SHARE: Final = 0.9
"""What is left of the relevance of each further passage of one memory, for a question without
spaces: Chinese messages are long, and those of one talk tell the same (docs/recall.md)."""


def relevant_passages(
    signs: SignsOfQuery, weights: Weights, *, everyday: bool = False
) -> RelevantPassages:
    """Return every passage worth ranking for a question, in no order."""
    # A line that comes near to what was let go is asked about twice: how near, and for the hits.
    if (weights, everyday) not in signs.relevant:
        signs.relevant[weights, everyday] = _relevant_passages(signs, weights, everyday=everyday)
    return signs.relevant[weights, everyday]


def _relevant_passages(
    signs: SignsOfQuery, weights: Weights, *, everyday: bool
) -> RelevantPassages:
    query, index = signs.query, signs.index
    seen = signs.found(everyday=everyday)
    by_sign = weights(query)
    score = weighted_scores(seen, by_sign)
    reached = dict(zip(SIGN_NAMES, seen.signs.max(axis=0, initial=0.0).tolist(), strict=True))
    best = best_possible(by_sign, query, reached)
    share = np.exp(np.minimum(score - best, 0.0) / SOFTNESS).astype(np.float32)
    layout = index.layout
    whole = layout.verbatim_everyday if everyday else layout.verbatim
    share[_repeated_gists(seen.slots, index, whole)] *= _GIST_SHARE
    if query.dense:
        scene, order = layout.scene_of[seen.slots], index.columns.order[seen.slots]
        share *= _REPEAT_SHARE ** rank_within_group(scene, share, order)
    return RelevantPassages(seen.slots, share)


def weighted_scores(seen: PassageSigns, by_sign: Mapping[str, float]) -> Floats:
    """Return the weighed sum of the signs of each passage, in log-odds."""
    factors = np.array([by_sign[sign] for sign in SIGN_NAMES], np.float32)
    return np.asarray(seen.signs @ factors, np.float32)


def _repeated_gists(slots: Slots, index: PassageIndex, whole: Flags) -> Slots:
    """Return which of ``slots`` are gists of memories that can be found word for word as well."""
    return np.flatnonzero(index.columns.gist[slots] & whole[index.layout.scene_of[slots]])
