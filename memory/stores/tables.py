"""Which records stand in which snapshot, and under which number TinyDB knows them."""

from collections.abc import Iterator, Mapping
from hashlib import blake2b
from typing import Any, Final

from memory.changes import Key
from memory.state import TABLES, MemoryState
from memory.stores.codec import encode
from memory.stores.snapshot import NumberedDocuments

MEMORY_FILE: Final = "memory.json"
ARCHIVE_FILE: Final = "archive.json"
"""What is out of recall: memories that are not active, and what compressed ones said before."""

SNAPSHOT_FILES: Final = (MEMORY_FILE, ARCHIVE_FILE)


def snapshot_tables(state: MemoryState, file: str) -> Iterator[tuple[str, NumberedDocuments]]:
    """Yield the tables of one snapshot file, each in the order of its keys."""
    archive = file == ARCHIVE_FILE
    for name in TABLES.values():
        table = getattr(state, name)
        if name == "memories":
            yield (
                name,
                _numbered_documents(
                    table, [k for k, m in table.items() if m.is_active is not archive]
                ),
            )
        elif (name == "former") is archive:
            yield name, _numbered_documents(table, list(table))


def _numbered_documents(table: Mapping[Key, Any], keys: list[Key]) -> NumberedDocuments:
    for key in sorted(keys):
        yield record_number(key), encode(table[key])


def record_number(key: Key) -> int:
    """Return the number of a record: its id, or for a text key 48 bits that stay the same.

    Numbering text keys as they come would renumber every line after a new one, and ``diff``
    would show them all. Reading goes by the record's own key, so two keys meeting in one number,
    which a million of them do once in five hundred files, would only hide one from TinyDB.
    """
    if isinstance(key, int):
        return key
    return int.from_bytes(blake2b(key.encode(), digest_size=6).digest(), "big")
