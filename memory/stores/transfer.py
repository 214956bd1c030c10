"""Everything of one agent as one file, and back: complete, checksummed, readable by machines.

The file is one JSON object: format, schema, tables of documents as the store writes them, and a
checksum over all of it. Sealed parts stay sealed.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import blake2b
from typing import Any, Final
from zoneinfo import ZoneInfo

import orjson

from memory.changes import Put, Record
from memory.errors import Conflict, InputRefused
from memory.laws.parameters import parameters
from memory.state import TABLES, MemoryState
from memory.stores.codec import KINDS, decode, encode
from memory.stores.migrations import SCHEMA, migrate
from memory.stores.shapes import BadDocument

FORMAT: Final = "xiaoxiang-export"
LARGEST: Final = 256 * 1024 * 1024
HIGHEST_ID: Final = 2**53
MOST_RECORDS: Final = 2_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """What an export holds: the agent it was made of, when, and its whole state."""

    agent: str
    at: datetime
    state: MemoryState


def exported(state: MemoryState, agent: str, at: datetime) -> bytes:
    """Return the whole state as one file."""
    tables = {
        name: [encode(table[key]) for key in sorted(table)]
        for name in TABLES.values()
        for table in [getattr(state, name)]
        if table
    }
    body = {
        "format": FORMAT,
        "schema": SCHEMA,
        "agent": agent,
        "at": at.isoformat(),
        "next_id": state.next_id,
        "tables": tables,
    }
    return orjson.dumps({**body, "checksum": _checksum(body)}, option=orjson.OPT_INDENT_2)


def read_export(data: bytes) -> Export:
    """Return what a file holds; raises :class:`InputRefused` saying what is wrong with it.

    Taken whole or not at all: nothing in it is trusted before everything was checked.
    """
    if len(data) > LARGEST:
        raise InputRefused(f"the file is larger than {LARGEST // 1024 // 1024} MB")
    body = _object(data)
    if body.get("format") != FORMAT:
        raise InputRefused("this is not an export of Xiaoxiang")
    if body.pop("checksum", None) != _checksum(body):
        raise InputRefused("the file is damaged or was changed: its checksum does not hold")
    schema = body.get("schema")
    if not isinstance(schema, int) or not 1 <= schema <= SCHEMA:
        raise InputRefused(f"the export has schema {schema!r}; this program knows up to {SCHEMA}")
    state = _state(body, schema)
    try:
        at = datetime.fromisoformat(str(body.get("at")))
    except ValueError as error:
        raise InputRefused("the export does not say when it was made") from error
    return Export(agent=str(body.get("agent", "")), at=at, state=state)


def _object(data: bytes) -> dict[str, Any]:
    try:
        body = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise InputRefused(f"this is not JSON ({error.msg})") from error
    if not isinstance(body, dict):
        raise InputRefused("this is not an export of Xiaoxiang")
    return body


def _state(body: Mapping[str, Any], schema: int) -> MemoryState:
    try:
        state, _ = MemoryState().apply(map(Put, _records(body.get("tables"), schema)))
        ZoneInfo(state.household.settings.time_zone)
        parameters(state.household.settings)
    except (Conflict, InputRefused, OSError, OverflowError, ValueError, KeyError) as error:
        raise InputRefused(f"the export cannot be read: {error}") from error
    counted = body.get("next_id")
    if not isinstance(counted, int) or not state.next_id <= counted <= HIGHEST_ID:
        raise InputRefused("the export counts its memories wrongly")
    return replace(state, next_id=counted)


def _records(tables: object, schema: int) -> Iterator[Record]:
    if not isinstance(tables, dict) or not tables.keys() <= KINDS.keys():
        raise BadDocument("holds tables this program does not know")
    if sum(len(rows) for rows in tables.values() if isinstance(rows, list)) > MOST_RECORDS:
        raise BadDocument(f"holds more than {MOST_RECORDS} records")
    for name, rows in tables.items():
        if not isinstance(rows, list):
            raise BadDocument(f"{name} is no list")
        for row in rows:
            if not isinstance(row, dict):
                raise BadDocument(f"{name} holds something that is no record")
            yield decode(KINDS[name], migrate(name, row, schema))


def _checksum(body: Mapping[str, Any]) -> str:
    """Return a digest that does not depend on spaces or the order of fields."""
    told = orjson.dumps(body, option=orjson.OPT_SORT_KEYS)
    return blake2b(told, digest_size=16).hexdigest()
