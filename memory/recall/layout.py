"""How the passages of an index lie to one another: worked out once, until the index changes."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from memory.recall.columns import NOWHERE, Columns, Doubles, Ints
from memory.text.bm25 import Bm25, Floats, Slots, norm

_DAYS_A_WEEK: Final = 7
_PAUSE: Final = 20 * 60.0
"""Seconds of silence after which words reach the neighbours half as much."""

_AFTER_QUESTION: Final = 1.0
_BESIDE: Final = 0.35
_NEAR: Final = 0.2
_OWN_B: Final = 0.4


@dataclass(frozen=True, slots=True)
class Stretches:
    """Passages that belong together, as one text each: episodes, days, weeks.

    ``number`` gives the stretch of each slot, ``living`` how many stretches have any text.
    """

    number: Ints
    living: int
    norm: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """What search needs to know of all passages at once.

    ``reach`` lists (where to, how much): the words of slot ``i`` count ``how_much[i]`` times in
    slot ``where_to[i]`` as well; -1 leads nowhere. ``own_norm`` and ``scenes`` are of pieces, the
    others of words. ``weeks`` numbers days, not slots; ``day_order`` lists the days by date.
    ``verbatim`` tells which scenes have messages word for word.
    """

    reach: tuple[tuple[Slots, Floats], ...]
    band_norm: Floats
    own_norm: Floats
    scenes: Stretches
    days: Stretches
    weeks: Stretches
    day_order: Ints
    verbatim: npt.NDArray[np.bool_]


def lay_out(columns: Columns, words: Bm25, scenes: int, days: Ints) -> Layout:
    """Work the layout out; ``scenes`` counts them, ``days`` holds each day's date by number."""
    size, lengths = len(words), words.lengths
    reach = _reach(columns, size)
    pieces = columns.pieces[:size]
    of_days, pooled = _stretches(columns.day_number[:size], len(days), lengths)
    weeks, week = np.unique(days // _DAYS_A_WEEK, return_inverse=True)
    whole = np.zeros(scenes, np.bool_)
    whole[columns.scene[:size][~columns.gist[:size] & words.alive]] = True
    order = np.argsort(days, kind="stable")
    return Layout(
        reach=reach,
        band_norm=norm(_with_neighbours(lengths, reach)),
        own_norm=norm(pieces, _OWN_B),
        scenes=_stretches(columns.scene[:size], scenes, pieces)[0],
        days=of_days,
        weeks=_stretches(week, len(weeks), pooled)[0],
        day_order=order[pooled[order] > 0.0],
        verbatim=whole,
    )


def _stretches(number: Ints, count: int, lengths: Floats) -> tuple[Stretches, Floats]:
    pooled = np.bincount(number, lengths, count).astype(np.float32)
    return Stretches(number, int(np.count_nonzero(pooled)), norm(pooled)), pooled


def _with_neighbours(lengths: Floats, reach: tuple[tuple[Slots, Floats], ...]) -> Floats:
    """Return the length of each message with what it hears of its neighbours."""
    heard = np.append(lengths, np.float32(0.0))  # the last cell takes what leads nowhere
    for where, much in reach:
        heard[where] += lengths * much
    return heard[:-1]


def _reach(columns: Columns, size: int) -> tuple[tuple[Slots, Floats], ...]:
    """Return where the words of each slot count as well: up to three messages on either side.

    The words before count most when they ask: the message is the answer. Silence parts.
    """
    steps: list[tuple[Slots, Floats]] = []
    for forward, column in ((True, columns.after), (False, columns.before)):
        chain = column[:size].copy()
        beside = np.full(size, _BESIDE, np.float32)
        first = beside
        if forward:
            first = np.where(columns.asks[:size], np.float32(_AFTER_QUESTION), beside)
        second = _beyond(chain, chain)
        near = np.full(size, _NEAR, np.float32)
        steps += [(chain, first), (second, beside), (_beyond(chain, second), near)]
    at = columns.at[:size]
    return tuple((where, much * _joined(at, where)) for where, much in steps)


def _joined(at: Doubles, where: Slots) -> Floats:
    """Return how much of what is said is still heard in ``where``, by the time between."""
    pause = np.abs(np.where(where == NOWHERE, at, at[where]) - at)
    return np.asarray(_PAUSE / (_PAUSE + pause), np.float32)


def _beyond(chain: Ints, reached: Ints) -> Ints:
    """Return one step further along ``chain`` from where each slot has reached."""
    return np.where(reached == NOWHERE, NOWHERE, chain[reached])
