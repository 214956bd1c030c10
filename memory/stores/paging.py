"""Which lines of a diary stand in pages, and how that changes: decided at every fold.

All lines up to some number stand in pages and no other does, so that pages and index have one
order. Once so many are young that a page can be made of them, the older ones of these move. Four
neighbours of one size become one page, so that there are few of them however long a life is. A
page of which a line changed, or went, is written anew without it, under another name. Until the
snapshot names them new pages are debris, so a crash leaves the old set or the new one.
"""

from collections import defaultdict
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from heapq import merge
from itertools import chain
from math import log
from operator import itemgetter
from pathlib import Path
from threading import Lock
from typing import Final, TypeAlias

from immutables import Map

from memory.changes import DiaryLine
from memory.recall.reading import Reading
from memory.record_table import RecordTable
from memory.state import MemoryState, Table
from memory.stores.codec import encode, to_bytes
from memory.stores.disk import Disk
from memory.stores.pages import (
    DiaryPage,
    Entry,
    PagedDocuments,
    entry_of,
    write_page,
)
from memory.stores.tables import decode_line

PAGE_LINES: Final = 4096
"""Lines of the smallest page. As many stay young at least: those may still change."""

MERGED: Final = 4
"""Pages that become one."""

_HIGHEST_LEVEL: Final = 1
"""A page has at most 16 Ki lines: it is written anew for one line that changes, in memory."""

Diary: TypeAlias = Table[str, DiaryLine]

Put: TypeAlias = Mapping[str, DiaryLine | None]
"""Lines that were put since the pages were made, None for those that went."""


def documents_of(diary: Diary) -> PagedDocuments | None:
    """Return the pages and the documents beside them a diary rests on, if it does."""
    documents = diary.documents if isinstance(diary, RecordTable) else None
    return documents if isinstance(documents, PagedDocuments) else None


class Pager:
    """Keeps the pages of one folder in step with the diary."""

    def __init__(
        self, folder: Path, disk: Disk, present: PagedDocuments | None, lines: int | None = None
    ) -> None:
        """``present`` is what the diary rests on as it was read; a page has ``lines`` at least."""
        self._folder = folder
        self._disk = disk
        self._lines = lines or PAGE_LINES
        # Each with the diary that was folded into it; a state may rest on an earlier one yet.
        self._steps: tuple[tuple[PagedDocuments | None, Diary, PagedDocuments], ...] = ()
        self._noting = Lock()
        self.present = present

    def turn(self, diary: Diary) -> Generator[None, None, PagedDocuments | None]:
        """Write the pages a diary needs, a little at each step; return what it then rests on.

        None where it never had a page. Raises OSError; the pages there were are there then.
        """
        before = documents_of(diary)
        if before is not None and before is not self.present:
            # Nobody knows whether those pages are still there: every line is written anew.
            before = None
        pages = before.every_page if before is not None else ()
        kept = yield from self._without_changes(pages, _put_since(diary) if pages else {})
        young = len(diary) - sum(map(len, kept))
        if young < 2 * self._lines:
            return before if kept == [*pages] else _resting_on(kept, diary, before)
        last = kept[-1].last if kept else 0
        waiting = yield from _in_order(_young(diary, before, last))
        moving = len(waiting) - self._lines
        while moving >= self._lines:
            level = min(int(log(moving / self._lines, MERGED) + _ROUNDING), _HIGHEST_LEVEL)
            size = self._lines * MERGED**level
            # Each is encoded when it is written: a life fed at once has all of its lines here.
            kept.append((yield from self._written(map(_entry_for, waiting[:size]), ())))
            waiting, moving = waiting[size:], moving - size
        kept = yield from self._merged(kept)
        return _resting_on(kept, diary, before)

    def note(self, diary: Diary, documents: PagedDocuments | None) -> None:
        """Take ``documents``, of which the snapshot tells by now, for what ``diary`` rests on."""
        with self._noting:
            if documents is not None and documents is not self.present:
                self._steps = (*self._steps, (self.present, diary, documents))
            self.present = documents

    @property
    def has_turned(self) -> bool:
        """Whether there are pages that were not handed over yet."""
        return bool(self._steps)

    def rebased(self, state: MemoryState) -> MemoryState:
        """Return the same state, resting on the present pages, not on what they replaced."""
        diary = state.diary
        for before, folded, after in self._steps:
            if documents_of(diary) is before:
                diary = _rebased(diary, folded, after)
        # What is kept of the index for the snapshots it was read from is of the former pages.
        return state if diary is state.diary else replace(state, diary=diary, read_from="")

    def handed_over(self, state: MemoryState) -> MemoryState:
        """Rebase the state of the one who owns it; what that no longer rests on is let go of."""
        with self._noting:
            after = self.rebased(state)
            self._steps = ()
            return after

    def _without_changes(
        self, pages: Sequence[DiaryPage], put: Put
    ) -> Generator[None, None, list[DiaryPage]]:
        """Write every page anew of which lines changed, went or came back."""
        changed: dict[str, dict[str, DiaryLine | None]] = defaultdict(dict)
        present = PagedDocuments(pages, {})
        for key, line in put.items() if pages else ():
            for page in pages:
                if page.may_hold(key):
                    changed[page.name][key] = None
            home = present.page_for(line.number) if line is not None else None
            if home is not None:
                changed[home.name][key] = line
        kept: list[DiaryPage] = []
        for page in pages:
            if page.is_read_here and page.name not in changed:
                kept.append(page)
                continue
            anew = yield from self._with_changes(page, changed[page.name])
            kept += [anew] if anew is not None else []
            page.let_go()
        return kept

    def _with_changes(
        self, page: DiaryPage, lines: Put
    ) -> Generator[None, None, DiaryPage | None]:
        """Write a page anew with what is put in place of its lines; None if nothing is left."""
        documents = zip(page.keys(), page.documents(), strict=True)
        left = (entry_of(document) for key, document in documents if key not in lines)
        put_here = (entry_of(_document_of(line)) for line in lines.values() if line is not None)
        entries = merge(left, sorted(put_here, key=_entry_order), key=_entry_order)
        known = [page.reading] if page.is_read_here else []
        if (first := next(entries, None)) is None:
            return None
        return (yield from self._written(chain([first], entries), known))

    def _merged(self, pages: Sequence[DiaryPage]) -> Generator[None, None, list[DiaryPage]]:
        """Make one page of every four neighbours of one size."""
        found: list[DiaryPage] = []
        for page in pages:
            found.append(page)
            while self._are_of_one_size(found[-MERGED:]):
                four = found[-MERGED:]
                # Their lines follow one another: none is held longer than it is written.
                lines = (entry_of(line) for each in four for line in each.documents())
                known = [each.reading for each in four]
                found[-MERGED:] = [(yield from self._written(lines, known))]
                for each in four:
                    each.let_go()
        return found

    def _are_of_one_size(self, pages: Sequence[DiaryPage]) -> bool:
        levels = {round(log(max(len(page) / self._lines, 1.0), MERGED)) for page in pages}
        return len(pages) == MERGED and len(levels) == 1 and max(levels) < _HIGHEST_LEVEL

    def _written(
        self, entries: Iterable[Entry], known: Sequence[Reading]
    ) -> Generator[None, None, DiaryPage]:
        """Write a page of lines in the order of pages."""
        return (yield from write_page(self._folder, self._disk, entries, known))


_ROUNDING: Final = 1e-9
_LINES_PER_STEP: Final = 64


def young_lines(
    diary: Diary, documents: PagedDocuments
) -> Iterator[tuple[str, DiaryLine | bytes]]:
    """Yield what of a diary stands in no page, by keys, as it is to be written."""
    put = _put_since(diary)
    young: dict[str, DiaryLine | bytes] = {
        key: text for key, text in documents.young.items() if key not in put
    }
    last = documents.last
    young.update(
        {key: line for key, line in put.items() if line is not None and line.number > last}
    )
    yield from sorted(young.items(), key=itemgetter(0))


def _put_since(diary: Diary) -> Put:
    """Return what was put since a diary was read: all of it if it never was."""
    return diary.changes if isinstance(diary, RecordTable) else diary


def _young(diary: Diary, before: PagedDocuments | None, last: int) -> Iterator[Entry | DiaryLine]:
    """Yield all lines in no page, as they are held; those in pages go up to ``last``."""
    put = _put_since(diary)
    for key, document in _beside_pages(diary, before).items():
        if key not in put:
            yield entry_of(document)
    for line in put.values():
        if line is not None and line.number > last:
            yield line


def _in_order(
    lines: Iterable[Entry | DiaryLine],
) -> Generator[None, None, list[Entry | DiaryLine]]:
    """Return lines in the order of pages; some are looked at at each step."""
    found: list[Entry | DiaryLine] = []
    for line in lines:
        found.append(line)
        if len(found) % _LINES_PER_STEP == 0:
            yield
    return sorted(found, key=_entry_order)


def _entry_for(line: Entry | DiaryLine) -> Entry:
    """Return a line as it is written."""
    return line if isinstance(line, Entry) else entry_of(_document_of(line))


def _beside_pages(diary: Diary, before: PagedDocuments | None) -> Mapping[str, bytes]:
    """Return the documents a diary rests on without those in the pages of ``before``."""
    if before is not None:
        return before.young
    return diary.documents if isinstance(diary, RecordTable) else {}


def _resting_on(
    pages: Sequence[DiaryPage], diary: Diary, before: PagedDocuments | None
) -> PagedDocuments:
    """Return the pages, with the documents of the diary that stand in none of them."""
    held = PagedDocuments(pages, {})
    beside = _beside_pages(diary, before)
    if before is not None and before.last == held.last:
        return PagedDocuments(pages, beside)
    put = _put_since(diary)
    left = {k: text for k, text in beside.items() if k not in put and not held.may_hold(k)}
    return PagedDocuments(pages, dict(sorted(left.items())))


def _rebased(diary: Diary, folded: Diary, after: PagedDocuments) -> Diary:
    """Return a diary that came after ``folded``, resting on what that rests on now."""
    now, then = _put_since(diary), _put_since(folded)
    changes = {
        key: line
        for key, line in now.items()
        if then.get(key, after) is not line or not _says_so(after, key, line)
    }
    # A diary that was never read says of what went that it is not there.
    changes |= dict.fromkeys(key for key in then if key not in now and after.may_hold(key))
    return RecordTable(after, decode_line).changed(Map(changes), len(diary))


def _says_so(documents: PagedDocuments, key: str, line: DiaryLine | None) -> bool:
    """Whether documents made of a diary with this line, or without it, are enough to tell so."""
    if line is None:
        return not documents.may_hold(key) and key not in documents.young
    return line.number <= documents.last


def _document_of(line: DiaryLine) -> bytes:
    return to_bytes(encode(line))


def _entry_order(entry: Entry | DiaryLine) -> tuple[int, str]:
    """As :func:`memory.recall.index.line_order`."""
    return entry.number, entry.key
