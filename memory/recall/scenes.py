"""How passages follow one another: who speaks after whom, and what was said in one go."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeAlias

import numpy as np

from memory.recall.passage_arrays import NOWHERE, Doubles, Ints, PassageColumns
from memory.recall.reading import Numbers
from memory.text.line_salience import TALK_PAUSE_SECONDS
from memory.text.postings import Floats, Slots

Moment: TypeAlias = tuple[float, int]
"""When a message was said, in seconds, and its slot: what orders a conversation."""


class _TimeLine:
    """The moments of one conversation, in order: sixteen bytes each, where tuples take ninety."""

    def __init__(self) -> None:
        self._at = array("d")
        self._slots = array("q")

    @classmethod
    def of(cls, at: Doubles, slots: Ints) -> "_TimeLine":
        """Return the time line of slots said at these times."""
        line, order = cls(), np.lexsort((slots, at))
        line._at.frombytes(at[order].tobytes())
        line._slots.frombytes(slots[order].tobytes())
        return line

    def __len__(self) -> int:
        return len(self._slots)

    def __getitem__(self, place: int) -> Moment:
        return self._at[place], self._slots[place]

    def place(self, moment: Moment) -> int:
        """Return the place of a moment, or where it belongs."""
        at, slot = moment
        first = bisect_left(self._at, at)
        return bisect_left(self._slots, slot, first, bisect_right(self._at, at, first))

    def insert(self, place: int, moment: Moment) -> None:
        """Put a moment into its place."""
        self._at.insert(place, moment[0])
        self._slots.insert(place, moment[1])

    def __delitem__(self, place: int) -> None:
        del self._at[place], self._slots[place]


_LONGEST_PAUSE_SECONDS: Final = 3 * 3600.0
"""Seconds after which what is said next is no longer an answer to what was said before."""

_TALK_LINES: Final = 12
"""What lines are one scene before any memory was cut from them: as a rule would cut them."""


class TimeLines:
    """Who speaks before and after whom, in each conversation."""

    def __init__(self, columns: PassageColumns) -> None:
        self._columns = columns
        self._lines: dict[str, _TimeLine] = {}

    def begin_with(self, slots: Mapping[str, Ints]) -> None:
        """Know the messages of each conversation, which are neighbours already."""
        for conversation, those in slots.items():
            if len(those):
                self._lines[conversation] = _TimeLine.of(self._columns.at[those], those)

    def link(self, slot: int, conversation: str) -> None:
        """Put a verbatim message into its place in the time line of its conversation."""
        line = self._lines.setdefault(conversation, _TimeLine())
        moment = self._moment(slot)
        place = line.place(moment) if len(line) and line[-1] > moment else len(line)
        line.insert(place, moment)
        self._set_neighbours(line[place - 1] if place else None, moment)
        self._set_neighbours(moment, line[place + 1] if place + 1 < len(line) else None)

    def unlink(self, slot: int, conversation: str) -> None:
        """Close the gap a message leaves in its time line."""
        line = self._lines[conversation]
        place = line.place(self._moment(slot))
        del line[place]
        before = line[place - 1] if place else None
        self._set_neighbours(before, line[place] if place < len(line) else None)
        # Who still led to a neighbour would take away what that hears of those who are left.
        self._columns.before[slot] = self._columns.after[slot] = NOWHERE

    def _moment(self, slot: int) -> Moment:
        return (float(self._columns.at[slot]), slot)

    def _set_neighbours(self, first: Moment | None, second: Moment | None) -> None:
        """Make two messages neighbours, or end the talk there if too much time lies between."""
        near = (
            first is not None
            and second is not None
            and second[0] - first[0] <= _LONGEST_PAUSE_SECONDS
        )
        if first is not None:
            self._columns.after[first[1]] = second[1] if near and second else NOWHERE
        if second is not None:
            self._columns.before[second[1]] = first[1] if near and first else NOWHERE


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


class Scenes:
    """The groups of passages that belong together: a memory's, or lines said in one go."""

    def __init__(self, columns: PassageColumns) -> None:
        self.total = 0
        self._columns = columns
        self._of_memory: dict[int, int] = {}
        self._talks: dict[int, int] = {}

    def of_memory(self, memory_id: int) -> int:
        """Return the group of a memory, also of one that is gone."""
        group = self._of_memory.get(memory_id)
        if group is None:
            group = self._of_memory[memory_id] = self._new()
        return group

    def of_talk(self, slot: int) -> int:
        """Return the group of a line nothing was cut from: that of the line before, or new."""
        before = int(self._columns.before[slot])
        if before != NOWHERE:
            group, at = int(self._columns.group[before]), self._columns.at
            near = at[slot] - at[before] <= TALK_PAUSE_SECONDS
            if near and self._talks.get(group, _TALK_LINES) < _TALK_LINES:
                # The stretches of one message are one line of a talk.
                self._talks[group] += int(at[slot] > at[before])
                return group
        group = self._new()
        self._talks[group] = 1
        return group

    def numbers(self) -> dict[str, Ints]:
        """Return what is known of groups, to be kept."""
        return {
            "scenes": np.array([self.total], np.int64),
            "scenes.memories": np.array([*self._of_memory.items()], np.int64).ravel(),
            "scenes.talks": np.array([*self._talks.items()], np.int64).ravel(),
        }

    def begin_with(self, numbers: Numbers) -> None:
        """Know what was kept of groups."""
        self.total = int(numbers["scenes"][0])
        self._of_memory = dict(numbers["scenes.memories"].reshape(-1, 2).tolist())
        self._talks = dict(numbers["scenes.talks"].reshape(-1, 2).tolist())

    def _new(self) -> int:
        self.total += 1
        return self.total - 1


def mean_of_adjacent_days(day: Floats, order: Ints) -> Floats:
    """Return for each day the mean score of the days before and after it that hold anything."""
    ordered = day[order]
    around = np.zeros_like(ordered)
    around[1:] += ordered[:-1] / 2
    around[:-1] += ordered[1:] / 2
    beside = np.zeros_like(day)
    beside[order] = around
    return beside


def rank_within_group(group: Slots, share: Floats) -> Floats:
    """Return how many better passages of the same scene each passage has."""
    order = np.lexsort((-share, group))
    ordered = group[order]
    first = np.append(True, ordered[1:] != ordered[:-1]) if len(ordered) else ordered
    starts = np.flatnonzero(first)
    place = np.empty(len(group), np.float32)
    lengths = np.diff(np.append(starts, len(group)))
    place[order] = np.arange(len(group)) - np.repeat(starts, lengths)
    return place
