"""Every passage that can be found, and how passages lie to one another.

A line of the diary has one slot, however many memories hold it word for word: these are its
owners. What a memory says in its own words, its gist, has a slot of its own.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal
from zoneinfo import ZoneInfo

import numpy as np

from memory.changes import Change, DiaryLine, Drop, Put
from memory.model import Level, Memory, Passage
from memory.recall.passage_arrays import (
    BEHIND_LINES,
    NOWHERE,
    PassageColumns,
    PassageLayout,
    build_layout,
)
from memory.recall.reading import (
    LinePage,
    Reading,
    TextReader,
    indexed_passages,
    line_passage,
    reader_of,
    rests_on_of,
)
from memory.recall.scenes import LineSlots, RestingMemories, Scenes, TimeLines
from memory.text.postings import Slots
from memory.text.stretches import stretches


@dataclass(slots=True)
class IndexedPassage:
    """One passage in the index, or a stretch of a long one: a memory's own, or a line's.

    ``text`` is what stands in this slot of the text of ``passage``. ``memory_id`` is the memory
    whose passage it is, 0 for a line. ``owners`` are the memories that hold a line word for word,
    ``others`` those that rest on it in other words.
    """

    passage: Passage
    text: str
    conversation: str
    memory_id: int = 0
    line: DiaryLine | None = None
    owners: tuple[int, ...] = ()
    others: tuple[int, ...] = ()
    slot: int = NOWHERE

    @property
    def stretch(self) -> Passage:
        """Return the passage with the words of this slot only."""
        whole = self.passage
        return whole if self.text == whole.text else replace(whole, text=self.text)


@dataclass(slots=True)
class HeldMemory:
    """What the index holds of a memory: its own slots, and those of lines it rests on.

    ``rests_on`` is a hash of where it was told, and in which messages.
    """

    passages: tuple[Passage, ...]
    everyday: bool
    rests_on: int
    own: tuple[int, ...] = ()
    lines: tuple[int, ...] = ()


class _Slots:
    """Passages by slot: their postings, their columns, and how they lie to one another."""

    def __init__(self, zone: ZoneInfo) -> None:
        self.zone = zone
        self.columns = PassageColumns()
        self._read_by(TextReader(self.columns))
        self.speakers: dict[str, int] = {}
        self._entries: list[IndexedPassage | None] = []
        self._time_lines = TimeLines(self.columns)
        self._scenes = Scenes()
        self._day_numbers: dict[int, int] = {}
        self._layout: PassageLayout | None = None
        # How many slots are of lines in pages: what they say is not kept a second time.
        self.paged = 0

    def __len__(self) -> int:
        """Return how many slots were given out, dead ones included."""
        return len(self._entries)

    @property
    def layout(self) -> PassageLayout:
        """Return how the passages lie to one another; a memory's passages are one group."""
        if self._layout is None:
            days = np.fromiter(self._day_numbers, np.int64, len(self._day_numbers))
            self._layout = build_layout(self.columns, self.words, self._scenes.total, days)
        return self._layout

    def entry(self, slot: int) -> IndexedPassage:
        """Return the passage in a living slot."""
        entry = self._entries[slot]
        if entry is None:
            raise LookupError(f"slot {slot} is empty")
        return entry

    def texts(self, first: int = 0) -> Iterator[tuple[int, str]]:
        """Yield every living slot from ``first`` on, and its text."""
        for slot, entry in enumerate(self._entries[first:], start=first):
            if entry is not None:
                yield slot, entry.text

    def _remove(self, slot: int) -> None:
        entry = self.entry(slot)
        self._layout = None
        self.words.remove(slot)
        self.characters.remove(slot)
        self.columns.piece_count[slot] = 0.0
        self.columns.everyday[slot] = False
        if entry.passage.verbatim:
            self._time_lines.unlink(slot, entry.conversation)
        # A slot is never given out again: arrays and postings still hold its number.
        self._entries[slot] = None

    def _add(self, entry: IndexedPassage, order: int) -> int:
        self._layout = None
        passage, slot, columns = entry.passage, len(self._entries), self.columns
        entry.slot = slot
        self._entries.append(entry)
        columns.reserve(slot)
        columns.fill_from_passage(slot, passage)
        columns.order[slot] = order
        if self._reads_at_once:
            self._reader.add(entry.text)
        day = passage.at.astimezone(self.zone).toordinal()
        columns.day[slot] = day
        columns.day_number[slot] = self._day_numbers.setdefault(day, len(self._day_numbers))
        columns.memory[slot] = entry.memory_id
        columns.speaker[slot] = self.speakers.setdefault(passage.speaker, len(self.speakers))
        if passage.verbatim:
            self._time_lines.link(slot, entry.conversation)
        return slot

    def _read_all(self, known: Sequence[Reading]) -> None:
        """Read the texts of all slots, which were given out without reading any."""
        texts = [text for _, text in self.texts()]
        self._read_by(reader_of(texts, known, self.columns))

    def _read_by(self, reader: TextReader) -> None:
        self._reader, self._reads_at_once = reader, True
        self.words, self.characters = reader.words, reader.characters
        self.was_known = reader.knew_all


class PassageIndex(_Slots):
    """The passages of one agent, kept in step with its memories and its diary one by one."""

    def __init__(self, zone: ZoneInfo) -> None:
        super().__init__(zone)
        self._held: dict[int, HeldMemory] = {}
        self._said, self._shown = LineSlots(), LineSlots()
        self.resting = RestingMemories()

    @classmethod
    def of(
        cls,
        memories: Iterable[Memory],
        zone: ZoneInfo,
        lines: Iterable[DiaryLine] = (),
        known: Sequence[Reading] = (),
        pages: Sequence[LinePage] = (),
    ) -> "PassageIndex":
        """Build the index of ``memories`` and of a diary; days are days of ``zone``.

        What is ``known`` of their texts is not read again, nor what ``pages`` hold.
        """
        index = cls(zone)
        index._place(memories, lines)
        known = (*(page.reading for page in pages), *known)
        index.paged = sum(len(page.reading.digests) for page in pages)
        index._read_all(known)
        return index

    def _place(self, memories: Iterable[Memory], lines: Iterable[DiaryLine]) -> None:
        """Give out every slot without reading a text; nothing but reading may follow."""
        self._reads_at_once = False
        for line in sorted(lines, key=line_order):
            self.put_line(line)
        for memory in memories:
            self.put(memory)

    def put(self, memory: Memory) -> None:
        """Index ``memory`` as it is now; costs nothing if its passages are as before.

        Its lines are to be put before it.
        """
        passages, rests_on = tuple(indexed_passages(memory)), rests_on_of(memory)
        everyday = memory.is_active and memory.words.level >= Level.SUMMARY
        held = self._held.get(memory.id)
        # Most changes of a memory are new numbers: its text is as before, and so is the index.
        if held is not None and (passages, rests_on) == (held.passages, held.rests_on):
            if everyday != held.everyday:
                held.everyday = everyday
                self._refresh(held)
            return
        self.drop(memory.id)
        if passages:
            self._held[memory.id] = HeldMemory(passages, everyday, rests_on)
            self._hold(memory, self._held[memory.id])

    def drop(self, memory_id: int) -> None:
        """Take a memory's own passages out; lines of the diary stay."""
        held = self._held.pop(memory_id, None)
        if held is None:
            return
        self._layout = None
        for slot in held.own:
            self._remove(slot)
        for slot in held.lines:
            entry = self.entry(slot)
            entry.owners = tuple(each for each in entry.owners if each != memory_id)
            entry.others = tuple(each for each in entry.others if each != memory_id)
            self._remove_or_file(slot)

    def put_line(self, line: DiaryLine) -> None:
        """Index a line as it is now: what was said, and what was shown, each in its slots."""
        message = line.message
        for slots, text in ((self._said, message.text), (self._shown, message.quoted)):
            found = slots.of(line.key)
            if found and not self._is_as_before(self.entry(found[0]), line, text):
                self._let_go_of_line(slots, line.key)
                found = ()
            for slot in found:
                self.entry(slot).line = line
                self._file(slot)
            if text and not found:
                slots.put(line.key, self._add_line(line, text))

    def _is_as_before(self, entry: IndexedPassage, line: DiaryLine, text: str) -> bool:
        """Whether a passage is still what a line says; only then its slots stay as they are."""
        known, said = entry.line, line_passage(line, text)
        if known is None or entry.passage != said:
            return False
        return (known.number, entry.conversation) == (line.number, line.conversation)

    def _add_line(self, line: DiaryLine, text: str) -> tuple[int, ...]:
        """Make the slots of what a line says or shows."""
        passage, found = line_passage(line, text), list[int]()
        order = 2 * line.number + (text != line.message.text)
        for stretch in stretches(text):
            entry = IndexedPassage(passage, stretch, line.conversation, line=line)
            found.append(self._add(entry, order))
            self._file(found[-1])
        self.resting.line_came(line.key)
        # Who rests on the other part of the line, what was said or shown, rests on this one too.
        parts = (self._said, self._shown) if self._held else ()
        for slot in (slot for part in parts for slot in part.of(line.key)):
            self.resting.unsettled.update(self.entry(slot).owners, self.entry(slot).others)
        return tuple(found)

    def drop_line(self, key: str) -> None:
        """Take a line out; a memory that still holds its words keeps them."""
        for slots in (self._said, self._shown):
            self._let_go_of_line(slots, key)

    def _hold(self, memory: Memory, held: HeldMemory) -> None:
        """Find or make the slots of a memory."""
        own: list[int] = []
        lines: list[int] = []
        for passage in held.passages:
            of_line = self._slots_of_line(passage)
            for slot in of_line:
                entry = self.entry(slot)
                insert_in_order(entry, "owners", memory.id)
                # One object for one text. Where the two differ, the line is what was said.
                entry.passage = passage if passage == entry.passage else entry.passage
            lines += of_line
            own += [] if of_line else self._add_own(passage, memory, everyday=held.everyday)
        for source in memory.source_ids:
            of_source = (*self._said.of(source), *self._shown.of(source))
            if not of_source:
                self.resting.waits_for(source, memory.id)
            for slot in of_source:
                if slot not in lines:
                    insert_in_order(self.entry(slot), "others", memory.id)
                    lines.append(slot)
        held.own, held.lines = tuple(own), tuple(lines)
        for slot in lines:
            self._file(slot)

    def _add_own(self, passage: Passage, memory: Memory, *, everyday: bool) -> list[int]:
        """Make the slots of a passage that is no line of the diary: a gist stays whole."""
        found = []
        for text in stretches(passage.text) if passage.verbatim else (passage.text,):
            entry = IndexedPassage(passage, text, memory.origin.conversation, memory_id=memory.id)
            slot = self._add(entry, BEHIND_LINES + memory.id)
            self.columns.group[slot] = self._scenes.of_memory(memory.id)
            self.columns.everyday[slot] = everyday
            found.append(slot)
        return found

    def _slots_of_line(self, passage: Passage) -> tuple[int, ...]:
        """Return the slots of the line that a verbatim passage is, if it stands in the diary."""
        if not passage.verbatim or not passage.source_ids:
            return ()
        slots = self._said if passage.speaker else self._shown
        found = slots.of(passage.source_ids[0])
        return found if found and self.entry(found[0]).passage.text == passage.text else ()

    def _let_go_of_line(self, slots: LineSlots, key: str) -> None:
        for slot in slots.take(key):
            entry = self.entry(slot)
            entry.line = None
            self.resting.unsettled.update(entry.owners, entry.others)
            self._remove_or_file(slot)

    def _remove_or_file(self, slot: int) -> None:
        entry = self.entry(slot)
        if entry.line is None and not entry.owners:
            for other in entry.others:
                held = self._held[other]
                held.lines = tuple(each for each in held.lines if each != slot)
            self._remove(slot)
        else:
            self._file(slot)

    def _refresh(self, held: HeldMemory) -> None:
        """Note that a memory came into everyday recall or left it."""
        self._layout = None
        for slot in held.own:
            self.columns.everyday[slot] = held.everyday
        for slot in held.lines:
            self._file(slot)

    def _file(self, slot: int) -> None:
        """File a line under its scene, and note whether it is in everyday recall."""
        self._layout = None
        entry, columns = self.entry(slot), self.columns
        scene = entry.owners[0] if entry.owners else entry.line.scene if entry.line else 0
        columns.memory[slot] = entry.owners[0] if entry.owners else 0
        columns.group[slot] = self._scenes.of_memory(scene) if scene > 0 else NOWHERE
        uncut = entry.line is not None and entry.line.scene == 0
        columns.everyday[slot] = uncut or any(self._held[e].everyday for e in entry.owners)


def speaks(name: str, index: PassageIndex) -> bool:
    """Whether anything that somebody of that name said can be found, and not only could be."""
    said = index.columns.speaker[: len(index)] == index.speakers[name]
    return bool((said & index.words.alive).any())


def best_stretches(
    order: Iterable[int], slots: Slots, index: PassageIndex
) -> Iterator[tuple[int, IndexedPassage]]:
    """Yield places and passages, best first: of a long message its best stretch is the hit."""
    taken, slot_of = set[int](), slots.tolist()
    for place in order:
        entry = index.entry(slot_of[place])
        if id(entry.passage) not in taken:
            taken.add(id(entry.passage))
            yield place, entry


def line_order(line: DiaryLine) -> tuple[int, str]:
    """Return what puts lines into the order in which an index and the pages have them."""
    return line.number, line.key


def insert_in_order(entry: IndexedPassage, name: Literal["owners", "others"], memory: int) -> None:
    """Note that a memory holds a line, or rests on it; the oldest stands first."""
    setattr(entry, name, tuple(sorted({*getattr(entry, name), memory})))


def settle(index: PassageIndex, memories: Mapping[int, Memory]) -> None:
    """Put memories anew of which lines came or went: they rest on them, or hold the words."""
    unsettled = index.resting.take_unsettled()
    for memory_id in unsettled:
        index.drop(memory_id)
    for memory_id in unsettled:
        if (memory := memories.get(memory_id)) is not None:
            index.put(memory)


def follow(index: PassageIndex, change: Change) -> None:
    """Put into an index, or drop from it, what one change says."""
    match change:
        case Put(DiaryLine() as line):
            index.put_line(line)
        case Put(Memory() as memory):
            index.put(memory)
        case Drop(table, str(key)) if table is DiaryLine:
            index.drop_line(key)
        case Drop(table, int(memory_id)) if table is Memory:
            index.drop(memory_id)
