"""Every passage that can be found, and how passages lie to one another."""

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias
from zoneinfo import ZoneInfo

import numpy as np

from memory.model import Level, Memory, Passage
from memory.recall.passage_arrays import NOWHERE, PassageColumns, PassageLayout, build_layout
from memory.text.bm25 import Bm25
from memory.text.tokens import characters, is_atomic, tokens

Moment: TypeAlias = tuple[float, int]
"""When a message was said, in seconds, and its slot: what orders a conversation."""

_LONGEST_PAUSE_SECONDS: Final = 3 * 3600.0
"""Seconds after which what is said next is no longer an answer to what was said before."""


@dataclass(frozen=True, slots=True)
class IndexedPassage:
    """One passage in the index, and the memory and conversation it is of."""

    memory_id: int
    conversation: str
    passage: Passage


class PassageIndex:
    """The passages of one agent, kept in step with its memories one by one."""

    def __init__(self, zone: ZoneInfo) -> None:
        self.zone = zone
        self.words = Bm25()
        self.characters = Bm25()
        self.columns = PassageColumns()
        self.speakers: dict[str, int] = {}
        self._entries: list[IndexedPassage | None] = []
        self._slots: dict[int, tuple[int, ...]] = {}
        self._time_lines: dict[str, list[Moment]] = {}
        self._group_total = 0
        self._day_numbers: dict[int, int] = {}
        self._layout: PassageLayout | None = None

    @classmethod
    def of(cls, memories: Iterable[Memory], zone: ZoneInfo) -> "PassageIndex":
        """Build the index of ``memories``; days are days of ``zone``."""
        index = cls(zone)
        for memory in memories:
            index.put(memory)
        return index

    def __len__(self) -> int:
        """Return how many slots were given out, dead ones included."""
        return len(self._entries)

    @property
    def layout(self) -> PassageLayout:
        """Return how the passages lie to one another; a memory's passages are one group."""
        if self._layout is None:
            days = np.fromiter(self._day_numbers, np.int64, len(self._day_numbers))
            self._layout = build_layout(self.columns, self.words, self._group_total, days)
        return self._layout

    def entry(self, slot: int) -> IndexedPassage:
        """Return the passage in a living slot."""
        entry = self._entries[slot]
        if entry is None:
            raise LookupError(f"slot {slot} is empty")
        return entry

    def texts(self) -> Iterator[tuple[int, str]]:
        """Yield every living slot and its text."""
        for slot, entry in enumerate(self._entries):
            if entry is not None:
                yield slot, entry.passage.text

    def put(self, memory: Memory) -> None:
        """Index ``memory`` as it is now; costs nothing if its passages are as before."""
        passages = tuple(_indexed_passages(memory))
        old = self._slots.get(memory.id, ())
        # Most changes of a memory are new numbers: its text is as before, and so is the index.
        if passages == tuple(self.entry(slot).passage for slot in old):
            return
        self.drop(memory.id)
        self._layout = None
        if passages:
            talk = memory.origin.conversation
            entries = [IndexedPassage(memory.id, talk, passage) for passage in passages]
            self._slots[memory.id] = tuple(self._add(entry) for entry in entries)
            self._group_total += 1

    def drop(self, memory_id: int) -> None:
        """Take a memory's passages out."""
        self._layout = None
        for slot in self._slots.pop(memory_id, ()):
            entry = self.entry(slot)
            self.words.remove(slot, tokens(entry.passage.text))
            self.characters.remove(slot, characters(entry.passage.text))
            self.columns.piece_count[slot] = 0.0
            if entry.passage.verbatim:
                self._unlink(slot, entry)
            # A slot is never given out again: arrays and postings still hold its number.
            self._entries[slot] = None

    def _add(self, entry: IndexedPassage) -> int:
        passage = entry.passage
        found, single = tokens(passage.text), characters(passage.text)
        slot = self.words.add(found)
        self.characters.add(single)
        self._entries.append(entry)
        columns = self.columns
        columns.reserve(slot)
        columns.fill_from_passage(slot, passage)
        columns.piece_count[slot] = (
            len(single) + sum(map(is_atomic, found)) if single else len(found)
        )
        day = passage.at.astimezone(self.zone).toordinal()
        columns.day[slot] = day
        columns.day_number[slot] = self._day_numbers.setdefault(day, len(self._day_numbers))
        columns.memory[slot] = entry.memory_id
        columns.group[slot] = self._group_total
        columns.speaker[slot] = self.speakers.setdefault(passage.speaker, len(self.speakers))
        if passage.verbatim:
            self._link(slot, entry)
        return slot

    def _link(self, slot: int, entry: IndexedPassage) -> None:
        """Put a verbatim message into its place in the time line of its conversation."""
        line = self._time_lines.setdefault(entry.conversation, [])
        moment = self._moment(slot)
        if line and line[-1] > moment:
            insort(line, moment)
            place = bisect_left(line, moment)
        else:
            place = len(line)
            line.append(moment)
        self._set_neighbours(line[place - 1] if place else None, moment)
        self._set_neighbours(moment, line[place + 1] if place + 1 < len(line) else None)

    def _unlink(self, slot: int, entry: IndexedPassage) -> None:
        """Close the gap a message leaves in its time line."""
        line = self._time_lines[entry.conversation]
        place = bisect_left(line, self._moment(slot))
        del line[place]
        before = line[place - 1] if place else None
        self._set_neighbours(before, line[place] if place < len(line) else None)

    def _moment(self, slot: int) -> Moment:
        return (float(self.columns.at[slot]), slot)

    def _set_neighbours(self, first: Moment | None, second: Moment | None) -> None:
        """Make two messages neighbours, or end the talk there if too much time lies between."""
        near = (
            first is not None
            and second is not None
            and second[0] - first[0] <= _LONGEST_PAUSE_SECONDS
        )
        if first is not None:
            self.columns.after[first[1]] = second[1] if near and second else NOWHERE
        if second is not None:
            self.columns.before[second[1]] = first[1] if near and first else NOWHERE


def _indexed_passages(memory: Memory) -> Iterator[Passage]:
    """Yield what of a memory is indexed: verbatim only while nothing of it was compressed."""
    for passage in memory.passages:
        if passage.text and (not passage.verbatim or memory.words.level is Level.FULL):
            yield passage
