"""An export: everything of one agent as one file, and that file read back.

The file is one JSON object: format, schema, tables of documents as the store writes them, and a
checksum over all of it. Sealed parts stay sealed.

An export comes from a stranger until the contrary is shown. Its size is limited before it is
parsed, :mod:`memory.stores.codec` checks every type, and here is what no type expresses: that
numbers and dates are plausible, and that records belong to memories that exist.
"""

import codecs
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from datetime import UTC, datetime
from enum import Enum
from functools import cache
from hashlib import blake2b
from operator import attrgetter, itemgetter
from typing import Any, Final
from zoneinfo import ZoneInfo

import orjson

from memory import refusals
from memory.changes import (
    Corrections,
    DiaryLine,
    Links,
    PendingReview,
    PreviousText,
    Put,
    Receipt,
    Record,
    Task,
    Turn,
    Undo,
    WeightLog,
    Window,
)
from memory.diary import unkept_dropped, with_diary
from memory.errors import Conflict, InputRefused
from memory.laws.registry import Laws
from memory.model import Memory
from memory.reminder import Intention, Reminder
from memory.sentences import FilledSentence
from memory.state import STORED_NAMES, TABLES, MemoryState
from memory.stores.codec import FIRST_WITH_DIARY, RECORD_TYPES, SCHEMA, decode, encode, migrate
from memory.stores.shapes import BadDocument, JsonObject, strictly

# Dates far outside a life overflow date arithmetic in the laws; numbers without measure turn
# into infinities there. Both would fail at some later night instead of at the import.
EARLIEST_DATE: Final = datetime(1900, 1, 1, tzinfo=UTC)

LATEST_DATE: Final = datetime(2200, 1, 1, tzinfo=UTC)

LARGEST_NUMBER: Final = 1e12

LONGEST_STORED_TEXT: Final = 1_000_000

_CHECKSUM_BYTES: Final = 16

# Everything but tab, line feed and carriage return: escape sequences would act in a terminal.
_CONTROL_CHARACTERS: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")

_KEYED_BY_MEMORY: Final[tuple[type[Record], ...]] = (
    Links,
    WeightLog,
    Corrections,
    PreviousText,
    PendingReview,
)

_CHECKED_BY_VALUE: Final[tuple[type[Record], ...]] = (
    Undo,
    Window,
    DiaryLine,
    Turn,
    Task,
    Receipt,
    PreviousText,
    WeightLog,
    Links,
    Reminder,
    Intention,
)
"""The kinds whose texts, numbers and dates are looked at; the others hold nothing but ids."""


def checked_state(state: MemoryState) -> MemoryState:
    """Return the state; raises :class:`BadDocument` naming the table, never the value.

    The table is named as the file names it: whoever reads the complaint has the file before them.
    """
    for kind in _KEYED_BY_MEMORY:
        if any(key not in state.memories for key in getattr(state, TABLES[kind])):
            raise BadDocument("tells of a memory that is not there", (STORED_NAMES[kind],))
    for kind in (Memory, *_CHECKED_BY_VALUE):
        for record in getattr(state, TABLES[kind]).values():
            _check_record(record)
    return state


def _check_record(record: Record) -> None:
    if isinstance(record, Memory) and _CONTROL_CHARACTERS.search(record.words.text):
        raise BadDocument("holds control characters", ("memories", "words"))
    _check_values(record, (STORED_NAMES[type(record)],))


def _check_values(record: object, path: tuple[str, ...]) -> None:
    """Look at every value inside a record, however deep; raises :class:`BadDocument`."""
    # A list of what is left instead of recursion: depth is the file's choice, not ours.
    left: list[Any] = [record]
    while left:
        value = left.pop()
        wrong = _FLAW_CHECKS.get(value.__class__)
        if wrong is None:
            left.extend(_parts_taker(value.__class__)(value))
        elif complaint := wrong(value):
            raise BadDocument(complaint, path)


@cache
def _parts_taker(kind: type[Any]) -> Callable[[Any], tuple[Any, ...]]:
    """Return what takes a value of that kind apart; most have no parts."""
    if kind is tuple:
        return tuple
    # attrgetter returns a tuple from two names on, and a bare value for one.
    names = [each.name for each in fields(kind)] if is_dataclass(kind) else []
    if len(names) > 1:
        return attrgetter(*names)
    return lambda record: tuple(getattr(record, name) for name in names)


def _text_flaw(text: str) -> str:
    return "holds a text that is too long" if len(text) > LONGEST_STORED_TEXT else ""


def _number_flaw(number: float) -> str:
    # NaN compares as false, so it is refused here too.
    measured = -LARGEST_NUMBER <= number <= LARGEST_NUMBER
    return "" if measured else "holds a number without measure"


def _date_flaw(at: datetime) -> str:
    return "" if EARLIEST_DATE <= at <= LATEST_DATE else "holds a date outside 1900 to 2200"


_FLAW_CHECKS: Final[dict[type[Any], Callable[[Any], str]]] = {
    str: _text_flaw,
    int: _number_flaw,
    float: _number_flaw,
    datetime: _date_flaw,
}

_KNOWN_LAWS: Final = Laws()

EXPORT_FORMAT: Final = "xiaoxiang-export"

LARGEST_EXPORT: Final = 256 * 1024 * 1024

# Every JSON reader keeps whole numbers exact up to here.
HIGHEST_ID: Final = 2**53

MOST_RECORDS: Final = 2_000_000

# An object or array of a real export takes over 200 bytes, spaces and all, and holds five values.
# A file of nothing but "[[[[…" stays under the limit in bytes and takes many times its size in
# memory once parsed, so parts and values are counted before the parser sees it.
_BYTES_PER_PART: Final = 50

_VALUES_PER_PART: Final = 5

ARCHIVE_SIGNATURES: Final = (
    b"PK\x03\x04",
    b"\x1f\x8b",
    b"BZh",
    b"\xfd7zXZ",
    b"7z\xbc\xaf",
    b"Rar!",
)

_LONGEST_DETAIL: Final = 120

_LONGEST_NAME: Final = 64


class ExportFlaw(Enum):
    """What is wrong with a file that was given as an export."""

    TOO_LARGE = refusals.EXPORT_TOO_LARGE
    ARCHIVE = refusals.EXPORT_PACKED
    NOT_JSON = refusals.EXPORT_NOT_JSON
    FOREIGN = refusals.EXPORT_FOREIGN
    CHANGED = refusals.EXPORT_CHANGED
    FUTURE = refusals.EXPORT_NEWER
    UNREADABLE = refusals.EXPORT_UNREADABLE
    UNDATED = refusals.EXPORT_UNDATED
    MISCOUNTED = refusals.EXPORT_MISCOUNTED


class InvalidExport(InputRefused):
    """The file is not a valid export; ``flaw`` says why, ``detail`` where, without any value."""

    def __init__(self, flaw: ExportFlaw, detail: str = "") -> None:
        what = flaw.value
        super().__init__(
            FilledSentence(refusals.WITH_DETAIL, what=what, detail=detail) if detail else what
        )
        self.flaw = flaw
        self.detail = detail


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """What an export holds: the id of its agent, when it was made, and the whole state."""

    agent: str
    at: datetime
    state: MemoryState


def export_bytes(state: MemoryState, agent: str, at: datetime, *, proven: bool = False) -> bytes:
    """Return the whole state as one file; raises :class:`BadDocument`.

    With ``proven`` every row is read again as a reader would, and has to hold its record. Rows are
    written one by one: a state as dictionaries takes several times its size, and some of the
    memory that many small objects took stays with the process for good.
    """
    # What was said in a pause stands in the window of the talk alone, and in no file.
    state, _ = state.apply(tuple(unkept_dropped(state)))
    head = {
        "format": EXPORT_FORMAT,
        "schema": SCHEMA,
        "agent": agent,
        "at": at.isoformat(),
        "next_id": state.next_id,
    }
    file = bytearray(orjson.dumps(head, option=orjson.OPT_INDENT_2).removesuffix(b"\n}"))
    file += b',\n  "tables": {'
    # "tables" is the last key, and names are sorted, as `_checksum` reads them.
    checksum = blake2b(digest_size=_CHECKSUM_BYTES)
    checksum.update(orjson.dumps(head, option=orjson.OPT_SORT_KEYS)[:-1] + b',"tables":{')
    filled = {STORED_NAMES[kind]: kind for kind, name in TABLES.items() if getattr(state, name)}
    for name, kind in sorted(filled.items()):
        comma = b"" if name == min(filled) else b","
        file += comma + b'\n    "%s": [' % name.encode()
        checksum.update(comma + b'"%s":[' % name.encode())
        for number, row in enumerate(_documents(state, kind, proven=proven)):
            comma = b"," if number else b""
            indented = orjson.dumps(row, option=orjson.OPT_INDENT_2).replace(b"\n", b"\n      ")
            file += comma + b"\n      " + indented
            checksum.update(comma + orjson.dumps(row, option=orjson.OPT_SORT_KEYS))
        file += b"\n    ]"
        checksum.update(b"]")
    checksum.update(b"}}")
    file += b"\n  }" if filled else b"}"
    file += b',\n  "checksum": "%s"\n}' % checksum.hexdigest().encode()
    return bytes(file)


def _documents(state: MemoryState, kind: type[Record], *, proven: bool) -> Iterator[JsonObject]:
    """Yield the documents of one table in the order of their keys."""
    for _, record in sorted(getattr(state, TABLES[kind]).items(), key=itemgetter(0)):
        document = encode(record)
        if proven:
            read = decode(kind, orjson.loads(orjson.dumps(document)))
            if kind is Memory or kind in _CHECKED_BY_VALUE:
                _check_record(read)
            if encode(read) != document:
                raise BadDocument("does not hold what was written", (STORED_NAMES[kind],))
        yield document


def read_export(
    data: bytes, largest: int = LARGEST_EXPORT, *, laws: Laws | None = _KNOWN_LAWS
) -> Export:
    """Return what a file of at most ``largest`` bytes holds; raises :class:`InvalidExport`.

    All or nothing: nothing in it is used before everything was checked.
    """
    return parse_export(read_json_object(data, largest), laws=laws)


def parse_export(body: dict[str, Any], *, laws: Laws | None = _KNOWN_LAWS) -> Export:
    """Return the export that a parsed file holds; raises :class:`InvalidExport`."""
    if body.get("format") != EXPORT_FORMAT:
        raise InvalidExport(ExportFlaw.FOREIGN)
    if body.pop("checksum", None) != _checksum(body):
        raise InvalidExport(ExportFlaw.CHANGED)
    schema = body.get("schema")
    # By class, not isinstance: True is an int, and would be schema 1.
    if schema.__class__ is not int or not 1 <= schema <= SCHEMA:
        raise InvalidExport(
            ExportFlaw.FUTURE if schema.__class__ is int else ExportFlaw.UNREADABLE, "schema"
        )
    state = _export_state(body, schema, laws)
    agent = body.get("agent")
    if not (isinstance(agent, str) and len(agent) <= _LONGEST_NAME and agent.isprintable()):
        raise InvalidExport(ExportFlaw.UNREADABLE, "agent")
    return Export(agent=agent, at=_export_date(body), state=state)


def read_json_object(data: bytes, largest: int = LARGEST_EXPORT) -> dict[str, Any]:
    """Return the JSON object in a file; raises :class:`InvalidExport`.

    A file that would take much more memory than its own size is refused before it is parsed. The
    mark that some editors put before UTF-8 is no part of it.
    """
    data = data.removeprefix(codecs.BOM_UTF8)
    if len(data) > largest:
        raise InvalidExport(ExportFlaw.TOO_LARGE, f"> {largest // 1024 // 1024} MB")
    if data.startswith(ARCHIVE_SIGNATURES):
        raise InvalidExport(ExportFlaw.ARCHIVE)
    most = largest // _BYTES_PER_PART
    if (
        max(data.count(b"{"), data.count(b"[")) > most
        or data.count(b",") > _VALUES_PER_PART * most
    ):
        raise InvalidExport(ExportFlaw.TOO_LARGE, f"> {most} parts")
    try:
        body = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise InvalidExport(ExportFlaw.NOT_JSON, error.msg.partition(": line")[0]) from None
    if not isinstance(body, dict):
        raise InvalidExport(ExportFlaw.FOREIGN)
    return body


def _export_date(body: Mapping[str, Any]) -> datetime:
    try:
        at = datetime.fromisoformat(str(body.get("at")))
    except ValueError:
        raise InvalidExport(ExportFlaw.UNDATED) from None
    if at.tzinfo is None or not EARLIEST_DATE <= at <= LATEST_DATE:
        raise InvalidExport(ExportFlaw.UNDATED)
    return at


def _export_state(body: Mapping[str, Any], schema: int, laws: Laws | None) -> MemoryState:
    try:
        records = list(_export_records(body.get("tables"), schema))
        state = checked_state(MemoryState().apply(map(Put, records))[0])
        if sum(len(getattr(state, name)) for name in TABLES.values()) != len(records):
            raise BadDocument("holds something twice")
        if schema < FIRST_WITH_DIARY:
            state = with_diary(state)
        # Called for what they raise: a time zone on no map, a law parameter out of range.
        ZoneInfo(state.agent_info.settings.time_zone)
        if laws is not None:
            laws.check(state.agent_info.settings)
    except (Conflict, InputRefused, OSError, OverflowError, ValueError, KeyError) as error:
        raise InvalidExport(ExportFlaw.UNREADABLE, _safe_detail(error)) from None
    # A counter below an id in use would give that id out a second time.
    counted = body.get("next_id")
    if counted.__class__ is not int or not state.next_id <= counted <= HIGHEST_ID:
        raise InvalidExport(ExportFlaw.MISCOUNTED)
    return replace(state, next_id=counted)


def _safe_detail(error: Exception) -> str:
    """Return what is wrong; only complaints of our own are known to repeat no value."""
    return str(error)[:_LONGEST_DETAIL] if isinstance(error, BadDocument) else ""


def _export_records(tables: object, schema: int) -> Iterator[Record]:
    if not isinstance(tables, dict) or not tables.keys() <= RECORD_TYPES.keys():
        raise BadDocument("holds tables this program does not know")
    if sum(len(rows) for rows in tables.values() if isinstance(rows, list)) > MOST_RECORDS:
        raise BadDocument(f"holds more than {MOST_RECORDS} records")
    for name, rows in tables.items():
        if not isinstance(rows, list):
            raise BadDocument(f"{name} is no list")
        for row in rows:
            if not isinstance(row, dict):
                raise BadDocument(f"{name} holds something that is no record")
            with strictly():
                record = decode(RECORD_TYPES[name], migrate(name, row, schema))
            yield record


def _checksum(body: Mapping[str, Any]) -> str:
    """Return a digest that does not depend on spaces or the order of fields."""
    canonical = orjson.dumps(body, option=orjson.OPT_SORT_KEYS)
    # It detects damage, not malice: whoever edits a file can compute it too.
    return blake2b(canonical, digest_size=_CHECKSUM_BYTES).hexdigest()
