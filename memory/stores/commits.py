"""What one line of the journal says: the changes of a commit and the high-water mark of ids."""

from collections.abc import Sequence
from dataclasses import dataclass

import orjson

from memory.changes import Change
from memory.stores.codec import decode_change, encode_change, to_bytes
from memory.stores.migrations import SCHEMA, migrate_change
from memory.stores.shapes import BadDocument


@dataclass(frozen=True, slots=True)
class Commit:
    """Changes made together, the next free id after them, and the schema they came in."""

    changes: Sequence[Change]
    next_id: int
    schema: int = SCHEMA


def encode_commit(commit: Commit) -> bytes:
    """Return a commit as one line of JSON; raises :class:`BadDocument`."""
    changes = [encode_change(change) for change in commit.changes]
    return to_bytes({"schema": SCHEMA, "next_id": commit.next_id, "changes": changes})


def decode_commit(payload: bytes) -> Commit:
    """Return the commit an intact line holds; raises :class:`BadDocument`."""
    document = orjson.loads(payload)
    schema = document["schema"]
    if schema > SCHEMA:
        raise BadDocument(f"is of schema {schema}", ("commit",))
    changes = [decode_change(migrate_change(c, schema)) for c in document["changes"]]
    return Commit(changes, document["next_id"], schema)
