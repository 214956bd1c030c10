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
from memory.recall.weights import SIGN_NAMES, Weights, best_possible, can_apply
from memory.recall.word_scores import (
    SlotScores,
    WordScores,
    best_or_one,
    feedback,
    share_of_best,
)
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
    """What the words of a question say of every slot ``within`` what is looked at.

    Of what is asked of few slots only the scores and the best of them are told: a division of all
    takes time that grows with the memory.
    """

    within: Flags
    neighbourhood: Floats
    own: Floats
    best_own: float
    rarest: Floats
    best_rarest: float
    covered: Floats
    whole: float


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
    """The signs of passages for one question; its words are gone through once at both depths.

    ``both``: what was let go is asked about as well, so that words are looked for everywhere.
    """

    def __init__(self, query: Query, index: PassageIndex, *, both: bool = False) -> None:
        self.query, self.index = query, index
        self._both = both
        self._found: dict[bool, PassageSigns] = {}
        self.relevant: Final[dict[tuple[Weights, bool], RelevantPassages]] = {}

    def found(self, *, everyday: bool) -> PassageSigns:
        """Return what :func:`passage_signs` returns."""
        # While nothing was let go both depths look at the same.
        everyday = everyday and not np.array_equal(self._in_mind, self.index.words.alive)
        if everyday not in self._found:
            self._found[everyday] = self._within(self._everyday if everyday else self._everywhere)
        return self._found[everyday]

    def most_relevance(
        self, by_sign: Mapping[str, float], slots: Slots, least: float = 0.0
    ) -> float:
        """Return what the relevance of no passage in some slots is above, where all is looked up.

        Whatever else speaks for a passage, it can make up for nothing of what a sign lacks. Where
        that is less than ``least``, it may be told as 0.
        """
        query, columns, layout = self.query, self.index.columns, self.index.layout
        groups, words = self._groups, self._everywhere
        most = {
            sign: max(by_sign[sign], 0.0) if can_apply(sign, query) else 0.0 for sign in by_sign
        }
        day = sum(by_sign[each] * getattr(groups, each) for each in ("day", "days_beside", "week"))
        much = (by_sign["talk"] * groups.talk).take(layout.talks.group_of.take(slots))
        much += (by_sign["scene"] * groups.scene).take(layout.scene_of.take(slots))
        much += np.asarray(day).take(columns.day_number.take(slots))
        much -= sum(most[each] for each in _GroupSigns._fields)
        for sign, score, best in (
            ("band", words.neighbourhood, 1.0),
            ("covered", words.covered, words.whole),
            ("own", words.own, words.best_own),
            ("rarest", words.rarest, words.best_rarest),
        ):
            much += by_sign[sign] / best * score.take(slots) - most[sign]
        near = much >= SOFTNESS * np.log(max(least / _ROUNDED_UP, _NOTHING))
        slots, much = slots[near], much[near]
        count = columns.word_count[slots]
        much += by_sign["length"] * count / (count + layout.usual_words) - most["length"]
        for sign, told in zip(_MANNERS, _manner_signs(query, columns, slots), strict=True):
            much += by_sign[sign] * told - most[sign]
        return float(np.exp(much.max(initial=-np.inf) / SOFTNESS)) * _ROUNDED_UP

    @property
    def _in_mind(self) -> Flags:
        return self.index.columns.everyday[: len(self.index)]

    @cached_property
    def _everywhere(self) -> _WordSigns:
        return _word_signs(self.words, self.words.everywhere, self.index.words.alive)

    @cached_property
    def _everyday(self) -> _WordSigns:
        """What words say of what may come to mind: only what is heard there need be counted."""
        words, heard = self.words, self.index.layout.beside_everyday
        said = words.everywhere if self._both else words.of_slots(heard)
        return _word_signs(words, said, self._in_mind)

    @cached_property
    def words(self) -> WordScores:
        """What its words say of every slot and of what these belong to."""
        return WordScores(self.query, self.index)

    @cached_property
    def _groups(self) -> _GroupSigns:
        words, layout = self.words, self.index.layout
        day = share_of_best(words.days)
        return _GroupSigns(
            scene=share_of_best(words.scenes),
            day=day,
            days_beside=mean_of_adjacent_days(day, layout.day_order),
            week=share_of_best(words.weeks)[layout.weeks.group_of],
            talk=share_of_best(words.talks),
        )

    def _within(self, words: _WordSigns) -> PassageSigns:
        """Return what is found where ``words`` were looked for."""
        query, index, columns = self.query, self.index, self.index.columns
        if not index.words.alive.any():
            return PassageSigns(np.zeros(0, np.int64), np.zeros((0, len(SIGN_NAMES)), np.float32))
        groups = self._groups
        speaks = words.neighbourhood > 0.0
        if query.matters:
            # What was taken out still says here what it was about.
            near = alike(columns.matters[: len(index)], query.matters) * index.words.alive
            speaks |= near >= max(_NEAR_SHARE * float(near.max(initial=0.0)), _LEAST_ALIKE)
        if query.times_asked_about:
            speaks |= _days_away(query, columns.day[: len(index)]) == 0.0
        found = np.flatnonzero(speaks & words.within)
        # All signs of all passages would take time that grows with the memory; a first look at
        # four of them picks those that can still win.
        if len(found) > MOST_CANDIDATES:
            found = _most_promising(found, query, words, groups, index)
        echoes = feedback(query, index, self.words.talks, words.within)
        return PassageSigns(found, _signs_of(found, self, words, groups, echoes))


_ROUNDED_UP: Final = 1.001
"""More than what is rounded away on the way to a relevance."""

_NOTHING: Final = 1e-30


def _signs_of(
    found: Slots, of: SignsOfQuery, words: _WordSigns, groups: _GroupSigns, echoes: Floats
) -> Floats:
    query, index, columns = of.query, of.index, of.index.columns
    scene, day = index.layout.scene_of[found], columns.day_number[found]
    talk = index.layout.talks.group_of[found]
    ago = np.maximum(query.now.timestamp() - columns.at[found], 0.0)
    count = columns.word_count[found]
    signs = {
        "band": words.neighbourhood[found],
        "own": words.own[found] / words.best_own,
        "scene": groups.scene[scene],
        "day": groups.day[day],
        "days_beside": groups.days_beside[day],
        "week": groups.week[day],
        "rarest": words.rarest[found] / words.best_rarest,
        "covered": words.covered[found] / words.whole,
        "length": count / (count + index.layout.usual_words),
        **dict(zip(_MANNERS, _manner_signs(query, columns, found), strict=True)),
        "talk": groups.talk[talk],
        "feedback": echoes[talk],
        "recent": 1.0 - np.minimum(np.log1p(ago / _SECONDS_PER_DAY) / _LOG_YEAR, 1.0),
    }
    # What a question does not ask of is said of no passage, and stays 0.
    if query.times_asked_about:
        away = _days_away(query, columns.day[found])
        signs["in_time"] = away == 0.0
        signs["in_days"] = np.exp(-away / _DAY_SCALE)
        signs["in_weeks"] = np.exp(-away / _WEEK_SCALE)
    if query.speakers:
        named = [index.speakers[name] for name in query.speakers]
        signs["speaker"] = np.isin(columns.speaker[found], named)
    if query.matters:
        signs["matter"] = share_of_best(alike(columns.matters[found], query.matters))
    table = np.zeros((len(found), len(SIGN_NAMES)), np.float32)
    for sign, much in signs.items():
        table[:, _COLUMN_OF[sign]] = much
    return table


_COLUMN_OF: Final = {sign: column for column, sign in enumerate(SIGN_NAMES)}

_MANNERS: Final = (
    "asks",
    "tells_when",
    "tells_number",
    "assistant",
    "answers",
    "opening",
    "tells_self",
    "tells_past",
    "tells_name",
)


def _manner_signs(
    query: Query, columns: PassageColumns, found: Slots
) -> tuple[npt.NDArray[Any], ...]:
    """Return the signs of how something was said, in the order of ``_MANNERS``."""
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


def _word_signs(scores: WordScores, slots: SlotScores, within: Flags) -> _WordSigns:
    """Return what words say: the best ``within`` what is looked at measures every other one."""
    everywhere = bool(within.all())
    in_reach, own, rarest = (
        score if everywhere else score * within
        for score in (slots.neighbourhood, slots.own, slots.rarest)
    )
    return _WordSigns(
        within=within,
        neighbourhood=share_of_best(in_reach),
        own=own,
        best_own=best_or_one(own),
        rarest=rarest,
        best_rarest=best_or_one(rarest),
        covered=slots.covered,
        whole=max(scores.whole, 1e-9),
    )


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
