"""The tables of a state on their way between the state and its snapshots.

A snapshot of this program is believed without reading its records: its checksum holds, and what
records look like has not changed since. So each is decoded when somebody first asks for it, and a
start takes a fifth of the time.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from typing import Any, Final, TypeAlias, assert_never

import orjson
from immutables import Map

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
from memory.model import Memory
from memory.state import STORED_NAMES, TABLES, MemoryState, RecordTable
from memory.stores.codec import RECORD_TYPES, SCHEMA, decode, encode, migrate, record_shapes
from memory.stores.shapes import BadDocument
from memory.stores.snapshot import ARCHIVE_FILE, NumberedDocuments, Snapshot

RecordTables: TypeAlias = dict[str, dict[Any, Any]]


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


def keep_or_read(tables: RecordTables, snapshot: Snapshot, file: str) -> None:
    """Put every record of a snapshot into the tables, most as texts if none can fail to be read.

    So it is where records look as they do to this program. Raises :class:`BadDocument`.
    """
    if snapshot.meta.shapes == record_shapes():
        _keep_documents(tables, snapshot)
    else:
        read_into(tables, snapshot, file)


def _keep_documents(tables: RecordTables, snapshot: Snapshot) -> None:
    for name, lines in snapshot.tables():
        kind = RECORD_TYPES[name]
        table, pattern = tables[TABLES[kind]], _LATER.get(kind)
        for line in lines:
            found = pattern.match(line) if pattern is not None else None
            if found is not None:
                # A number, or a text in quotes: either is its own JSON.
                table[orjson.loads(found[1])] = line[found.end() :]
            else:
                record = _decoded(kind, line[line.index(b":") + 1 :])
                table[record.key] = record


def state_of(tables: RecordTables, next_id: int, last_line: int) -> MemoryState:
    """Return the state of these tables; ``last_line`` counts lines that may not be decoded yet."""
    filled: dict[str, Any] = {}
    for kind, name in TABLES.items():
        table = tables[name]
        if any(record.__class__ is bytes for record in table.values()):
            filled[name] = RecordTable(table, partial(_decoded, kind))
        else:
            filled[name] = Map(table)
    lines = tables[TABLES[DiaryLine]].values()
    read = (line.number for line in lines if line.__class__ is not bytes)
    last_line = max(last_line, max(read, default=0))
    return replace(MemoryState(next_id=next_id, last_line=last_line), **filled)


def _decoded(kind: type[Any], text: bytes) -> Any:
    return decode(kind, migrate(STORED_NAMES[kind], orjson.loads(text), SCHEMA))


def add_missing_lines(tables: RecordTables) -> None:
    """Make the lines of all words a state from before there was a diary holds."""
    tables[TABLES[DiaryLine]].update((line.key, line) for line in lines_of_kept_words(tables))


def apply_change(tables: RecordTables, change: Change) -> None:
    """Bring the tables up to date with a change."""
    match change:
        case Put(record):
            tables[TABLES[type(record)]][record.key] = record
        case Drop(kind, key):
            tables[TABLES[kind]].pop(key, None)
        case never:
            assert_never(never)


def snapshot_tables(state: MemoryState, file: str) -> Iterator[tuple[str, NumberedDocuments]]:
    """Yield the tables of one snapshot file, each in the order of its keys."""
    archive = file == ARCHIVE_FILE
    for kind, name in TABLES.items():
        table = getattr(state, name)
        if kind is Memory:
            keys = [key for key, memory in table.items() if memory.is_active is not archive]
        elif (kind is PreviousText) is archive:
            keys = list(table)
        else:
            continue
        yield STORED_NAMES[kind], _numbered_documents(table, keys)


def _numbered_documents(table: Mapping[Key, Any], keys: list[Key]) -> NumberedDocuments:
    for key in sorted(keys):
        # What nobody asked for is written as it was read.
        text = table.document(key) if isinstance(table, RecordTable) else None
        document = orjson.Fragment(text) if text is not None else encode(table[key])
        yield record_number(key), document


def record_number(key: Key) -> int:
    """Return the number of a record: its id, or for a text key 48 bits that stay the same."""
    # Numbering text keys as they come would renumber every line after a new one, and diff would
    # show them all. Reading goes by the record's own key, so two keys meeting in one number, which
    # a million of them do once in five hundred files, would only hide one from TinyDB.
    if isinstance(key, int):
        return key
    return int.from_bytes(blake2b(key.encode(), digest_size=6).digest(), "big")
