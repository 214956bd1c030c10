"""Records, changes and commits as JSON documents, in both directions.

A document holds what JSON can express: the fields of the record under their own names, instants
as ISO 8601 in UTC, enumerations by value (graded ones by name), tuples as arrays. It is written
with every field; on reading, a field with a declared default may be absent, so a record can grow
without a migration. Everything else that does not fit raises :class:`BadDocument`, which names
table and field. Class names are never written, so a class can be renamed.

Documents of older programs are brought up by numbered steps; each takes a document of one schema
to the next and returns one of the next unchanged. Beside them stands
:func:`with_derived_fields`, the lazy migration of source document 000 §3.3. A store writes what it
read at its next fold, so every step is applied once.

A document in which one bit has changed is healed by its checksum: of all texts that differ in one
bit, the one whose checksum holds is what was written. That another of them has the same 8 bytes
happens once in 10^14 times.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from enum import EnumType
from functools import cache, reduce
from hashlib import blake2b
from typing import (
    Any,
    Final,
    TypeAlias,
    TypeVar,
    assert_never,
    get_args,
    get_type_hints,
)
from zlib import crc32

import orjson

from memory.changes import Change, Drop, Put, Record
from memory.model import Active, Archived, Deleted, Merged, Standing
from memory.state import STORED_NAMES, TABLES, MemoryState
from memory.stores.shapes import BadDocument, JsonObject, Shape, ShapeRegistry

LONGEST_HEALED: Final = 32 * 1024
"""The longest text that is searched, in bytes: a second or two; the time grows with the square."""


def flipped_bits(one: bytes, other: bytes) -> int:
    """Return in how many bits two texts of one length differ."""
    return (int.from_bytes(one, "big") ^ int.from_bytes(other, "big")).bit_count()


def healed(data: bytes, proof: bytes, *, before: bytes = b"") -> bytes | None:
    """Return what one flipped bit made of ``data``, None if it was not one bit, or too long.

    ``proof`` is the BLAKE2b digest of ``before`` and what was written.
    """
    if len(data) > LONGEST_HEALED:
        return None
    return next((text for text in _proven(data, proof, before)), None)


def _proven(data: bytes, proof: bytes, before: bytes) -> Iterator[bytes]:
    start = blake2b(before, digest_size=len(proof))
    view = memoryview(data)
    for place, value in enumerate(data):
        rest = view[place + 1 :]
        for bit in range(8):
            tried = start.copy()
            changed = bytes((value ^ 1 << bit,))
            tried.update(changed)
            tried.update(rest)
            if tried.digest() == proof:
                yield data[:place] + changed + data[place + 1 :]
        start.update(view[place : place + 1])


# How a CRC goes on by one byte; and, by the highest byte of what it has become, by which one.
_STEP: Final = tuple(
    reduce(lambda value, _: value >> 1 ^ (0xEDB88320 if value & 1 else 0), range(8), byte)
    for byte in range(256)
)
_BACK: Final = {value >> 24: byte for byte, value in enumerate(_STEP)}
_BIT_OF: Final = {_STEP[1 << bit]: bit for bit in range(8)}


def flipped_by_crc(data: bytes, crc: int) -> bytes | None:
    """Return ``data`` with the one bit turned back that explains its CRC-32, None if none does.

    It takes milliseconds at any length, for a CRC is linear; but a CRC proves little, so that what
    is returned needs another proof.
    """
    difference = crc32(data) ^ crc
    for place in range(len(data) - 1, -1, -1):
        bit = _BIT_OF.get(difference)
        if bit is not None:
            return data[:place] + bytes((data[place] ^ 1 << bit,)) + data[place + 1 :]
        byte = _BACK[difference >> 24]
        difference = (difference ^ _STEP[byte]) << 8 & 0xFFFFFFFF | byte
    return None


def with_crc(payload: bytes) -> bytes:
    """Return a JSON object with a CRC of it as its first field, by which a flipped bit is found.

    >>> with_crc(b'{"schema":1}')
    b'{"crc":"89fbc18c","schema":1}'
    """
    return b'{"crc":"%08x",%b' % (crc32(payload), payload[1:])


MigrationStep: TypeAlias = Callable[[JsonObject], JsonObject]

SCHEMA: Final = 4
"""The schema this program writes. Raise it, with a step, when a field is renamed or removed or
its absence comes to mean something else; a new field with a default needs neither."""


FIRST_WITH_DIARY: Final = 3
"""The first schema with a diary: of an older state it is made by :mod:`memory.diary`."""


def migrate(table: str, document: JsonObject, schema: int) -> JsonObject:
    """Return a document of ``table``, named as on disk, in the present schema.

    A document that is complete in it is returned as it is. Raises :class:`BadDocument` for a
    schema that never was and for a document no step can read.
    """
    if schema != SCHEMA:
        document = _migrated_stepwise(table, document, schema)
    return with_derived_fields(document) if table == "memories" else document


def migrate_change(change: JsonObject, schema: int) -> JsonObject:
    """Return the document of a change with its record in the present schema."""
    table, record = change.get("put"), change.get("record")
    if not isinstance(table, str) or not isinstance(record, dict):
        return change
    return {**change, "record": migrate(table, record, schema)}


def with_derived_fields(memory: JsonObject) -> JsonObject:
    """Return a memory with every field that follows from others; a complete one as it is.

    A field that is present is kept: a count or a stability once stored is never derived again
    (source document 000 §11.2).
    """
    trace = memory.get("trace")
    if not isinstance(trace, dict) or trace.keys() >= _DERIVED_FIELDS:
        return memory
    return {**memory, "trace": {**_derived_fields(trace), **trace}}


def _derived_fields(trace: JsonObject) -> JsonObject:
    """Return what a trace without these fields would hold (source document 000 §3.3)."""
    created = trace.get("created_at")
    updated = trace.get("updated_at", created)
    accesses = _number_or_default(trace, "access_count", 0)
    confidence = _number_or_default(trace, "confidence", 0.7)
    return {
        "updated_at": updated,
        "accessed_at": updated,
        "activated_at": updated,
        "reinforced_at": updated,
        "importance_at": updated,
        "reinforce_count": accesses,
        "stability_hours": 24.0 + min(12.0 * accesses, 120.0) + 48.0 * confidence,
    }


def _number_or_default(trace: JsonObject, name: str, usual: float) -> float:
    """Return a number of a trace, ``usual`` where there is none."""
    # What is neither is left for the codec to refuse, which names the field.
    value = trace.get(name, usual)
    return value if isinstance(value, int | float) else usual


def _migrated_stepwise(table: str, document: JsonObject, schema: int) -> JsonObject:
    if schema not in _MIGRATION_STEPS:
        raise BadDocument(f"is of schema {schema}, which never was", (table,))
    for number in range(schema, SCHEMA):
        step = _MIGRATION_STEPS[number].get(table)
        document = step(document) if step else document
    # An undo entry holds records of other tables; they are as old as it is.
    if table == "undos":
        changes = _typed_field(document, "inverse", list)
        document = {**document, "inverse": [migrate_change(c, schema) for c in changes]}
    return document


def _typed_field(document: JsonObject, name: str, sort: type[Any]) -> Any:
    part = document.get(name)
    if not isinstance(part, sort):
        raise BadDocument(f"is not {sort.__name__} but {type(part).__name__}", (name,))
    return part


def _words_1_to_2(document: JsonObject) -> JsonObject:
    """Rename ``words.detail`` to ``words.level``."""
    words = _typed_field(document, "words", dict)
    if "detail" not in words:
        return document
    renamed = {"level" if name == "detail" else name: value for name, value in words.items()}
    return {**document, "words": renamed}


def _memory_1_to_2(document: JsonObject) -> JsonObject:
    """Add since when and until when a memory was true: a negated one, until it was negated."""
    document = _words_1_to_2(document)
    lineage = _typed_field(document, "lineage", dict)
    if lineage.keys() >= {"valid_from", "valid_until"}:
        return document
    until = _typed_field(document, "trace", dict).get("negated_at")
    return {**document, "lineage": {"valid_from": None, "valid_until": until, **lineage}}


_MIGRATION_STEPS: Final[Mapping[int, Mapping[str, MigrationStep]]] = {
    1: {"memories": _memory_1_to_2, "former": _words_1_to_2},
    # No single document becomes another one: the diary is made of all of them (memory.diary).
    2: {},
    # Nor here: older lines may stand in pages, of which an older program knows nothing.
    3: {},
}
"""The step from each schema to the next, by the table's name on disk; others need none."""

_DERIVED_FIELDS: Final = frozenset(_derived_fields({}))


@cache
def record_shapes() -> str:
    """Return a digest of the schema and of every type a record is made of, with its parts."""
    seen: dict[str, str] = {}
    waiting: list[Any] = list(TABLES)
    while waiting:
        hint = waiting.pop()
        if repr(hint) in seen:
            continue
        parts: list[Any] = list(get_args(hint))
        described = ""
        if is_dataclass(hint):
            hints = get_type_hints(hint)
            parts, described = list(hints.values()), repr(hints)
        elif isinstance(hint, EnumType):
            described = repr(list(hint))
        seen[repr(hint)] = described
        waiting += [part for part in parts if not isinstance(part, str)]
    return blake2b(repr((SCHEMA, sorted(seen.items()))).encode(), digest_size=8).hexdigest()


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
        written = orjson.dumps(document)
    except orjson.JSONEncodeError as error:
        raise BadDocument(f"cannot be written as JSON: {error}") from None
    # As it comes it keeps the kilobytes it was written into: a line takes ten times its length.
    return bytes(memoryview(written)) if len(written) < _OFTEN_KEPT else written


_OFTEN_KEPT: Final = 1 << 16
"""Shorter documents, in bytes, are held by the thousand."""


def state_digest(state: MemoryState) -> str:
    """Return a hash over every table, the same for equal states; ``next_id`` does not count.

    For comparing two states in one run: it goes by the names of the program and is stored nowhere.
    """
    hashed = blake2b(digest_size=16)
    for name in TABLES.values():
        table = getattr(state, name)
        # Added up, so that no table has to be sorted, nor looked into key by key.
        digests = (
            blake2b(to_bytes(encode(record)), digest_size=16).digest() for record in table.values()
        )
        total = sum(int.from_bytes(digest, "big") for digest in digests)
        hashed.update(f"{name} {len(table)} {total}\n".encode())
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
