"""The tables of a state on their way between the state and its snapshots.

A snapshot of this program is believed without reading its records: its checksum holds, and what
records look like has not changed since. So a start looks at no line of the large tables. They
stand in the order of their keys: one is found by halving, and decoded when somebody first asks
for it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from heapq import merge
from itertools import chain
from operator import itemgetter
from typing import Any, Final, TypeAlias, assert_never

import orjson
from immutables import Map

from memory import refusals
from memory.changes import (
    Change,
    Corrections,
    DiaryLine,
    Drop,
    Key,
    Links,
    PreviousText,
    Put,
    RememberedId,
    Undo,
    WeightLog,
)
from memory.diary import lines_of_kept_words
from memory.errors import StoreDamaged
from memory.model import Memory
from memory.record_table import PairMapping, RecordTable, TableDraft
from memory.state import STORED_NAMES, TABLES, MemoryState
from memory.stores.codec import RECORD_TYPES, SCHEMA, decode, encode, migrate, record_shapes
from memory.stores.pages import DiaryPage, PagedDocuments
from memory.stores.parts import salvaged_documents
from memory.stores.shapes import BadDocument
from memory.stores.snapshot import ARCHIVE_FILE, NumberedDocuments, Snapshot, TableLines

RecordTables: TypeAlias = dict[str, dict[Any, Any] | TableDraft[Any, Any]]
"""The tables while they are read: records, or documents and the records put since."""


def read_into(tables: RecordTables, snapshot: Snapshot, file: str) -> None:
    """Put every record of a snapshot into the tables; raises :class:`BadDocument`."""
    schema = snapshot.meta.schema
    if schema > SCHEMA:
        raise BadDocument(f"is of schema {schema}", (file,))
    for name, document in snapshot.documents():
        kind = RECORD_TYPES.get(name)
        if kind is None:
            raise BadDocument("is no table this program knows", (name,))
        record = decode(kind, migrate(name, document, schema))
        tables[TABLES[kind]][record.key] = record


_BY_NUMBER: Final = re.compile(rb'"(\d+)":')
_OF_LINE: Final = re.compile(rb'"\d+":(?=\{"message":\{"id":("(?:[^"\\]|\\.)*"))')
_OF_ID: Final = re.compile(rb'"\d+":(?=\{"message_id":("(?:[^"\\]|\\.)*"))')

_LATER: Final[Mapping[type[Any], re.Pattern[bytes]]] = {
    Memory: _BY_NUMBER,
    Links: _BY_NUMBER,
    DiaryLine: _OF_LINE,
    RememberedId: _OF_ID,
    WeightLog: _BY_NUMBER,
    Corrections: _BY_NUMBER,
    PreviousText: _BY_NUMBER,
    Undo: _BY_NUMBER,
}
"""The tables whose records are decoded when they are asked for.

Each has the pattern of what stands before a document, which finds the record's key.
"""


class KeptDocuments(PairMapping[Any, bytes]):
    """The documents of one table where they stand in the snapshots, by key and in that order."""

    def __init__(self, kind: type[Any], stretches: Sequence[TableLines]) -> None:
        """Each of ``stretches`` is in the order of its keys, and none holds a key of another."""
        self._kind = kind
        self._pattern = _LATER[kind]
        self._stretches = [lines for lines in stretches if len(lines)]

    def __getitem__(self, key: Any) -> bytes:
        if isinstance(key, int) is (self._pattern is _BY_NUMBER):
            for lines in self._stretches:
                found = self._found(lines, key)
                if found is not None:
                    return found
        raise KeyError(key)

    def _found(self, lines: TableLines, key: Any) -> bytes | None:
        """Return the document of a key in one stretch, by halving."""
        first, end = 0, len(lines)
        # Ids count on with few gaps, so that where one would stand without any is near its place.
        guess = key - self._key(lines, 0)[0] if isinstance(key, int) else end // 2
        while first < end:
            number = min(max(guess, first), end - 1)
            found, text_begins = self._key(lines, number)
            if found == key:
                return lines.data[text_begins : lines.place(number)[1]]
            first, end = (number + 1, end) if found < key else (first, number)
            guess = number + key - found if isinstance(key, int) and number == guess else -1
            guess = guess if first <= guess < end else (first + end) // 2
        return None

    def __len__(self) -> int:
        return sum(map(len, self._stretches))

    def pairs(self) -> Iterator[tuple[Any, bytes]]:
        """Yield every key with its document."""
        each = [map(partial(self._pair, lines), range(len(lines))) for lines in self._stretches]
        return merge(*each, key=itemgetter(0)) if len(each) > 1 else chain(*each)

    def _pair(self, lines: TableLines, number: int) -> tuple[Any, bytes]:
        key, text_begins = self._key(lines, number)
        return key, lines.data[text_begins : lines.place(number)[1]]

    def _key(self, lines: TableLines, number: int) -> tuple[Any, int]:
        """Return the key of a line, and where its document begins."""
        found = self._pattern.match(lines.data, lines.place(number)[0])
        if found is None:
            raise StoreDamaged(refusals.CHANGED_LINE, table=STORED_NAMES[self._kind])
        # A number, or a text in quotes: either is its own JSON.
        return orjson.loads(found[1]), found.end()


def read_tables(
    snapshots: Sequence[tuple[Snapshot, str]], pages: Sequence[DiaryPage] = ()
) -> RecordTables:
    """Return the tables of snapshots, the later before the earlier; each has its file's name.

    Large ones are kept as texts where none of them can fail to be read: where records look as they
    do to this program, and one fold wrote all. Raises :class:`BadDocument`.
    """
    tables: RecordTables = {name: {} for name in TABLES.values()}
    metas = [snapshot.meta for snapshot, _ in snapshots]
    shapes = {*(meta.shapes for meta in metas), *(page.shapes for page in pages)}
    if shapes != {record_shapes()} or len({*metas}) > 1:
        return _read_whole(tables, snapshots, pages)
    stretches: dict[type[Any], list[TableLines]] = {}
    for snapshot, _ in snapshots:
        for name, lines in snapshot.tables():
            stretches.setdefault(RECORD_TYPES[name], []).append(lines)
    for kind, found in stretches.items():
        if kind in _LATER:
            documents: Mapping[Any, bytes] = KeptDocuments(kind, found)
            if kind is DiaryLine and pages:
                documents = PagedDocuments(pages, documents)
            tables[TABLES[kind]] = RecordTable(documents, partial(_decoded, kind)).mutate()
        else:
            texts = (line[line.index(b":") + 1 :] for lines in found for line in lines)
            records = (_decoded(kind, text) for text in texts)
            tables[TABLES[kind]] = {record.key: record for record in records}
    return tables


def _read_whole(
    tables: RecordTables, snapshots: Sequence[tuple[Snapshot, str]], pages: Sequence[DiaryPage]
) -> RecordTables:
    for page in pages:
        read_page_into(tables, page)
    for snapshot, file in snapshots:
        read_into(tables, snapshot, file)
    return tables


def state_of(tables: RecordTables, next_id: int, last_line: int) -> MemoryState:
    """Return the state of these tables; ``last_line`` counts lines that may not be decoded yet."""
    filled: dict[str, Any] = {
        name: Map(table) if isinstance(table, dict) else table.finish()
        for name, table in tables.items()
    }
    diary = filled[TABLES[DiaryLine]]
    lines = diary.changes if isinstance(diary, RecordTable) else diary
    read = (line.number for line in lines.values() if line is not None)
    last_line = max(last_line, max(read, default=0))
    return replace(MemoryState(next_id=next_id, last_line=last_line), **filled)


def read_page_into(tables: RecordTables, page: DiaryPage) -> None:
    """Put every line of a page into the tables, as it is in the present schema."""
    for document in page.documents():
        line = migrate(STORED_NAMES[DiaryLine], orjson.loads(document), page.records)
        record = decode(DiaryLine, line)
        tables[TABLES[DiaryLine]][record.key] = record


def salvage_page_into(tables: RecordTables, data: memoryview) -> None:
    """Put what can be read of a damaged page into the tables."""
    for document in salvaged_documents(data):
        # Whatever is no line any more, by a flip that its checksum happens not to show, is lost.
        with suppress(BadDocument, orjson.JSONDecodeError):
            record = _decoded(DiaryLine, document)
            tables[TABLES[DiaryLine]][record.key] = record


def decode_line(document: bytes) -> DiaryLine:
    """Return the line of a document in the present schema."""
    return decode(DiaryLine, orjson.loads(document))


def decode_document(kind: type[Any], document: bytes) -> Any:
    """Return the record of a document in the present schema."""
    return decode(kind, orjson.loads(document))


def _decoded(kind: type[Any], text: bytes) -> Any:
    return decode(kind, migrate(STORED_NAMES[kind], orjson.loads(text), SCHEMA))


def add_missing_lines(tables: RecordTables) -> None:
    """Make the lines of all words a state from before there was a diary holds."""
    # Every table was read: documents are kept only of a schema that knows the diary.
    read = {name: table for name, table in tables.items() if isinstance(table, dict)}
    read[TABLES[DiaryLine]].update((line.key, line) for line in lines_of_kept_words(read))


def apply_change(tables: RecordTables, change: Change) -> None:
    """Bring the tables up to date with a change."""
    match change:
        case Put(record):
            tables[TABLES[type(record)]][record.key] = record
        case Drop(kind, key):
            table = tables[TABLES[kind]]
            if key in table:
                del table[key]
        case never:
            assert_never(never)


def snapshot_tables(
    state: MemoryState, file: str, lines: Iterable[tuple[str, DiaryLine | bytes]] | None = None
) -> Iterator[tuple[str, NumberedDocuments]]:
    """Yield the tables of one snapshot file, each in the order of its keys.

    Of the diary only ``lines``, if these are given: the others stand in pages.
    """
    archive = file == ARCHIVE_FILE
    for kind, name in TABLES.items():
        table = getattr(state, name)
        if kind is Memory:
            rows = ((k, m) for k, m in _stored(table) if _is_active(m) is not archive)
            yield STORED_NAMES[kind], _numbered_documents(rows)
        elif kind is DiaryLine and lines is not None:
            if not archive:
                yield STORED_NAMES[kind], _numbered_documents(lines)
        elif (kind is PreviousText) is archive:
            yield STORED_NAMES[kind], _numbered_documents(_stored(table))


def _stored(table: Mapping[Key, Any]) -> Iterable[tuple[Key, Any]]:
    """Return the records of a table by their keys, those of a file as the documents they are."""
    return table.stored() if isinstance(table, RecordTable) else sorted(table.items())


# A text in a document has its quotation marks escaped: it cannot hold this.
_ACTIVE: Final = b'"standing":{"is":"active"}'


def _is_active(memory: Memory | bytes) -> bool:
    return _ACTIVE in memory if isinstance(memory, bytes) else memory.is_active


def _numbered_documents(rows: Iterable[tuple[Key, Any]]) -> NumberedDocuments:
    for key, found in rows:
        # What nobody asked for is written as it was read.
        document = orjson.Fragment(found) if isinstance(found, bytes) else encode(found)
        yield record_number(key), document


def record_number(key: Key) -> int:
    """Return the number of a record: its id, or for a text key 48 bits that stay the same."""
    # Numbering text keys as they come would renumber every line after a new one, and diff would
    # show them all. Reading goes by the record's own key, so two keys meeting in one number, which
    # a million of them do once in five hundred files, would only hide one from TinyDB.
    if isinstance(key, int):
        return key
    return int.from_bytes(blake2b(key.encode(), digest_size=6).digest(), "big")
