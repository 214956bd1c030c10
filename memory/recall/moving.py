"""How an index lets go of lines that have moved into pages: its slots are counted anew.

An index that follows changes holds the lines, and what it read in them. Pages hold both as well,
and are mapped. Once a fold has made pages, the slots of their lines are given numbers in the order
of the pages, so that from then on everything of these lines is read there; the others follow in
the order they had. No text is read for it, and no hit changes.
"""

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby, pairwise
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo

import numpy as np
import numpy.typing as npt

from memory.changes import DiaryLine
from memory.recall.index import IndexedPassage, PassageIndex
from memory.recall.passage_arrays import NOWHERE, Flags, Ints, PassageColumns, TextColumns
from memory.recall.reading import (
    LinePage,
    Numbers,
    Placement,
    Reading,
    TextReader,
    completed,
    text_digests,
    texts_of_line,
)

OF_MEMORY: Final = -1
"""The row of a slot that is no line of the diary."""

SAID: Final = 0
SHOWN: Final = 1
"""The piece of a line that a slot is of."""

COLUMN: Final = "column."
"""What the names of the columns of passages begin with among the numbers."""

_SOURCES: Final = ("row", "holder", "piece", "talk")
"""Of what a slot is: the number of its line, or of its memory, and which part; and which talk."""


@dataclass(frozen=True, slots=True)
class MovedSlots:
    """An index counted anew: where everything stands, and what was read that is in no page.

    ``made`` are the passages outside of pages that somebody looked at, by their new slots.
    """

    placement: Placement
    reading: Reading
    made: Mapping[int, IndexedPassage]


class MovingIndex(PassageIndex):
    """An index whose lines can move into pages.

    Of its first slots, as many as ``_unmade`` has, ``_numbers`` and ``_names`` say what they are
    (:class:`memory.recall.reading.Placement`); ``_unmade`` marks those that nobody looked at yet.
    """

    def __init__(self, zone: ZoneInfo) -> None:
        super().__init__(zone)
        self._numbers: Numbers = {}
        self._names: Mapping[str, Sequence[str]] = {}
        self._unmade: Flags = np.zeros(0, np.bool_)

    def moved(
        self,
        pages: Sequence[LinePage],
        changed: Mapping[str, DiaryLine | None],
        lines: Iterator[DiaryLine] | None = None,
    ) -> MovedSlots | None:
        """Return this index, of which the lines in ``pages`` are read there; it stays as it is.

        Only where it is being made are there ``lines`` that end the pages: these are put first,
        and not read. None where the pages do not hold its lines as they are now: what was
        ``changed`` since they were made is compared. May run in a thread while nothing is noted.
        """
        self._place_all()
        if lines is not None and not self._fill(pages, lines):
            return None
        in_pages = self._slots_in(pages, changed)
        if in_pages is None:
            return None
        others = self.words.alive.copy()
        others[in_pages] = False
        young = np.flatnonzero(others)
        numbers, names = self._counted_anew(np.concatenate([in_pages, young]), len(in_pages))
        made = {
            place: replace(entry, slot=place)
            for place, slot in enumerate(young.tolist(), start=len(in_pages))
            if (entry := self._entries[slot]) is not None
        }
        # By digests texts are known again, which nobody asks of an index that is in use.
        reading = reading_in(self, young, np.zeros(len(young), np.uint64))
        return MovedSlots(Placement("", numbers, names), reading, made)

    def _fill(self, pages: Sequence[LinePage], lines: Iterator[DiaryLine]) -> bool:
        """Put the lines that end these pages, whose texts are read there; whether they fit."""
        end, self._reads_at_once = sum(len(page.reading.digests) for page in pages), False
        while len(self) < end and (line := next(lines, None)) is not None:
            self.put_line(line)
        if len(self) != end:
            return False
        self._read_by(TextReader(self.columns, [page.reading for page in pages]))
        return True

    def _as_kept(self, page: LinePage) -> range:
        """Return the slots of a page that is as it was kept, none for any other."""
        del page
        return range(0)

    def _place_all(self) -> None:
        """Know where everything stands, if that was put off."""

    def _key_of(self, slot: int, row: int) -> str:
        """Return the message of a recorded slot that is of a line, ``row`` the line's number."""
        raise LookupError(f"nothing is recorded of slot {slot}, row {row}")

    def _slots_in(
        self, pages: Sequence[LinePage], changed: Mapping[str, DiaryLine | None]
    ) -> Ints | None:
        """Return the slots of all lines in pages, in the order of these; None if they differ."""
        found: list[int] = []
        for page in pages:
            if same := self._as_kept(page):
                found += same
                continue
            first = len(found)
            for key, places in groupby(page.slot_keys()):
                slots = (*self._said.of(key), *self._shown.of(key))
                if len(slots) != sum(1 for _ in places):
                    return None
                line = changed.get(key)
                if line is not None and not _says(page, len(found) - first, line):
                    return None
                found += slots
        return np.array(found, np.int64)

    def _counted_anew(
        self, order: Ints, paged: int
    ) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Sequence[str]]]:
        """Return numbers and names of a placement whose slot ``i`` is the slot ``order[i]``."""
        own = vars(PassageColumns()).keys() - vars(TextColumns()).keys()
        columns = {name: getattr(self.columns, name)[order] for name in own}
        place = np.full(len(self) + 1, NOWHERE, np.int64)
        place[order] = np.arange(len(order))
        # The last cell is where NOWHERE leads.
        columns |= {name: place[columns[name]] for name in ("before", "after")}
        held = self._held.values()
        lists = {
            "owners": self._resting("owners", order),
            "others": self._resting("others", order),
            "held.own": _moved_to(place, [each.own for each in held]),
            "held.lines": _moved_to(place, [each.lines for each in held]),
        }
        sources, keys, conversations = self._sources_by_slot(place, paged)
        names: dict[str, Sequence[str]] = {
            "speakers": [*self.speakers],
            "conversations": conversations,
            "keys": keys,
        }
        numbers = {
            **{f"{COLUMN}{name}": column for name, column in columns.items()},
            **{name: column[order] for name, column in sources.items()},
            **{f"{name}.starts": each.starts for name, each in lists.items()},
            **{f"{name}.flat": each.flat for name, each in lists.items()},
            "held": np.array([*self._held], np.int64),
            "held.everyday": np.array([each.everyday for each in held], np.bool_),
            "days": np.array([*self._day_numbers], np.int64),
            **self._scenes.numbers(),
        }
        return numbers, names

    def _sources_by_slot(
        self, place: Ints, paged: int
    ) -> tuple[dict[str, Ints], list[str], list[str]]:
        """Return of what each slot is, the keys of lines in no page, and the conversations.

        ``place`` is where a slot will stand; the first ``paged`` places are in pages.
        """
        recorded, found = len(self._unmade), np.zeros((4, len(self)), np.int64)
        row, holder, piece, talk = found
        talks = {name: number for number, name in enumerate(self._names.get("conversations", ()))}
        for name, numbers in zip(_SOURCES, found, strict=True):
            numbers[:recorded] = self._numbers[name] if recorded else ()
        for slot, entry in self._looked_at():
            talk[slot] = talks.setdefault(entry.conversation, len(talks))
            if slot >= recorded and entry.memory_id:
                holder[slot] = entry.memory_id
                held = self._held[entry.memory_id].passages
                piece[slot] = next(at for at, each in enumerate(held) if each is entry.passage)
        keys: dict[str, int] = {}
        row[:] = self._rows_as_kept(row, place, paged, keys)
        for of_line, slots_of in ((SAID, self._said), (SHOWN, self._shown)):
            for key, slots in slots_of.since():
                # Rows tell lines apart; those of lines in no page come last, in the order of keys.
                first = int(place[slots[0]])
                number = first if first < paged else paged + keys.setdefault(key, len(keys))
                for slot in slots:
                    row[slot], piece[slot] = number, of_line
        return dict(zip(_SOURCES, found, strict=True)), [*keys], [*talks]

    def _rows_as_kept(self, row: Ints, place: Ints, paged: int, keys: dict[str, int]) -> Ints:
        """Return the rows of the lines that were kept in pages, of which a first slot is the row.

        Those that stand in no page any more are given ``keys``.
        """
        found = np.full(len(row), OF_MEMORY, np.int64)
        kept = min(self.paged, len(self._unmade))
        found[:kept] = place[row[:kept]]
        for slots_of in (self._said, self._shown):
            found[slots_of.left] = OF_MEMORY
        for slot in np.flatnonzero(found >= paged).tolist():
            key = self._key_of(slot, int(row[slot]))
            found[slot] = paged + keys.setdefault(key, len(keys))
        return found

    def _resting(self, name: str, order: Ints) -> "_Lists":
        """Return the owners of some slots, or the others that rest on them."""
        recorded, size = len(self._unmade), len(self)
        starts = self._numbers[f"{name}.starts"] if recorded else np.zeros(1, np.int64)
        flat = self._numbers[f"{name}.flat"] if recorded else starts[:0]
        # What was looked at since stands behind what was recorded. Nothing of it all is made a
        # list of: of a hundred thousand slots these would take twenty megabytes.
        begin, sizes = np.zeros((2, size), np.int64)
        begin[:recorded], sizes[:recorded] = starts[:-1], np.diff(starts)
        since = array("q")
        for slot, entry in self._looked_at():
            those: tuple[int, ...] = getattr(entry, name)
            begin[slot], sizes[slot] = len(flat) + len(since), len(those)
            since.extend(those)
        every = np.concatenate([flat, np.array(since, np.int64)])
        ends = np.concatenate([[0], np.cumsum(sizes[order])])
        return _Lists(
            ends, every[np.arange(ends[-1]) + np.repeat(begin[order] - ends[:-1], sizes[order])]
        )

    def _looked_at(self) -> Iterator[tuple[int, IndexedPassage]]:
        """Yield the living slots of which the passage was made."""
        return ((slot, entry) for slot, entry in enumerate(self._entries) if entry is not None)


def reading_in(index: PassageIndex, slots: Ints, digests: npt.NDArray[np.uint64]) -> Reading:
    """Return what an index has read in some slots, in that order, under these digests."""
    return Reading(
        digests=digests,
        words=index.words.postings(slots),
        characters=index.characters.postings(slots),
        columns={name: getattr(index.columns, name)[slots] for name in vars(TextColumns())},
    )


def reading_of_texts(index: PassageIndex, texts: Sequence[str], first: int) -> Reading:
    """Return what these texts say and no other; what stands in slots from ``first`` on is known.

    What does not must not be read into the index: its slots are given out one by one.
    """
    wanted = set(texts)
    slots = {text: slot for slot, text in index.texts(first) if text in wanted}
    found = reading_in(index, np.array([*slots.values()], np.int64), text_digests([*slots]))
    places: dict[str, int | None] = {text: place for place, text in enumerate(slots)}
    return completed(TextReader(TextColumns(), [found]), places, texts)


def listed(numbers: Numbers, name: str) -> list[tuple[int, ...]]:
    """Return the lists that such arrays are of."""
    every = numbers[f"{name}.flat"].tolist()
    return [tuple(every[first:end]) for first, end in pairwise(numbers[f"{name}.starts"].tolist())]


class _Lists(NamedTuple):
    """Lists of numbers as two arrays: where each begins, and all of them."""

    starts: Ints
    flat: Ints


def _moved_to(place: Ints, lists: Sequence[Sequence[int]]) -> _Lists:
    """Return lists of slots, each as the place where it will be."""
    starts = np.cumsum([0, *map(len, lists)])
    return _Lists(starts, place[np.fromiter(chain.from_iterable(lists), np.int64)])


def _says(page: LinePage, first: int, line: DiaryLine) -> bool:
    """Whether what a page holds from a slot on is what a line says and shows now."""
    texts = [*texts_of_line(line.message.text, line.message.quoted)]
    return np.array_equal(page.reading.digests[first : first + len(texts)], text_digests(texts))
