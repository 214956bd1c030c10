"""An index as it was kept: columns, so that a start need not go through a whole state.

To give every passage of a large memory its place takes longer than anything else a first search
does, and needs every record. So the places are kept beside what was read in the texts, under the
name of the very snapshots that hold the state they are of; for any other state they count for
nothing. A passage is made when somebody first looks at it.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import accumulate, pairwise
from threading import Lock
from typing import Any, Final
from zoneinfo import ZoneInfo

import numpy as np
import numpy.typing as npt

from memory.changes import DiaryLine
from memory.model import Memory, Passage
from memory.recall.index import (
    HeldMemory,
    IndexedPassage,
    PassageIndex,
    indexed_passages,
    line_passage,
)
from memory.recall.passage_arrays import Ints, PassageColumns, TextColumns
from memory.recall.reading import (
    LinePage,
    Numbers,
    Placement,
    Reading,
    TextReader,
    pages_of,
)
from memory.state import MemoryState
from memory.text.stretches import stretches

_SAID: Final = 0
_SHOWN: Final = 1
_OF_MEMORY: Final = -1
"""The row of a slot that is no line of the diary."""


def index_of(state: MemoryState, known: Reading | None = None) -> PassageIndex:
    """Return the index of all of a state; what is ``known`` of its texts is not read again."""
    memories, zone, lines = _indexed(state)
    kept = known.placement if known is not None else None
    if known is not None and kept is not None and kept.snapshot == state.read_from != "":
        return KeptPassageIndex(zone, known, kept, state)
    order = sorted(memories, key=lambda memory: memory.id)
    return PassageIndex.of(order, zone, lines, [known] if known else [], pages_of(state))


def placed_index(state: MemoryState) -> "PlacedIndex":
    """Return where everything would stand in an index of all of a state; no text is read."""
    memories, zone, lines = _indexed(state)
    order = sorted(memories, key=lambda memory: memory.id)
    return PlacedIndex(zone, order, lines, pages_of(state))


def _indexed(state: MemoryState) -> tuple[Iterable[Memory], ZoneInfo, Iterable[DiaryLine]]:
    zone = ZoneInfo(state.agent_info.settings.time_zone)
    return state.memories.values(), zone, state.diary.values()


class PlacedIndex(PassageIndex):
    """The places of all passages of a state, in the order in which a new index has them."""

    def __init__(
        self,
        zone: ZoneInfo,
        memories: Iterable[Memory],
        lines: Iterable[DiaryLine],
        pages: Sequence[LinePage],
    ) -> None:
        super().__init__(zone)
        self.pages = pages
        self._paged = sum(len(page.reading.digests) for page in pages)
        self._place(memories, lines)

    def placement(self, snapshot: str) -> Placement:
        """Return what is to be kept of it, as of the state in the snapshots of that name."""
        size, own = len(self), vars(PassageColumns()).keys() - vars(TextColumns()).keys()
        numbers = {f"column.{name}": getattr(self.columns, name)[:size] for name in sorted(own)}
        held = self._held.values()
        lists = {
            "owners": [entry.owners for _, entry in self._living()],
            "others": [entry.others for _, entry in self._living()],
            "held.own": [each.own for each in held],
            "held.lines": [each.lines for each in held],
        }
        for name, those in lists.items():
            numbers |= _flat(name, those)
        numbers |= {
            "held": np.array([*self._held], np.int64),
            "held.everyday": np.array([each.everyday for each in held], np.bool_),
            "days": np.array([*self._day_numbers], np.int64),
            **self._scenes.numbers(),
        }
        names: dict[str, Sequence[str]] = {"speakers": list(self.speakers)}
        return Placement(snapshot, numbers | self._sources(names), names)

    def _sources(self, names: dict[str, Sequence[str]]) -> dict[str, npt.NDArray[Any]]:
        """Return of what each slot is, and add what the numbers stand for to ``names``.

        The keys of lines in pages stand there.
        """
        rows: dict[str, int] = {}
        conversations: dict[str, int] = {}
        found = np.zeros((4, len(self)), np.int64)
        shown = {slot for slots in self._shown.values() for slot in slots}
        for slot, entry in self._living():
            row, piece = _OF_MEMORY, _SHOWN if slot in shown else _SAID
            if entry.line is not None:
                row = rows.setdefault(entry.line.key, len(rows))
            else:
                held = self._held[entry.memory_id].passages
                piece = next(at for at, each in enumerate(held) if each is entry.passage)
            talk = conversations.setdefault(entry.conversation, len(conversations))
            found[:, slot] = (row, entry.memory_id, piece, talk)
        unpaged = found[0, self._paged :]
        first = int(unpaged[unpaged != _OF_MEMORY].min(initial=len(rows)))
        names |= {"keys": list(rows)[first:], "conversations": list(conversations)}
        return dict(zip(("row", "holder", "piece", "talk"), found, strict=True))

    def _living(self) -> Iterator[tuple[int, IndexedPassage]]:
        return ((slot, self.entry(slot)) for slot in range(len(self)))


def unpaged_texts(places: PlacedIndex) -> list[str] | None:
    """Return the texts of all slots that are of no page, None if the pages do not fit them."""
    texts, first = [text for _, text in places.texts()], 0
    for page in places.pages:
        end = first + len(page.reading.digests)
        if not page.reading.is_of(texts[first:end]):
            return None
        first = end
    return texts[first:]


def _flat(name: str, lists: Sequence[Sequence[int]]) -> dict[str, npt.NDArray[Any]]:
    """Return lists of numbers as two arrays: where each begins, and all of them."""
    starts = np.cumsum([0, *map(len, lists)])
    flat = np.array([each for one in lists for each in one], np.int64)
    return {f"{name}.starts": starts, f"{name}.flat": flat}


def _tuples(numbers: Numbers, name: str) -> list[tuple[int, ...]]:
    flat = numbers[f"{name}.flat"].tolist()
    return [tuple(flat[first:end]) for first, end in pairwise(numbers[f"{name}.starts"].tolist())]


class KeptPassageIndex(PassageIndex):
    """The index of a state of which everything was kept; it is changed as any other."""

    def __init__(
        self,
        zone: ZoneInfo,
        known: Reading,
        placement: Placement,
        state: MemoryState,
    ) -> None:
        """Open what was kept of just this state."""
        super().__init__(zone)
        self._numbers, self._names = placement.numbers, placement.names
        self._memories, self._diary = state.memories, state.diary
        self._pages = pages_of(state)
        self._firsts = [0, *accumulate(len(page.reading.digests) for page in self._pages)]
        self._paged = self._firsts[-1]
        size = self._paged + len(known.digests)
        self.columns.reserve(size)
        for name, column in self._numbers.items():
            if name.startswith("column."):
                getattr(self.columns, name.removeprefix("column."))[:size] = column
        self._read_by(TextReader(self.columns, [*(p.reading for p in self._pages), known]))
        self.was_known = True
        self.speakers.update(_numbered(self._names["speakers"]))
        self._day_numbers.update(_numbered(self._numbers["days"].tolist()))
        self._scenes.begin_with(self._numbers)
        self._lines = int(self._numbers["row"].max(initial=_OF_MEMORY)) + 1
        self._entries = [None] * size
        self._unmade = np.ones(size, np.bool_)
        self._making = Lock()
        self._is_placed = False

    def entry(self, slot: int) -> IndexedPassage:
        """Return the passage in a living slot."""
        if slot < len(self._unmade) and self._unmade[slot]:
            # A thread may read what is kept while another one searches: a passage is one object.
            with self._making:
                if self._unmade[slot]:
                    self._make(slot)
        return super().entry(slot)

    def texts(self, first: int = 0) -> Iterator[tuple[int, str]]:
        """Yield every living slot from ``first`` on, and its text."""
        for slot in (first + np.flatnonzero(self._unmade[first:])).tolist():
            self.entry(slot)
        yield from super().texts(first)

    def put(self, memory: Memory) -> None:
        """Index ``memory`` as it is now; see :meth:`PassageIndex.put`."""
        self._place_all()
        held = self._held.get(memory.id)
        if held is not None and held.passages is _NOT_MADE:
            held.passages = tuple(indexed_passages(self._memories[memory.id]))
        super().put(memory)

    def drop(self, memory_id: int) -> None:
        """Take a memory's own passages out; lines of the diary stay."""
        self._place_all()
        super().drop(memory_id)

    def put_line(self, line: DiaryLine) -> None:
        """Index a line as it is now: what was said, and what was shown, each in its slots."""
        self._place_all()
        super().put_line(line)

    def drop_line(self, key: str) -> None:
        """Take a line out; a memory that still holds its words keeps them."""
        self._place_all()
        super().drop_line(key)

    def _make(self, slot: int) -> None:
        """Make the passage of a slot, and its other stretches: they share one passage."""
        numbers, names = self._numbers, self._names
        row, holder, piece = (int(numbers[name][slot]) for name in ("row", "holder", "piece"))
        line = self._diary[self._key_of(slot, row)] if row != _OF_MEMORY else None
        if line is not None:
            passage = self._passage_of_line(slot, line, shown=piece == _SHOWN)
        else:
            passage = list(indexed_passages(self._memories[holder]))[piece]
        texts = stretches(passage.text) if passage.verbatim else (passage.text,)
        first = slot
        while first and all(
            numbers[name][first - 1] == numbers[name][slot] for name in ("row", "holder", "piece")
        ):
            first -= 1
        for place, text in enumerate(texts, start=first):
            self._entries[place] = IndexedPassage(
                passage=passage,
                text=text,
                conversation=names["conversations"][int(numbers["talk"][place])],
                memory_id=holder,
                line=line,
                owners=self._listed("owners", place),
                others=self._listed("others", place),
                slot=place,
            )
            self._unmade[place] = False

    def _key_of(self, slot: int, row: int) -> str:
        """Return the message of a slot that is of a line; ``row`` is the line's number."""
        if slot < self._paged:
            page = bisect_right(self._firsts, slot) - 1
            return self._pages[page].key_of(slot - self._firsts[page])
        keys = self._names["keys"]
        # The last rows are those of lines in no page.
        return keys[row - (self._lines - len(keys))]

    def _passage_of_line(self, slot: int, line: DiaryLine, *, shown: bool) -> Passage:
        """Return what stands for a line: the passage of the last memory that has it as it is."""
        text = line.message.quoted if shown else line.message.text
        for owner in self._listed("owners", slot)[-1:]:
            fitting = (
                passage
                for passage in reversed(list(indexed_passages(self._memories[owner])))
                if passage.verbatim
                and passage.source_ids[:1] == (line.key,)
                and bool(passage.speaker) is not shown
                and passage.text == text
            )
            return next(fitting)
        return line_passage(line, text)

    def _listed(self, name: str, slot: int) -> tuple[int, ...]:
        starts: Ints = self._numbers[f"{name}.starts"]
        return tuple(self._numbers[f"{name}.flat"][starts[slot] : starts[slot + 1]].tolist())

    def _place_all(self) -> None:
        """Know where everything stands, which only changes ask."""
        if self._is_placed:
            return
        self._is_placed = True
        numbers = self._numbers
        conversations = self._names["conversations"]
        tables = {_SAID: self._said, _SHOWN: self._shown}
        rows, pieces = numbers["row"].tolist(), numbers["piece"].tolist()
        paged = [key for page in self._pages for key in page.slot_keys()]
        for slot, row in enumerate(rows):
            if row != _OF_MEMORY:
                table = tables[pieces[slot]]
                key = paged[slot] if slot < len(paged) else self._key_of(slot, row)
                table[key] = (*table.get(key, ()), slot)
        verbatim = ~self.columns.gist[: len(rows)]
        self._time_lines.begin_with(
            {
                talk: np.flatnonzero(verbatim & (numbers["talk"] == number))
                for number, talk in enumerate(conversations)
            }
        )
        own, lines = _tuples(numbers, "held.own"), _tuples(numbers, "held.lines")
        held = (numbers["held"].tolist(), numbers["held.everyday"].tolist(), own, lines)
        for memory_id, everyday, slots, of_lines in zip(*held, strict=True):
            self._held[memory_id] = HeldMemory(_NOT_MADE, bool(everyday), slots, of_lines)


_NOT_MADE: Final = (Passage(text="", source_ids=(), at=datetime.min.replace(tzinfo=UTC)),)
"""Stands for the passages of a memory nobody asked for; known by identity."""


def _numbered(names: Sequence[Any]) -> dict[Any, int]:
    return {name: number for number, name in enumerate(names)}
