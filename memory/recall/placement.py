"""An index as it was kept: columns, so that a start need not go through a whole state.

To give every passage of a large memory its place takes longer than anything else a first search
does, and needs every record. So the places are kept beside what was read in the texts, under the
name of the very snapshots that hold the state they are of; for any other state they count for
nothing. A passage is made when somebody first looks at it.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from heapq import merge
from itertools import accumulate, islice
from threading import Lock
from typing import Any, Final
from zoneinfo import ZoneInfo

import numpy as np

from memory.changes import DiaryLine
from memory.model import Memory, Passage
from memory.recall.index import (
    HeldMemory,
    IndexedPassage,
    PassageIndex,
    line_order,
)
from memory.recall.moving import COLUMN, OF_MEMORY, SAID, SHOWN, MovingIndex, listed
from memory.recall.passage_arrays import Ints
from memory.recall.reading import (
    LinePage,
    Placement,
    Reading,
    TextReader,
    indexed_passages,
    line_passage,
    pages_of,
    rests_on_of,
)
from memory.recall.scenes import LineSlots
from memory.record_table import RecordTable
from memory.state import MemoryState, Table
from memory.text.stretches import stretches


def index_of(state: MemoryState, known: Reading | None = None) -> PassageIndex:
    """Return the index of all of a state; what is ``known`` of its texts is not read again."""
    memories, zone, lines = _indexed(state)
    kept = known.placement if known is not None else None
    if known is not None and kept is not None and kept.snapshot == state.read_from != "":
        return KeptPassageIndex(zone, known, kept, state)
    if known is None and not state.memories and (paged := _index_by_pages(state, zone)):
        return paged
    order = sorted(memories, key=lambda memory: memory.id)
    made = MovingIndex.of(order, zone, lines, [known] if known else [], pages_of(state))
    index = index_on_pages(made, state)
    index.was_known = made.was_known
    return index


_ANEW_AFTER: Final = 1.5
"""So many times the slots that were counted before are counted anew: not with each page."""


def _index_by_pages(state: MemoryState, zone: ZoneInfo) -> PassageIndex | None:
    """Return the index of a life of which no memory was cut yet, made stretch after stretch.

    A life that was taken in at once is such a one: all of its lines would stand in memory for a
    moment, a kilobyte each. None where there are no pages, or they do not hold its lines.
    """
    pages, diary = pages_of(state), state.diary
    if not pages or not isinstance(diary, RecordTable):
        return None
    lines, index = _lines_in_order(diary), MovingIndex(zone)
    for count, page in enumerate(pages, start=1):
        new = sum(len(each.reading.digests) for each in pages[:count])
        if page is not pages[-1] and new < _ANEW_AFTER * len(index):
            continue
        moved = index.moved(pages[:count], diary.changes, lines)
        if moved is None:
            return None
        index = KeptPassageIndex(zone, moved.reading, moved.placement, state, pages=pages[:count])
    for line in sorted(lines, key=line_order):
        index.put_line(line)
    index.was_known = len(index) == index.paged
    return index


def _lines_in_order(diary: RecordTable[str, DiaryLine]) -> Iterator[DiaryLine]:
    """Yield all lines: first those in pages, in their order, of which none is held."""
    changed = sorted(filter(None, diary.changes.values()), key=line_order)
    kept = islice(diary.values(), len(diary) - len(changed))
    return merge(kept, changed, key=line_order)


def placed_index(state: MemoryState) -> "PlacedIndex":
    """Return where everything would stand in an index of all of a state; no text is read."""
    memories, zone, lines = _indexed(state)
    order = sorted(memories, key=lambda memory: memory.id)
    return PlacedIndex(zone, order, lines, pages_of(state))


def index_on_pages(index: PassageIndex, state: MemoryState) -> PassageIndex:
    """Return the index of a state, of which what stands in pages by now is read there.

    The same one where that cannot be told, or where there are none; what that was made of is let
    go of. May run in a thread while nothing is noted.
    """
    pages, diary = pages_of(state), state.diary
    changed = diary.changes if isinstance(diary, RecordTable) else {}
    moved = index.moved(pages, changed) if pages and isinstance(index, MovingIndex) else None
    if moved is None:
        if isinstance(index, KeptPassageIndex):
            index.look_up_in(state.memories)
        return index
    made = KeptPassageIndex(index.zone, moved.reading, moved.placement, state, moved.made)
    made.resting = index.resting
    return made


def _indexed(state: MemoryState) -> tuple[Iterable[Memory], ZoneInfo, Iterable[DiaryLine]]:
    zone = ZoneInfo(state.agent_info.settings.time_zone)
    return state.memories.values(), zone, state.diary.values()


class PlacedIndex(MovingIndex):
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
        self.paged = sum(len(page.reading.digests) for page in pages)
        self._place(memories, lines)

    def placement(self, snapshot: str) -> Placement:
        """Return what is to be kept of it, as of the state in the snapshots of that name."""
        return Placement(snapshot, *self._counted_anew(np.arange(len(self)), self.paged))


def unpaged_texts(places: PlacedIndex) -> list[str] | None:
    """Return the texts of all slots that are of no page, None if the pages do not fit them."""
    texts, first = [text for _, text in places.texts()], 0
    for page in places.pages:
        end = first + len(page.reading.digests)
        if not page.reading.is_of(texts[first:end]):
            return None
        first = end
    return texts[first:]


class KeptPassageIndex(MovingIndex):
    """The index of a state of which everything was kept; it is changed as any other."""

    def __init__(
        self,
        zone: ZoneInfo,
        known: Reading,
        placement: Placement,
        state: MemoryState,
        made: Mapping[int, IndexedPassage] | None = None,
        pages: Sequence[LinePage] | None = None,
    ) -> None:
        """Open what was kept of just this state; some passages may have been ``made`` before.

        Of the first ``pages`` only, if they are named: the lines behind them are to be put.
        """
        super().__init__(zone)
        columns = {name: n for name, n in placement.numbers.items() if name.startswith(COLUMN)}
        self._numbers = {n: each for n, each in placement.numbers.items() if n not in columns}
        self._names = placement.names
        self._memories, self._diary = state.memories, state.diary
        self._pages = pages_of(state) if pages is None else pages
        self._firsts = [0, *accumulate(len(page.reading.digests) for page in self._pages)]
        self.paged = self._firsts[-1]
        size = self.paged + len(known.digests)
        self.columns.reserve(size)
        for name, column in columns.items():
            getattr(self.columns, name.removeprefix(COLUMN))[:size] = column
        self._read_by(TextReader(self.columns, [*(p.reading for p in self._pages), known]))
        self.was_known = True
        # Earlier programs took None for the name of a speaker.
        self.speakers.update(_numbered([each or "" for each in self._names["speakers"]]))
        self._day_numbers.update(_numbered(self._numbers["days"].tolist()))
        self._scenes.begin_with(self._numbers)
        self._lines = int(self._numbers["row"].max(initial=OF_MEMORY)) + 1
        self._entries = [None] * size
        self._unmade = np.ones(size, np.bool_)
        self._making = Lock()
        self._is_placed = False
        pieces = self._numbers["piece"][: self.paged]
        in_pages = partial(_slots_in_pages, self._pages, self._firsts, pieces)
        self._said = LineSlots(partial(in_pages, SAID))
        # Hardly any line shows anything: where none does no page need be asked.
        self._shown = LineSlots(partial(in_pages, SHOWN)) if SHOWN in pieces else LineSlots()
        for slot, entry in (made or {}).items():
            self._entries[slot], self._unmade[slot] = entry, False

    def entry(self, slot: int) -> IndexedPassage:
        """Return the passage in a living slot."""
        if slot < len(self._unmade) and self._unmade[slot]:
            # A thread may read what is kept while another one searches: a passage is one object.
            with self._making:
                if self._unmade[slot]:
                    self._make(slot)
        return super().entry(slot)

    def look_up_in(self, memories: Table[int, Memory]) -> None:
        """Look memories up in another table of the same ones, and let go of the one before."""
        self._memories = memories

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
            before = self._memories[memory.id]
            held.passages, held.rests_on = tuple(indexed_passages(before)), rests_on_of(before)
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
        line = self._diary[self._key_of(slot, row)] if row != OF_MEMORY else None
        if line is not None:
            message = line.message
            passage = line_passage(line, message.quoted if piece == SHOWN else message.text)
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
        if slot < self.paged:
            page = bisect_right(self._firsts, slot) - 1
            return self._pages[page].key_of(slot - self._firsts[page])
        keys = self._names["keys"]
        # The last rows are those of lines in no page.
        return keys[row - (self._lines - len(keys))]

    def _as_kept(self, page: LinePage) -> range:
        """Return the slots of a page that is as it was kept, none for any other."""
        if page not in self._pages or self._said.left or self._shown.left:
            return range(0)
        place = self._pages.index(page)
        return range(self._firsts[place], self._firsts[place + 1])

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
        tables = {SAID: self._said, SHOWN: self._shown}
        rows, pieces = numbers["row"], numbers["piece"]
        for slot in (self.paged + np.flatnonzero(rows[self.paged :] != OF_MEMORY)).tolist():
            table, key = tables[int(pieces[slot])], self._key_of(slot, int(rows[slot]))
            table.put(key, (*table.of(key), slot))
        verbatim = ~self.columns.gist[: len(rows)]
        self._time_lines.begin_with(
            {
                talk: np.flatnonzero(verbatim & (numbers["talk"] == number))
                for number, talk in enumerate(conversations)
            }
        )
        own, lines = (listed(numbers, f"held.{name}") for name in ("own", "lines"))
        held = (numbers["held"].tolist(), numbers["held.everyday"].tolist(), own, lines)
        for memory_id, everyday, slots, of_lines in zip(*held, strict=True):
            self._held[memory_id] = HeldMemory(_NOT_MADE, bool(everyday), 0, slots, of_lines)


def _slots_in_pages(
    pages: Sequence[LinePage], firsts: Sequence[int], pieces: Ints, piece: int, key: str
) -> tuple[int, ...]:
    """Return where a line stands in pages, each with its first slot: what it says, or shows."""
    for page, first in zip(pages, firsts, strict=False):
        if slots := page.slots_of(key):
            return tuple(first + n for n in slots if pieces[first + n] == piece)
    return ()


_NOT_MADE: Final = (Passage(text="", source_ids=(), at=datetime.min.replace(tzinfo=UTC)),)
"""Stands for the passages of a memory nobody asked for; known by identity."""


def _numbered(names: Sequence[Any]) -> dict[Any, int]:
    return {name: number for number, name in enumerate(names)}
