"""What speaks for each passage: its words, those around it, when, by whom and how it was said.

Every sign is a number of about 0 to 1; ``memory.recall.weights`` says how much each counts.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from memory.recall.columns import NOWHERE, Columns, Ints
from memory.recall.index import PassageIndex
from memory.recall.layout import Layout, Stretches
from memory.recall.query import Query
from memory.text.bm25 import Floats, Slots, idf, saturated
from memory.text.tokens import is_whole

SIGNS: Final = (
    "band", "own", "scene", "day", "days_beside", "week", "rarest", "covered",
    "in_time", "in_days", "in_weeks", "speaker", "length", "asks", "tells_when", "tells_number",
    "assistant", "answers", "opening", "tells_self", "tells_past", "tells_name",
)  # fmt: skip
"""The columns of :attr:`Evidence.signs`, in order."""

MOST: Final = 1_000
"""Passages that are looked at closely."""

_LONG: Final = 50.0
_TELLING: Final = 0.15
"""How telling a piece must be beside the rarest: about every fifth message may have it."""

_ALL: Final = slice(None)

_DAYS: Final = 4.0
_WEEKS: Final = 15.0


@dataclass(frozen=True, slots=True)
class Evidence:
    """The passages worth a closer look, and their signs: one row each."""

    slots: Slots
    signs: Floats


@dataclass(frozen=True, slots=True)
class _Words:
    """What the words of a question say: of every slot, of every scene, day and week."""

    band: Floats
    own: Floats
    scene: Floats
    day: Floats
    days_beside: Floats
    week: Floats
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
    found = np.flatnonzero(((words.band > 0.0) | (away == 0.0)) & index.words.alive)
    if len(found) > MOST:
        found = _promising(found, words, away, columns)
    scene, day = columns.scene[found], columns.day_number[found]
    named = [index.speakers[name] for name in query.speakers]
    before = columns.before[found]
    signs = (
        words.band[found],
        words.own[found],
        words.scene[scene],
        words.day[day],
        words.days_beside[day],
        words.week[day],
        words.rarest[found],
        words.covered[found],
        away[found] == 0.0,
        np.exp(-away[found] / _DAYS),
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


def _promising(found: Slots, words: _Words, away: Floats, columns: Columns) -> Slots:
    """Return the ``MOST`` of ``found`` that look best at first sight, in order of their slots."""
    promise = words.band[found] + 0.8 * (away[found] == 0.0)
    promise += 0.3 * words.scene[columns.scene[found]]
    promise += 0.2 * words.day[columns.day_number[found]]
    return np.sort(found[np.argpartition(-promise, MOST)[:MOST]])


def _words(query: Query, index: PassageIndex) -> _Words:
    """Go through the terms of a question once, gathering every sign that rests on words."""
    words, layout = index.words, index.layout
    band, days, weeks = _Band(layout), _Pool(layout.days), _Pool(layout.weeks)
    rarest = np.zeros(len(index), np.float32)
    whole = 0.0
    for term, weight in query.terms.items():
        telling = words.idf(term) * weight
        if telling <= 0.0:
            continue
        slots, times = words.find(term)
        whole += telling
        rarest[slots] = np.maximum(rarest[slots], telling)
        band.add(slots, times, telling)
        weeks.add(_ALL, days.add(slots, times, weight), weight)
    own, scenes = _pieces(query, index)
    day = _share(days.score)
    return _Words(
        band=_share(band.score),
        own=_share(own),
        scene=_share(scenes),
        day=day,
        days_beside=_beside(day, layout.day_order),
        week=_share(weeks.score)[layout.weeks.number],
        rarest=_share(rarest),
        covered=band.covered / max(whole, 1e-9),
    )


def _pieces(query: Query, index: PassageIndex) -> tuple[Floats, Floats]:
    """Return how much of the pieces of a question each slot holds, and each scene.

    Pieces that a good part of all messages has are left out: they tell little and cost most.
    """
    layout = index.layout
    own, scenes = np.zeros(len(index), np.float32), _Pool(layout.scenes)
    least = _TELLING * idf(int(np.count_nonzero(index.words.alive)), 1)
    for piece, weight in query.pieces.items():
        within = index.words if is_whole(piece) else index.characters
        telling = within.idf(piece)
        if telling <= least:
            continue
        slots, times = within.find(piece)
        own[slots] += weight * telling * saturated(times, layout.own_norm[slots])
        scenes.add(slots, times, weight)
    return own, scenes.score


def _beside(day: Floats, order: Ints) -> Floats:
    """Return for each day the mean score of the days before and after it that hold anything."""
    ordered = day[order]
    around = np.zeros_like(ordered)
    around[1:] += ordered[:-1] / 2
    around[:-1] += ordered[1:] / 2
    beside = np.zeros_like(day)
    beside[order] = around
    return beside


class _Band:
    """BM25 of messages that also say a little of what their neighbours say."""

    def __init__(self, layout: Layout) -> None:
        size = len(layout.band_norm)
        self.score = np.zeros(size, np.float32)
        self.covered = np.zeros(size, np.float32)
        self._layout = layout
        self._counts = np.zeros(size + 1, np.float32)  # the last cell takes what leads nowhere

    def add(self, slots: Slots, times: Floats, telling: float) -> None:
        """Count one term that stands ``times`` in ``slots``."""
        counts = self._counts
        counts[slots] = times
        for where, much in self._layout.reach:
            counts[where[slots]] += times * much[slots]
        counts[-1] = 0.0
        touched = np.flatnonzero(counts > 0.0)
        norms = self._layout.band_norm[touched]
        self.score[touched] += telling * saturated(counts[touched], norms)
        self.covered[touched] += telling
        counts[touched] = 0.0


class _Pool:
    """BM25 of stretches that belong together, each as one text."""

    def __init__(self, stretches: Stretches) -> None:
        self.score = np.zeros(len(stretches.norm), np.float32)
        self._stretches = stretches

    def add(self, slots: Slots | slice, times: Floats, weight: float) -> Floats:
        """Count one term that stands ``times`` in ``slots``; return its count by stretch."""
        number, norms = self._stretches.number, self._stretches.norm
        counts = np.bincount(number[slots], times, len(norms)).astype(np.float32)
        touched = np.flatnonzero(counts > 0.0)
        telling = weight * idf(self._stretches.living, len(touched))
        self.score[touched] += telling * saturated(counts[touched], norms[touched])
        return counts


def _share(score: Floats) -> Floats:
    """Return scores as shares of the best one."""
    best = float(score.max(initial=0.0))
    return score / best if best > 0.0 else score


def _days_away(query: Query, day: Ints) -> Floats:
    """Return how many days lie between each slot and the nearest time meant; very many if none."""
    away = np.full(len(day), 1e6, np.float32)
    for span in query.spans:
        first, last = span.start.toordinal(), span.end.toordinal() - 1
        outside = np.maximum(np.maximum(first - day, day - last), 0)
        np.minimum(away, outside.astype(np.float32), out=away)
    return away
