"""Records and their documents: every table, both directions, in one place.

A document is what JSON can say: the fields of the record under their own names, instants as ISO
8601 in UTC, enumerations by value (graded ones by name), tuples as arrays. A document holds every
field; on reading, one with a declared default may be absent, so a record can grow without a
migration. Everything else that does not fit raises :class:`BadDocument`, which names table and
field.
"""

from hashlib import blake2b
from typing import Final, TypeVar, assert_never

import orjson

from memory.changes import Change, Drop, Put, Record
from memory.model import Active, Archived, Deleted, Merged, Standing
from memory.state import TABLES, MemoryState
from memory.stores.hints import ShapeRegistry
from memory.stores.shapes import BadDocument, JsonObject, Shape

RecordT = TypeVar("R", bound=Record)

RECORD_TYPES: Final[dict[str, type[Record]]] = {name: kind for kind, name in TABLES.items()}
"""The kind of record that stands in each table."""


def encode(record: Record) -> JsonObject:
    """Return the document of a record; raises :class:`BadDocument` for NaN and naive instants."""
    kind = type(record)
    try:
        document: JsonObject = _RECORD_SHAPES.shape_of(kind).write(record)
    except BadDocument as error:
        raise error.inside(TABLES[kind]) from None
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
            return {"put": TABLES[type(record)], "record": encode(record)}
        case Drop(kind, key):
            return {"drop": TABLES[kind], "key": key}
        case never:
            assert_never(never)


def decode_change(document: object) -> Change:
    """Return the change in a document; raises :class:`BadDocument`."""
    match document:
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
    """Return a hash over every table, the same for equal states; ``next_id`` does not count."""
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
