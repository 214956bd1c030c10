"""Records, changes and commits as JSON documents, in both directions.

A document holds what JSON can express: the fields of the record under their own names, instants
as ISO 8601 in UTC, enumerations by value (graded ones by name), tuples as arrays. It is written
with every field; on reading, a field with a declared default may be absent, so a record can grow
without a migration. Everything else that does not fit raises :class:`BadDocument`, which names
table and field. Class names are never written, so a class can be renamed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final, TypeVar, assert_never

import orjson

from memory.changes import Change, Drop, Put, Record
from memory.model import Active, Archived, Deleted, Merged, Standing
from memory.state import STORED_NAMES, TABLES, MemoryState
from memory.stores.healing import with_crc
from memory.stores.migrations import SCHEMA, migrate_change
from memory.stores.shapes import BadDocument, JsonObject, Shape, ShapeRegistry

RecordT = TypeVar("RecordT", bound=Record)

RECORD_TYPES: Final[dict[str, type[Record]]] = {name: kind for kind, name in STORED_NAMES.items()}
"""The kind of record in each table, by the table's name on disk."""


def encode(record: Record) -> JsonObject:
    """Return the document of a record; raises :class:`BadDocument` for NaN and naive instants."""
    kind = type(record)
    try:
        document: JsonObject = _RECORD_SHAPES.shape_of(kind).write(record)
    except BadDocument as error:
        raise error.inside(STORED_NAMES[kind]) from None
    return document


def decode(kind: type[RecordT], document: object) -> RecordT:
    """Return the record of that kind in a document; raises :class:`BadDocument`."""
    try:
        record: RecordT = _RECORD_SHAPES.shape_of(kind).read(document)
    except BadDocument as error:
        table = next(name for name, other in RECORD_TYPES.items() if other is kind)
        raise error.inside(table) from None
    return record


def encode_change(change: Change) -> JsonObject:
    """Return ``{"put": table, "record": …}`` or ``{"drop": table, "key": …}``."""
    match change:
        case Put(record):
            return {"put": STORED_NAMES[type(record)], "record": encode(record)}
        case Drop(kind, key):
            return {"drop": STORED_NAMES[kind], "key": key}
        case never:
            assert_never(never)


def decode_change(document: object) -> Change:
    """Return the change in a document; raises :class:`BadDocument`."""
    match document:
        # An unknown key is refused rather than dropped: it may change what the rest means.
        case {"put": str(table), "record": record, **rest} if table in RECORD_TYPES and not rest:
            return Put(decode(RECORD_TYPES[table], record))
        case {"drop": str(table), "key": int() | str() as key, **rest} if (
            table in RECORD_TYPES and not rest
        ):
            return Drop(RECORD_TYPES[table], key)
        case _:
            raise BadDocument("is no change this program knows")


def to_bytes(document: object) -> bytes:
    """Return a document as one line of JSON; raises :class:`BadDocument` for a lone surrogate."""
    try:
        return orjson.dumps(document)
    except orjson.JSONEncodeError as error:
        raise BadDocument(f"cannot be written as JSON: {error}") from None


def state_digest(state: MemoryState) -> str:
    """Return a hash over every table, the same for equal states; ``next_id`` does not count.

    For comparing two states in one run: it goes by the names of the program and is stored nowhere.
    """
    hashed = blake2b(digest_size=16)
    for name in TABLES.values():
        table = getattr(state, name)
        hashed.update(f"{name} {len(table)}\n".encode())
        for key in sorted(table):
            hashed.update(to_bytes(encode(table[key])) + b"\n")
    return hashed.hexdigest()


_RECORD_SHAPES: Final = ShapeRegistry(
    special={Change: Shape(encode_change, decode_change)},
    tagged={
        Standing: {"active": Active, "archived": Archived, "deleted": Deleted, "merged": Merged}
    },
)


@dataclass(frozen=True, slots=True)
class Commit:
    """Changes made together, the next free id after them, and the schema they came in."""

    changes: Sequence[Change]
    next_id: int
    schema: int = SCHEMA


def encode_commit(commit: Commit) -> bytes:
    """Return a commit as one line of JSON; raises :class:`BadDocument`."""
    changes = [encode_change(change) for change in commit.changes]
    # Always the present schema: what was read from an older one is migrated in memory already.
    document = {"schema": SCHEMA, "next_id": commit.next_id, "changes": changes}
    return with_crc(to_bytes(document))


def decode_commit(payload: bytes) -> Commit:
    """Return the commit an intact line holds; raises :class:`BadDocument`."""
    document = orjson.loads(payload)
    schema = document["schema"]
    # Said before any change is read: a newer program may have kinds of change unknown here.
    if schema > SCHEMA:
        raise BadDocument(f"is of schema {schema}", ("commit",))
    changes = [decode_change(migrate_change(c, schema)) for c in document["changes"]]
    return Commit(changes, document["next_id"], schema)
