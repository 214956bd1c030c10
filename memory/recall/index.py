"""Every passage that can be found, its words, and what is known of it besides."""

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from memory.model import Level, Memory, Passage
from memory.text.bm25 import Bm25
from memory.text.tokens import tokens

Ints: TypeAlias = npt.NDArray[np.int64]
Doubles: TypeAlias = npt.NDArray[np.float64]
Moment: TypeAlias = tuple[float, int]

_START: Final = 1024
_SAME_TALK: Final = 12 * 3600.0
"""Seconds after which what is said next is no longer an answer to what was said before."""

_ASKS: Final = ("?", "？", "吗", "呢")


@dataclass(frozen=True, slots=True)
class Entry:
    """One passage in the index, and the memory it is of."""

    memory_id: int
    passage: Passage


class Columns:
    """What is known of each slot, as arrays that grow by doubling."""

    def __init__(self) -> None:
        self.at: Doubles = np.zeros(_START)
        self.memory: Ints = np.zeros(_START, np.int64)
        self.before: Ints = np.full(_START, -1, np.int64)
        self.after: Ints = np.full(_START, -1, np.int64)
        self.speaker: Ints = np.zeros(_START, np.int64)
        self.asks: npt.NDArray[np.bool_] = np.zeros(_START, np.bool_)
        self.gist: npt.NDArray[np.bool_] = np.zeros(_START, np.bool_)
        self.size: npt.NDArray[np.float32] = np.zeros(_START, np.float32)

    def reserve(self, slot: int) -> None:
        """Make room for ``slot``."""
        if slot < len(self.at):
            return
        for name, column in vars(self).items():
            wider: npt.NDArray[Any] = np.concatenate([column, np.zeros_like(column)])
            if name in {"before", "after"}:
                wider[len(column) :] = -1
            setattr(self, name, wider)


class PassageIndex:
    """The passages of one agent, kept in step with its memories one by one."""

    def __init__(self) -> None:
        self.words = Bm25()
        self.columns = Columns()
        self.speakers: dict[str, int] = {}
        self._entries: list[Entry | None] = []
        self._slots: dict[int, tuple[int, ...]] = {}
        self._lines: dict[str, list[tuple[float, int]]] = {}

    @classmethod
    def of(cls, memories: Iterable[Memory]) -> "PassageIndex":
        """Build the index of ``memories``."""
        index = cls()
        for memory in memories:
            index.put(memory)
        return index

    def __len__(self) -> int:
        return len(self._entries)

    def entry(self, slot: int) -> Entry:
        """Return the passage in a living slot."""
        entry = self._entries[slot]
        if entry is None:
            raise LookupError(f"slot {slot} is empty")
        return entry

    def slots_of(self, memory_id: int) -> tuple[int, ...]:
        """Return the slots of a memory's passages, in their order."""
        return self._slots.get(memory_id, ())

    def put(self, memory: Memory) -> None:
        """Index ``memory`` as it is now; costs nothing if its passages are as before."""
        passages = tuple(_findable(memory))
        old = self._slots.get(memory.id, ())
        if passages == tuple(self.entry(slot).passage for slot in old):
            return
        self.drop(memory.id)
        line = memory.origin.conversation
        self._slots[memory.id] = tuple(self._add(memory.id, line, each) for each in passages)

    def drop(self, memory_id: int) -> None:
        """Take a memory's passages out."""
        for slot in self._slots.pop(memory_id, ()):
            entry = self.entry(slot)
            self.words.remove(slot, tokens(entry.passage.text))
            self._unlink(slot)
            self._entries[slot] = None

    def living(self) -> Iterator[Entry]:
        """Yield every passage that can be found."""
        return (entry for entry in self._entries if entry is not None)

    def _add(self, memory_id: int, line: str, passage: Passage) -> int:
        found = tokens(passage.text)
        slot = self.words.add(found)
        self._entries.append(Entry(memory_id, passage))
        columns = self.columns
        columns.reserve(slot)
        columns.at[slot] = passage.at.timestamp()
        columns.memory[slot] = memory_id
        columns.before[slot] = columns.after[slot] = -1
        columns.speaker[slot] = self.speakers.setdefault(passage.speaker, len(self.speakers))
        columns.asks[slot] = passage.text.rstrip().endswith(_ASKS)
        columns.gist[slot] = not passage.verbatim
        columns.size[slot] = len(found)
        if passage.verbatim:
            self._link(slot, line)
        return slot

    def _link(self, slot: int, name: str) -> None:
        """Put a verbatim message into its place in the time line of its conversation."""
        line = self._lines.setdefault(name, [])
        key = (float(self.columns.at[slot]), slot)
        if line and line[-1] > key:
            insort(line, key)
            place = bisect_left(line, key)
        else:
            place = len(line)
            line.append(key)
        self._join(line[place - 1] if place else None, key)
        self._join(key, line[place + 1] if place + 1 < len(line) else None)

    def _unlink(self, slot: int) -> None:
        """Close the gap a message leaves in its time line."""
        before, after = int(self.columns.before[slot]), int(self.columns.after[slot])
        for line in self._lines.values():
            place = bisect_left(line, (float(self.columns.at[slot]), slot))
            if place < len(line) and line[place][1] == slot:
                del line[place]
        if before >= 0 or after >= 0:
            self._join(self._moment(before), self._moment(after))

    def _moment(self, slot: int) -> Moment | None:
        return (float(self.columns.at[slot]), slot) if slot >= 0 else None

    def _join(self, first: Moment | None, second: Moment | None) -> None:
        """Make two messages neighbours, or end the talk there if too much time lies between."""
        together = first and second and second[0] - first[0] <= _SAME_TALK
        if first:
            self.columns.after[first[1]] = second[1] if together and second else -1
        if second:
            self.columns.before[second[1]] = first[1] if together and first else -1


def _findable(memory: Memory) -> Iterator[Passage]:
    """Yield what of a memory is indexed: verbatim only while nothing of it was compressed."""
    for passage in memory.passages:
        if passage.text and (not passage.verbatim or memory.words.level is Level.FULL):
            yield passage
