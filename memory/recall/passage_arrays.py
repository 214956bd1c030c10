"""What is known of each passage as numpy arrays, and how passages lie to one another."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from memory.model import Passage
from memory.text.bm25 import Bm25, length_norm
from memory.text.line_salience import (
    TALK_PAUSE_SECONDS,
    tells_name,
    tells_number,
    tells_past,
    tells_self,
    tells_time,
    word_count,
)
from memory.text.matters import packed_matters
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
    is 0 if the slot is dead. ``matters`` are those of :func:`packed_matters`.
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
        self.matters: npt.NDArray[np.uint64] = np.zeros(_INITIAL_SLOTS, np.uint64)

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
        self.matters[slot] = packed_matters(whole)


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

    The words of slot ``i`` count ``neighbour_shares[i, j]`` times in slot ``neighbours[i, j]`` as
    well, each ``j`` one of six; -1 leads nowhere. ``own_norm`` and ``memory_groups`` are
    of pieces, the others of words. ``talks`` are lines without a long pause between them,
    ``usual_words`` is the median length of a passage. ``weeks`` groups days, not slots;
    ``day_order`` lists the days by date. ``verbatim`` tells which scenes have messages word for
    word, ``verbatim_everyday`` which have any that come to mind. ``beside_everyday`` tells which
    slots come to mind or are neighbours of one that does.
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
    beside_everyday: Flags


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
        beside_everyday=_with_neighbours(columns.everyday[:size], neighbours),
    )


def _with_neighbours(flags: Flags, neighbours: Slots) -> Flags:
    """Return which slots are flagged, or have their words heard in one that is."""
    padded = np.append(flags, False)  # the last cell is where leads nowhere
    return flags | padded[neighbours].any(axis=1)


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
    for where, much in zip(neighbours.T, shares.T, strict=True):
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
    return np.stack([where for where, _ in steps], axis=1), np.stack(shares, axis=1)


def _share_over_time(at: Doubles, where: Slots) -> Floats:
    """Return how much of what is said is still heard in ``where``, by the time between."""
    pause = np.abs(np.where(where == NOWHERE, at, at[where]) - at)
    return np.asarray(_HALVING_SECONDS / (_HALVING_SECONDS + pause), np.float32)


def _next_in_chain(chain: Ints, reached: Ints) -> Ints:
    """Return one step further along ``chain`` from where each slot has reached."""
    return np.where(reached == NOWHERE, NOWHERE, chain[reached])
