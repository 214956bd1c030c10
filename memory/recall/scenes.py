"""How passages follow one another, who speaks after whom, and which are parts of one memory."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeAlias

import numpy as np

from memory.recall.passage_arrays import NOWHERE, Ints, PassageColumns
from memory.recall.reading import Numbers
from memory.text.postings import Floats, Slots

Moment: TypeAlias = tuple[float, int, int]
"""When a message was said, in seconds, its order and its slot: what orders a conversation."""


class _TimeLine:
    """The moments of one conversation, in order: sixteen bytes each, where tuples take ninety."""

    def __init__(self, columns: PassageColumns) -> None:
        self._columns = columns
        self._at = array("d")
        self._slots = array("q")

    @classmethod
    def of(cls, columns: PassageColumns, slots: Ints) -> "_TimeLine":
        """Return the time line of some slots."""
        line, at = cls(columns), columns.at[slots]
        order = np.lexsort((slots, columns.order[slots], at))
        line._at.frombytes(at[order].tobytes())
        line._slots.frombytes(slots[order].tobytes())
        return line

    def __len__(self) -> int:
        return len(self._slots)

    def __getitem__(self, place: int) -> Moment:
        return self.moment(self._slots[place])

    def moment(self, slot: int) -> Moment:
        """Return when what stands in a slot was said."""
        return float(self._columns.at[slot]), int(self._columns.order[slot]), slot

    def place(self, slot: int) -> int:
        """Return the place of a slot, or where it belongs."""
        at, *rest = self.moment(slot)
        first = bisect_left(self._at, at)
        last = bisect_right(self._at, at, first)
        return bisect_left(
            self._slots, rest, first, last, key=lambda each: [int(self._columns.order[each]), each]
        )

    def insert(self, place: int, slot: int) -> None:
        """Put a slot into its place."""
        self._at.insert(place, float(self._columns.at[slot]))
        self._slots.insert(place, slot)

    def __delitem__(self, place: int) -> None:
        del self._at[place], self._slots[place]


_LONGEST_PAUSE_SECONDS: Final = 3 * 3600.0
"""Seconds after which what is said next is no longer an answer to what was said before."""


class TimeLines:
    """Who speaks before and after whom, in each conversation."""

    def __init__(self, columns: PassageColumns) -> None:
        self._columns = columns
        self._lines: dict[str, _TimeLine] = {}

    def begin_with(self, slots: Mapping[str, Ints]) -> None:
        """Know the messages of each conversation, which are neighbours already."""
        for conversation, those in slots.items():
            if len(those):
                self._lines[conversation] = _TimeLine.of(self._columns, those)

    def link(self, slot: int, conversation: str) -> None:
        """Put a verbatim message into its place in the time line of its conversation."""
        line = self._lines.setdefault(conversation, _TimeLine(self._columns))
        moment = line.moment(slot)
        place = line.place(slot) if len(line) and line[-1] > moment else len(line)
        line.insert(place, slot)
        self._set_neighbours(line[place - 1] if place else None, moment)
        self._set_neighbours(moment, line[place + 1] if place + 1 < len(line) else None)

    def unlink(self, slot: int, conversation: str) -> None:
        """Close the gap a message leaves in its time line."""
        line = self._lines[conversation]
        place = line.place(slot)
        del line[place]
        before = line[place - 1] if place else None
        self._set_neighbours(before, line[place] if place < len(line) else None)
        # Who still led to a neighbour would take away what that hears of those who are left.
        self._columns.before[slot] = self._columns.after[slot] = NOWHERE

    def _set_neighbours(self, first: Moment | None, second: Moment | None) -> None:
        """Make two messages neighbours, or end the talk there if too much time lies between."""
        near = (
            first is not None
            and second is not None
            and second[0] - first[0] <= _LONGEST_PAUSE_SECONDS
        )
        if first is not None:
            self._columns.after[first[-1]] = second[-1] if near and second else NOWHERE
        if second is not None:
            self._columns.before[second[-1]] = first[-1] if near and first else NOWHERE


class LineSlots:
    """Where what lines say stands, or what they show: the slots of each line, by its message.

    ``kept`` tells it of lines as they were kept; only what came or went since is held here.
    ``left`` are the slots in which lines were kept that went, or say something else.
    """

    def __init__(self, kept: Callable[[str], tuple[int, ...]] = lambda _: ()) -> None:
        self.left: list[int] = []
        self._kept = kept
        self._since: dict[str, tuple[int, ...]] = {}

    def of(self, key: str) -> tuple[int, ...]:
        """Return the slots of a line, none if it is not here."""
        found = self._since.get(key)
        return self._kept(key) if found is None else found

    def put(self, key: str, slots: tuple[int, ...]) -> None:
        """Note where a line stands that stood nowhere."""
        self._since[key] = slots

    def take(self, key: str) -> tuple[int, ...]:
        """Forget a line, and return where it stood."""
        found, kept = self.of(key), self._kept(key)
        self._since.pop(key, None)
        if kept:
            self._since[key] = ()
            self.left += kept
        return found

    def since(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Yield every line that came since it was kept, and where it stands."""
        return ((key, slots) for key, slots in self._since.items() if slots)


class RestingMemories:
    """Which memories rest on lines that came or went, and are to be put anew for it.

    A memory that is new finds its lines there, so this is seldom: lines were erased, blotted, let
    go of after their time, put right, or brought back.
    """

    def __init__(self) -> None:
        self.unsettled: set[int] = set()
        self._waiting: dict[str, set[int]] = {}

    def waits_for(self, key: str, memory_id: int) -> None:
        """Note that a memory rests on a message that is no line here."""
        self._waiting.setdefault(key, set()).add(memory_id)

    def line_came(self, key: str) -> None:
        """Note that a message is a line from now on."""
        self.unsettled |= self._waiting.pop(key, set())

    def take_unsettled(self) -> list[int]:
        """Return what is to be put anew, in order, and forget it."""
        found = sorted(self.unsettled)
        self.unsettled.clear()
        return found


class Scenes:
    """The groups of passages that are parts of one memory, numbered as they come."""

    def __init__(self) -> None:
        self._of_memory: dict[int, int] = {}

    @property
    def total(self) -> int:
        """Return how many there are."""
        return len(self._of_memory)

    def of_memory(self, memory_id: int) -> int:
        """Return the group of a memory, also of one that is gone."""
        return self._of_memory.setdefault(memory_id, len(self._of_memory))

    def numbers(self) -> dict[str, Ints]:
        """Return what is known of groups, to be kept."""
        return {"scenes": np.array([*self._of_memory], np.int64)}

    def begin_with(self, numbers: Numbers) -> None:
        """Know what was kept of groups."""
        self._of_memory = {each: number for number, each in enumerate(numbers["scenes"].tolist())}


def mean_of_adjacent_days(day: Floats, order: Ints) -> Floats:
    """Return for each day the mean score of the days before and after it that hold anything."""
    ordered = day[order]
    around = np.zeros_like(ordered)
    around[1:] += ordered[:-1] / 2
    around[:-1] += ordered[1:] / 2
    beside = np.zeros_like(day)
    beside[order] = around
    return beside


def rank_within_group(group: Slots, share: Floats, order_of: Ints) -> Floats:
    """Return how many better passages of its scene each passage has, of equals earlier ones."""
    order = np.lexsort((order_of, -share, group))
    ordered = group[order]
    first = np.append(True, ordered[1:] != ordered[:-1]) if len(ordered) else ordered
    starts = np.flatnonzero(first)
    place = np.empty(len(group), np.float32)
    lengths = np.diff(np.append(starts, len(group)))
    place[order] = np.arange(len(group)) - np.repeat(starts, lengths)
    return place
