"""What speaks for each passage: its words, those around it, when, by whom and how it was said.

Every sign is a number of about 0 to 1; ``memory.recall.weights`` says how much each counts.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from memory.recall.columns import NOWHERE, Columns, Ints
from memory.recall.index import PassageIndex
from memory.recall.query import Query
from memory.text.bm25 import Floats, Slots, idf, norm, saturated

SIGNS: Final = (
    "band", "own", "scene", "day", "days_beside", "rarest", "covered",
    "in_time", "in_days", "in_weeks", "speaker", "length", "asks", "tells_when", "tells_number",
    "assistant", "answers", "opening", "tells_self", "tells_past", "tells_name",
)  # fmt: skip
"""The columns of :attr:`Evidence.signs`, in order."""

MOST: Final = 1_000
"""Passages that are looked at closely."""

_AFTER_QUESTION: Final = 1.0
_BESIDE: Final = 0.35
_NEAR: Final = 0.2
_OWN_B: Final = 0.4
_LONG: Final = 50.0
_DAYS: Final = 4.0
_WEEKS: Final = 15.0


@dataclass(frozen=True, slots=True)
class Evidence:
    """The passages worth a closer look, and their signs: one row each."""

    slots: Slots
    signs: Floats


@dataclass(frozen=True, slots=True)
class _Words:
    """What the words of a question say about every slot."""

    band: Floats
    own: Floats
    scene: Floats
    day: Floats
    days_beside: Floats
    rarest: Floats
    covered: Floats


def evidence(query: Query, index: PassageIndex) -> Evidence:
    """Return the signs of every passage that has to do with a question."""
    size = len(index)
    if not index.words.alive.any():
        return Evidence(np.zeros(0, np.int64), np.zeros((0, len(SIGNS)), np.float32))
    columns = index.columns
    words = _words(query, index)
    away = _days_away(query, columns.day[:size])
    near = np.exp(-away / _DAYS) if query.spans else np.zeros(size, np.float32)
    found = np.flatnonzero(((words.band > 0.0) | (away == 0.0)) & index.words.alive)
    if len(found) > MOST:
        promise = words.band + 0.3 * words.scene + 0.2 * words.day + 0.8 * near
        found = np.sort(found[np.argpartition(-promise[found], MOST)[:MOST]])
    named = [index.speakers[name] for name in query.speakers]
    before = columns.before[found]
    signs = (
        *(getattr(words, sign)[found] for sign in SIGNS[:7]),
        away[found] == 0.0,
        near[found],
        np.exp(-away[found] / _WEEKS),
        np.isin(columns.speaker[found], named),
        np.minimum(np.log1p(columns.size[found]) / np.log(_LONG), 1.0),
        columns.asks[found],
        columns.tells_time[found] & query.when,
        columns.tells_number[found] & query.how_many,
        columns.assistant[found],
        columns.asks[before] & (before != NOWHERE),
        (before == NOWHERE) & ~columns.gist[found],
        columns.tells_self[found],
        columns.tells_past[found],
        columns.tells_name[found] & query.who,
    )
    return Evidence(found, np.stack([np.asarray(s, np.float32) for s in signs], axis=1))


def _words(query: Query, index: PassageIndex) -> _Words:
    """Go through the terms of a question once, gathering every sign that rests on words."""
    size = len(index)
    columns, words = index.columns, index.words
    band = _Band(columns, words.lengths)
    scenes = _Pool(columns.scene[:size], index.scenes, words.lengths)
    days = np.unique(columns.day[:size][words.alive])
    numbers = np.minimum(np.searchsorted(days, columns.day[:size]), max(len(days) - 1, 0))
    of_days = _Pool(numbers, len(days), words.lengths)
    own, rarest = np.zeros(size, np.float32), np.zeros(size, np.float32)
    own_norm = norm(words.lengths, _OWN_B)
    whole = 0.0
    for term, weight in query.terms.items():
        telling = words.idf(term) * weight
        if telling <= 0.0:
            continue
        slots, times = words.find(term)
        whole += telling
        own[slots] += telling * saturated(times, own_norm[slots])
        rarest[slots] = np.maximum(rarest[slots], telling)
        band.add(slots, times, telling)
        scenes.add(slots, times, weight)
        of_days.add(slots, times, weight)
    day = _share(of_days.score)
    beside = np.zeros_like(day)
    beside[1:] += day[:-1] / 2
    beside[:-1] += day[1:] / 2
    return _Words(
        band=_share(band.score),
        own=_share(own),
        scene=_share(scenes.score)[columns.scene[:size]],
        day=day[numbers],
        days_beside=beside[numbers],
        rarest=_share(rarest),
        covered=band.covered / max(whole, 1e-9),
    )


class _Band:
    """BM25 of messages that also say a little of what their neighbours say.

    The words before count most when they ask: the message is the answer. Up to three messages on
    either side count, none beyond a pause (``memory.recall.index``).
    """

    def __init__(self, columns: Columns, lengths: Floats) -> None:
        size = len(lengths)
        self.score = np.zeros(size, np.float32)
        self.covered = np.zeros(size, np.float32)
        self._reach = _reach(columns, size)
        self._counts = np.zeros(size + 1, np.float32)  # the last cell takes what leads nowhere
        spread = np.append(lengths, np.float32(0.0))
        for where, much in self._reach:
            spread[where] += lengths * much
            spread[-1] = 0.0
        self._norm = norm(spread[:-1])

    def add(self, slots: Slots, times: Floats, telling: float) -> None:
        """Count one term that stands ``times`` in ``slots``."""
        counts = self._counts
        counts[slots] = times
        for where, much in self._reach:
            counts[where[slots]] += times * much[slots]
        counts[-1] = 0.0
        touched = np.flatnonzero(counts)
        self.score[touched] += telling * saturated(counts[touched], self._norm[touched])
        self.covered[touched] += telling
        counts[touched] = 0.0


def _reach(columns: Columns, size: int) -> list[tuple[Slots, Floats]]:
    """Return where the words of each slot count as well, and how much."""
    after, before = columns.after[:size], columns.before[:size]
    steps: list[tuple[Slots, Floats]] = []
    for chain in (after, before):
        second, third = _beyond(chain, chain), _beyond(chain, _beyond(chain, chain))
        first = np.full(size, _BESIDE, np.float32)
        if chain is after:
            first[columns.asks[:size]] = _AFTER_QUESTION
        steps += [
            (chain, first),
            (second, np.full(size, _BESIDE, np.float32)),
            (third, np.full(size, _NEAR, np.float32)),
        ]
    return steps


def _beyond(chain: Ints, reached: Ints) -> Ints:
    """Return one step further along ``chain`` from where each slot has reached."""
    return np.where(reached == NOWHERE, NOWHERE, chain[reached])


class _Pool:
    """BM25 of stretches that belong together, each as one text: episodes, days."""

    def __init__(self, number: Ints, count: int, lengths: Floats) -> None:
        self.score = np.zeros(count, np.float32)
        self._number = number
        pooled = np.bincount(number, lengths, count).astype(np.float32)
        self._living = int(np.count_nonzero(pooled))
        self._norm = norm(pooled)

    def add(self, slots: Slots, times: Floats, weight: float) -> None:
        """Count one term that stands ``times`` in ``slots``."""
        counts = np.bincount(self._number[slots], times, len(self.score)).astype(np.float32)
        touched = np.flatnonzero(counts)
        telling = weight * idf(self._living, len(touched))
        self.score[touched] += telling * saturated(counts[touched], self._norm[touched])


def _share(score: Floats) -> Floats:
    """Return scores as shares of the best one."""
    best = float(score.max(initial=0.0))
    return score / best if best > 0.0 else score


def _days_away(query: Query, day: Ints) -> npt.NDArray[np.float32]:
    """Return how many days lie between each slot and the nearest time meant; very many if none."""
    away = np.full(len(day), 1e6, np.float32)
    for span in query.spans:
        first, last = span.start.toordinal(), span.end.toordinal() - 1
        outside = np.maximum(np.maximum(first - day, day - last), 0)
        np.minimum(away, outside.astype(np.float32), out=away)
    return away
