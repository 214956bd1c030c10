"""How documents of older programs become documents of this one.

Numbered steps take a document from one schema to the next; each takes a document and returns a
document, and returns one of the next schema unchanged. Beside them stands
:func:`with_derived_fields`, the lazy migration of source document 000 §3.3, for memories without
the fields that follow from others. A store writes what it read at its next fold, so every step is
applied once.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from memory.stores.shapes import BadDocument, JsonObject

MigrationStep: TypeAlias = Callable[[JsonObject], JsonObject]

SCHEMA: Final = 3
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
}
"""The step from each schema to the next, by the table's name on disk; others need none."""

_DERIVED_FIELDS: Final = frozenset(_derived_fields({}))
