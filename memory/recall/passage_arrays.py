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
from memory.text.tokens import LONG_TEXT, as_mandarin, ends_as_question, is_atomic

Ints: TypeAlias = npt.NDArray[np.int64]

Doubles: TypeAlias = npt.NDArray[np.float64]

Flags: TypeAlias = npt.NDArray[np.bool_]

_INITIAL_SLOTS: Final = 1024

NOWHERE: Final = -1

BEHIND_LINES: Final = 1 << 62
"""What the order of the passages of memories begins with: those come behind all lines."""


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
        self.is_question[slot] = ends_as_question(text)
        self.tells_time[slot] = tells_time(text)
        self.tells_number[slot] = tells_number(text)
        self.tells_name[slot] = tells_name(text)
        self.tells_self[slot] = tells_self(text)
        self.tells_past[slot] = tells_past(text)
        self.matters[slot] = packed_matters(whole)


class PassageColumns(TextColumns):
    """What is known of passages. ``before`` and ``after`` are the neighbours in a conversation.

    ``everyday`` marks what may come to mind by itself; the law still decides about each. ``order``
    says which of two passages a new index puts first, whichever came to this one first; ``group``
    of which memory a passage is a part, :data:`NOWHERE` for a line that nothing was cut from.
    """

    def __init__(self) -> None:
        super().__init__()
        self.at: Doubles = np.zeros(_INITIAL_SLOTS)
        self.day: Ints = np.zeros(_INITIAL_SLOTS, np.int64)
        self.day_number: Ints = np.zeros(_INITIAL_SLOTS, np.int64)
        self.memory: Ints = np.zeros(_INITIAL_SLOTS, np.int64)
        self.group: Ints = np.zeros(_INITIAL_SLOTS, np.int64)
        self.order: Ints = np.zeros(_INITIAL_SLOTS, np.int64)
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


def best_slots(slots: Slots, much: Floats, most: int, columns: PassageColumns) -> Slots:
    """Return the best of some slots by how ``much`` speaks for each, sorted.

    Of equals, as repeated talk has them by the thousand, the newest, whichever came here first.
    """
    least = np.partition(much, -most)[-most]
    above, equal = slots[much > least], slots[much == least]
    newest = equal[np.lexsort((-columns.order[equal], -columns.at[equal]))]
    return np.sort(np.concatenate([above, newest[: most - len(above)]]))


def likeliest(likely: Floats, order: Ints, most: int) -> Slots:
    """Return the places of the few that are likeliest, likeliest first, of equals in order."""
    places = np.arange(len(likely))
    if len(likely) > most:
        # To sort a long life for its first dozen would take longer than all else.
        places = places[likely >= np.partition(likely, -most)[-most]]
    return places[np.lexsort((order[places], -likely[places]))[:most]]


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

    def first_slots(
        self, wanted: Ints, within: Flags, most: int, order: Ints
    ) -> tuple[Slots, Slots]:
        """Return the first ``most`` slots, by their ``order``, of each of some groups.

        Group after group; beside each stands the place of its group among ``wanted``. Only what is
        ``within`` counts.
        """
        place = np.full(len(self.length_norm), NOWHERE, np.int64)
        place[wanted] = np.arange(len(wanted))
        place_of = place.take(self.group_of)
        slots = np.flatnonzero((place_of != NOWHERE) & within)
        place_of = place_of[slots]
        sorted_by_group = np.lexsort((order[slots], place_of))
        slots, place_of = slots[sorted_by_group], place_of[sorted_by_group]
        kept = np.arange(len(slots)) - np.searchsorted(place_of, place_of) < most
        return slots[kept], place_of[kept]


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageLayout:
    """What search needs to know of all passages at once.

    The words of slot ``i`` count ``neighbour_shares[i, j]`` times in slot ``neighbours[i, j]`` as
    well, each ``j`` one of six; -1 leads nowhere. ``own_norm`` and ``memory_groups`` are
    of pieces, the others of words. ``scene_of`` says which slots are parts of one memory, or lines
    said in one go. ``talks`` are lines without a long pause between them,
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
    scene_of: Ints
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
    scene_of, group_total = _scenes(columns, words.alive, group_total)
    neighbours, shares = _neighbour_shares(columns, size)
    pieces = columns.piece_count[:size]
    of_days, pooled = _grouped_by(columns.day_number[:size], len(days), lengths)
    weeks, week = np.unique(days // _DAYS_PER_WEEK, return_inverse=True)
    said = ~columns.gist[:size] & words.alive
    whole, everyday = np.zeros(group_total, np.bool_), np.zeros(group_total, np.bool_)
    whole[scene_of[said]] = True
    everyday[scene_of[said & columns.everyday[:size]]] = True
    order = np.argsort(days, kind="stable")
    talks = _grouped_by(*_talks(columns, size), lengths)[0]
    return PassageLayout(
        neighbours=neighbours,
        neighbour_shares=shares,
        neighbour_norm=length_norm(_lengths_with_neighbours(lengths, neighbours, shares)),
        own_norm=length_norm(pieces, _OWN_B),
        scene_of=scene_of,
        memory_groups=_grouped_by(scene_of, group_total, pieces)[0],
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
    first = _first_of_chain(columns, _near_before(columns, size))
    begins = np.flatnonzero(first == np.arange(size))
    number = np.zeros(size, np.int64)
    number[begins[np.argsort(columns.order[begins], kind="stable")]] = np.arange(len(begins))
    return number[first], len(begins)


def _near_before(columns: PassageColumns, size: int) -> Flags:
    """Return which slots follow the line before them without a long pause."""
    before, at = columns.before[:size], columns.at[:size]
    near: Flags = (before != NOWHERE) & (at - at[before] <= TALK_PAUSE_SECONDS)
    return near


def _first_of_chain(columns: PassageColumns, follows: Flags) -> Ints:
    """Return the slot that each slot leads back to, by the lines before of those that follow."""
    first = np.where(follows, columns.before[: len(follows)], np.arange(len(follows)))
    # Each round doubles how far back a slot looks, until all look at the first line of their talk.
    while not np.array_equal(further := first[first], first):
        first = further
    return first


_SCENE_LINES: Final = 12
"""What lines are one scene before any memory was cut from them: as a rule would cut them."""


def _scenes(columns: PassageColumns, alive: Flags, memories: int) -> tuple[Ints, int]:
    """Return the scene of each slot, and how many there are: of so many memories, then of talk.

    Lines nothing was cut from are a scene twelve by twelve, counted from the first that is left
    of their talk; so it is all the same when they came, and what was cut or went meanwhile.
    """
    size = len(alive)
    group, before = columns.group[:size], columns.before[:size]
    uncut = (group == NOWHERE) & alive
    scene_of = np.where(group == NOWHERE, memories, group)
    slots = np.flatnonzero(uncut)
    if not len(slots):
        return scene_of, memories + 1
    follows = _near_before(columns, size) & uncut & uncut[before]
    first, at = _first_of_chain(columns, follows)[slots], columns.at[slots]
    by_talk = np.lexsort((columns.order[slots], at, columns.order[first], first))
    slots, first, at = slots[by_talk], first[by_talk], at[by_talk]
    begins = np.append(True, first[1:] != first[:-1])
    # What was said at one instant, as the stretches of one message are, is one line of a talk.
    line = np.cumsum(np.append(True, at[1:] != at[:-1]) | begins)
    line -= np.maximum.accumulate(np.where(begins, line, 0))
    new = begins | ((line % _SCENE_LINES == 0) & np.append(True, line[1:] != line[:-1]))
    scene_of[slots] = memories + np.cumsum(new)
    return scene_of, memories + 1 + int(np.count_nonzero(new))


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
