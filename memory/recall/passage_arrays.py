"""What is known of each passage as numpy arrays, and how passages lie to one another."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from memory.model import Passage
from memory.text.bm25 import Bm25, idf, length_norm, saturation, saturation_into
from memory.text.line_salience import (
    TALK_PAUSE_SECONDS,
    tells_name,
    tells_number,
    tells_past,
    tells_self,
    tells_time,
    word_count,
)
from memory.text.postings import Floats, Slots
from memory.text.tokens import LONG_TEXT, as_mandarin, is_atomic, is_question

Ints: TypeAlias = npt.NDArray[np.int64]

Doubles: TypeAlias = npt.NDArray[np.float64]

Flags: TypeAlias = npt.NDArray[np.bool_]

_INITIAL_SLOTS: Final = 1024

NOWHERE: Final = -1


class TextColumns:
    """What texts say about themselves: one row per slot.

    ``piece_count`` counts the smallest parts that mean something, Chinese characters and stems; it
    is 0 if the slot is dead.
    """

    def __init__(self) -> None:
        self.piece_count: npt.NDArray[np.float32] = np.zeros(_INITIAL_SLOTS, np.float32)
        self.word_count: npt.NDArray[np.float32] = np.zeros(_INITIAL_SLOTS, np.float32)
        self.is_question: Flags = np.zeros(_INITIAL_SLOTS, np.bool_)
        self.tells_time: Flags = np.zeros(_INITIAL_SLOTS, np.bool_)
        self.tells_number: Flags = np.zeros(_INITIAL_SLOTS, np.bool_)
        self.tells_name: Flags = np.zeros(_INITIAL_SLOTS, np.bool_)
        self.tells_self: Flags = np.zeros(_INITIAL_SLOTS, np.bool_)
        self.tells_past: npt.NDArray[np.float32] = np.zeros(_INITIAL_SLOTS, np.float32)

    def reserve(self, slot: int) -> None:
        """Make room for ``slot``."""
        if slot < len(self.piece_count):
            return
        # A quarter more: the cost of growing is spread over all slots, and little stands empty.
        wanted = max(len(self.piece_count) * 5 // 4, slot + 1)
        for name, column in vars(self).items():
            wider: npt.NDArray[Any] = np.zeros(wanted, column.dtype)
            wider[: len(column)] = column
            if name in {"before", "after"}:
                wider[len(column) :] = NOWHERE
            setattr(self, name, wider)

    def fill_from_text(
        self, slot: int, whole: str, found: Sequence[str], single: Sequence[str]
    ) -> None:
        """Write down what a text says, by its tokens and characters as well."""
        # What a text tells is told where it begins; the rest of a very long one only takes time.
        text = as_mandarin(whole[:LONG_TEXT])
        self.piece_count[slot] = len(single) + sum(map(is_atomic, found)) if single else len(found)
        self.word_count[slot] = word_count(whole)
        self.is_question[slot] = is_question(text)
        self.tells_time[slot] = tells_time(text)
        self.tells_number[slot] = tells_number(text)
        self.tells_name[slot] = tells_name(text)
        self.tells_self[slot] = tells_self(text)
        self.tells_past[slot] = tells_past(text)


class PassageColumns(TextColumns):
    """What is known of passages. ``before`` and ``after`` are the neighbours in a conversation.

    ``everyday`` marks what may come to mind by itself; the law still decides about each.
    """

    def __init__(self) -> None:
        super().__init__()
        self.at: Doubles = np.zeros(_INITIAL_SLOTS)
        self.day: Ints = np.zeros(_INITIAL_SLOTS, np.int64)
        self.day_number: Ints = np.zeros(_INITIAL_SLOTS, np.int64)
        self.memory: Ints = np.zeros(_INITIAL_SLOTS, np.int64)
        self.group: Ints = np.zeros(_INITIAL_SLOTS, np.int64)
        self.before: Ints = np.full(_INITIAL_SLOTS, NOWHERE, np.int64)
        self.after: Ints = np.full(_INITIAL_SLOTS, NOWHERE, np.int64)
        self.speaker: Ints = np.zeros(_INITIAL_SLOTS, np.int64)
        self.assistant: Flags = np.zeros(_INITIAL_SLOTS, np.bool_)
        self.gist: Flags = np.zeros(_INITIAL_SLOTS, np.bool_)
        self.everyday: Flags = np.zeros(_INITIAL_SLOTS, np.bool_)

    def fill_from_passage(self, slot: int, passage: Passage) -> None:
        """Write down when and by whom a passage was said."""
        self.at[slot] = passage.at.timestamp()
        self.before[slot] = self.after[slot] = self.group[slot] = NOWHERE
        self.assistant[slot] = passage.role == "assistant"
        self.gist[slot] = not passage.verbatim


_DAYS_PER_WEEK: Final = 7

_HALVING_SECONDS: Final = 20 * 60.0
"""Seconds of silence after which words reach the neighbours half as much (docs/recall.md)."""

_AFTER_QUESTION: Final = 1.0

# Between .3 and .6, and between .1 and .3 for the third, recall changes by no more than .002.
_BESIDE: Final = 0.35

_NEAR: Final = 0.2

_OWN_B: Final = 0.4


@dataclass(frozen=True, slots=True)
class PassageGroups:
    """Passages that belong together, as one text each: episodes, days, weeks.

    ``group_of`` gives the group of each slot, ``group_count`` how many groups have any text.
    """

    group_of: Ints
    group_count: int
    length_norm: Floats

    def first_slots(self, wanted: Ints, within: Flags, most: int) -> tuple[Slots, Slots]:
        """Return the first ``most`` slots of each of some groups, group after group.

        Beside each stands the place of its group among ``wanted``; only what is ``within`` counts.
        """
        place = np.full(len(self.length_norm), NOWHERE, np.int64)
        place[wanted] = np.arange(len(wanted))
        place_of = place.take(self.group_of)
        slots = np.flatnonzero((place_of != NOWHERE) & within)
        place_of = place_of[slots]
        order = np.argsort(place_of, kind="stable")
        slots, place_of = slots[order], place_of[order]
        kept = np.arange(len(slots)) - np.searchsorted(place_of, place_of) < most
        return slots[kept], place_of[kept]


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageLayout:
    """What search needs to know of all passages at once.

    The words of slot ``i`` count ``neighbour_shares[j, i]`` times in slot ``neighbours[j, i]`` as
    well, each ``j`` one of six; -1 leads nowhere. ``own_norm`` and ``memory_groups`` are
    of pieces, the others of words. ``talks`` are lines without a long pause between them,
    ``usual_words`` is the median length of a passage. ``weeks`` groups days, not slots;
    ``day_order`` lists the days by date. ``verbatim`` tells which scenes have messages word for
    word, ``verbatim_everyday`` which have any that come to mind.
    """

    neighbours: Slots
    neighbour_shares: Floats
    neighbour_norm: Floats
    own_norm: Floats
    memory_groups: PassageGroups
    talks: PassageGroups
    lines_per_talk: float
    usual_words: float
    days: PassageGroups
    weeks: PassageGroups
    day_order: Ints
    verbatim: npt.NDArray[np.bool_]
    verbatim_everyday: npt.NDArray[np.bool_]


def build_layout(
    columns: PassageColumns, words: Bm25, group_total: int, days: Ints
) -> PassageLayout:
    """Return the layout; ``group_total`` counts the memories, ``days`` holds each day's date."""
    size, lengths = len(words), words.lengths
    neighbours, shares = _neighbour_shares(columns, size)
    pieces = columns.piece_count[:size]
    of_days, pooled = _grouped_by(columns.day_number[:size], len(days), lengths)
    weeks, week = np.unique(days // _DAYS_PER_WEEK, return_inverse=True)
    said = ~columns.gist[:size] & words.alive
    whole, everyday = np.zeros(group_total, np.bool_), np.zeros(group_total, np.bool_)
    whole[columns.group[:size][said]] = True
    everyday[columns.group[:size][said & columns.everyday[:size]]] = True
    order = np.argsort(days, kind="stable")
    talks = _grouped_by(*_talks(columns, size), lengths)[0]
    return PassageLayout(
        neighbours=neighbours,
        neighbour_shares=shares,
        neighbour_norm=length_norm(_lengths_with_neighbours(lengths, neighbours, shares)),
        own_norm=length_norm(pieces, _OWN_B),
        memory_groups=_grouped_by(columns.group[:size], group_total, pieces)[0],
        talks=talks,
        lines_per_talk=float(np.count_nonzero(said)) / max(talks.group_count, 1),
        usual_words=_median(columns.word_count[:size][said]),
        days=of_days,
        weeks=_grouped_by(week, len(weeks), pooled)[0],
        day_order=order[pooled[order] > 0.0],
        verbatim=whole,
        verbatim_everyday=everyday,
    )


def _median(counts: Floats) -> float:
    """Return the upper median, 1 of nothing; numpy's own takes ten times as long."""
    middle = len(counts) // 2
    return float(np.partition(counts, middle)[middle]) if len(counts) else 1.0


def _grouped_by(number: Ints, count: int, lengths: Floats) -> tuple[PassageGroups, Floats]:
    pooled = np.bincount(number, lengths, count).astype(np.float32)
    return PassageGroups(number, int(np.count_nonzero(pooled)), length_norm(pooled)), pooled


def _talks(columns: PassageColumns, size: int) -> tuple[Ints, int]:
    """Return the number of the talk of each slot, by their first lines, and how many there are."""
    before, at, own = columns.before[:size], columns.at[:size], np.arange(size)
    near = (before != NOWHERE) & (at - at[before] <= TALK_PAUSE_SECONDS)
    first = np.where(near, before, own)
    # Each round doubles how far back a slot looks, until all look at the first line of their talk.
    while not np.array_equal(further := first[first], first):
        first = further
    begins = first == own
    return (np.cumsum(begins) - 1)[first], int(np.count_nonzero(begins))


def _lengths_with_neighbours(lengths: Floats, neighbours: Slots, shares: Floats) -> Floats:
    """Return the length of each message with what it hears of its neighbours."""
    heard = np.append(lengths, np.float32(0.0))  # the last cell takes what leads nowhere
    for where, much in zip(neighbours, shares, strict=True):
        heard[where] += lengths * much
    return heard[:-1]


def _neighbour_shares(columns: PassageColumns, size: int) -> tuple[Slots, Floats]:
    """Return where else the words of each slot count, and how much.

    Three messages on either side hear them: most what follows a question, it is the answer.
    Silence parts.
    """
    steps: list[tuple[Slots, Floats]] = []
    for forward, column in ((True, columns.after), (False, columns.before)):
        chain = column[:size].copy()
        beside = np.full(size, _BESIDE, np.float32)
        first = beside
        if forward:
            first = np.where(columns.is_question[:size], np.float32(_AFTER_QUESTION), beside)
        second = _next_in_chain(chain, chain)
        near = np.full(size, _NEAR, np.float32)
        steps += [(chain, first), (second, beside), (_next_in_chain(chain, second), near)]
    at = columns.at[:size]
    shares = [much * _share_over_time(at, where) for where, much in steps]
    return np.stack([where for where, _ in steps]), np.stack(shares)


def _share_over_time(at: Doubles, where: Slots) -> Floats:
    """Return how much of what is said is still heard in ``where``, by the time between."""
    pause = np.abs(np.where(where == NOWHERE, at, at[where]) - at)
    return np.asarray(_HALVING_SECONDS / (_HALVING_SECONDS + pause), np.float32)


def _next_in_chain(chain: Ints, reached: Ints) -> Ints:
    """Return one step further along ``chain`` from where each slot has reached."""
    return np.where(reached == NOWHERE, NOWHERE, chain[reached])


class FoundTerm(NamedTuple):
    """A term that is asked for: its weight, how telling it is, where it stands and how often."""

    weight: float
    telling: float
    slots: Slots
    times: Floats


_NO_SLOTS: Final = np.zeros(0, np.int64)
_NO_TIMES: Final = np.zeros(0, np.float32)

Counts: TypeAlias = npt.NDArray[np.float32]
"""A row for each term, a column for each group."""


def _places_of(found: Sequence[FoundTerm]) -> tuple[Slots, Floats]:
    """Return where terms stand and how often, one after the other."""
    slots = np.concatenate([_NO_SLOTS, *(each.slots for each in found)])
    return slots, np.concatenate([_NO_TIMES, *(each.times for each in found)])


_COMMON_SHARE: Final = 1 / 80
"""A term in more of all slots than this is counted in all of them: that costs less than to ask
which it touches, for its neighbours are several times as many."""


_TOGETHER: Final = 100_000
"""So many cells, of all terms in all slots, are counted at once: numpy's calls cost most there."""


class NeighbourBm25:
    """BM25 of messages that also say a little of what their neighbours say."""

    def __init__(self, layout: PassageLayout) -> None:
        size = len(layout.neighbour_norm)
        self.score = np.zeros(size, np.float32)
        self.covered = np.zeros(size, np.float32)
        self._layout = layout
        self._counts = np.zeros(size + 1, np.float32)  # the last cell takes what leads nowhere
        self._share, self._whole = np.empty(size, np.float32), np.empty(size, np.float32)

    def add_terms(self, found: Sequence[FoundTerm]) -> None:
        """Count terms, in a small memory all at once."""
        if len(found) * len(self.score) <= _TOGETHER:
            self._add_together(found)
            return
        for each in found:
            self._add_term(each)

    def _add_together(self, found: Sequence[FoundTerm]) -> None:
        # A row for each term, a column for each slot; the first column takes what leads nowhere.
        width = len(self.score) + 1
        slots, times = _places_of(found)
        first = np.repeat(np.arange(len(found)) * width + 1, [len(each.slots) for each in found])
        where = self._layout.neighbours.take(slots, axis=1) + first
        heard = self._layout.neighbour_shares.take(slots, axis=1) * times
        places = np.concatenate([slots + first, where.ravel()])
        said = np.concatenate([times, heard.ravel()])
        cells = np.bincount(places, said, len(found) * width).astype(np.float32)
        counts = cells.reshape(len(found), width)[:, 1:]
        telling = np.array([each.telling for each in found], np.float32)
        self.score += telling @ saturation(counts, self._layout.neighbour_norm)
        self.covered += telling @ (counts > 0.0)

    def _add_term(self, term: FoundTerm) -> None:
        counts, slots, telling = self._counts, term.slots, term.telling
        counts[slots] = term.times
        where = self._layout.neighbours.take(slots, axis=1)
        heard = self._layout.neighbour_shares.take(slots, axis=1)
        heard *= term.times
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

    def add_terms(self, found: Sequence[FoundTerm]) -> Counts:
        """Count terms by where they stand; return how often each is said in each group."""
        sizes = [len(each.slots) for each in found]
        slots, times = _places_of(found)
        # One row for each term: what numpy costs, it costs once for all of them.
        width = len(self.score)
        places = self._groups.group_of.take(slots)
        places += np.repeat(np.arange(0, len(found) * width, max(width, 1)), sizes)
        counts = np.bincount(places, times, len(found) * width).astype(np.float32)
        return self.add_counts(counts.reshape(len(found), width), found)

    def add_counts(self, counts: Counts, found: Sequence[FoundTerm]) -> Counts:
        """Count terms of which it is known how often each is said in each group, by rows."""
        total, holding = self._groups.group_count, np.count_nonzero(counts, axis=1).tolist()
        telling = [
            each.weight * idf(total, held) for each, held in zip(found, holding, strict=True)
        ]
        share = saturation(counts, self._groups.length_norm)
        share *= np.array(telling, np.float32)[:, np.newaxis]
        self.score += share.sum(axis=0)
        return counts

    def of_groups(self, counts: Counts) -> Counts:
        """Return how often terms are said in each group, by how often they are in its parts."""
        rows, width = len(counts), len(self.score)
        places = np.arange(rows)[:, np.newaxis] * width + self._groups.group_of
        summed = np.bincount(places.ravel(), counts.ravel(), rows * width)
        return summed.astype(np.float32).reshape(rows, width)
