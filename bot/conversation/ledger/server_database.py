"""The ledger on PostgreSQL: the same statements and tables, in its dialect, one thread.

Only whoever set ``DATABASE_URL`` loads this, and with it the library.
"""

import asyncio
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import Any, Final

from psycopg import Cursor, RawCursor

from bot.conversation.ledger.page_sums import PageDamage
from bot.conversation.ledger.tables import MIGRATIONS, Connection, Executed, T, Values
from memory.stores.server import Server, Session

_TYPES: Final = (
    ("INTEGER PRIMARY KEY AUTOINCREMENT", "INTEGER PRIMARY KEY"),
    ("INTEGER PRIMARY KEY", "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"),
    ("INTEGER", "BIGINT"),
    ("REAL", "DOUBLE PRECISION"),
    # Texts sort by their bytes, as in SQLite: instants do, in whatever language the server is.
    ("TEXT", 'TEXT COLLATE "C"'),
    ("STRICT, WITHOUT ROWID", ""),
    ("STRICT", ""),
)

# The statistics of the planner would keep samples of what was said, erased words among them.
_NO_SAMPLES: Final = "".join(
    f"ALTER TABLE {table} ALTER COLUMN {column} SET STATISTICS 0;"
    for table, columns in {
        "messages": ("text", "quoted", "raw", "sender_name"),
        "turns": ("text", "document", "used"),
    }.items()
    for column in columns
)

_WITH_WORDS: Final = ("messages", "turns")


def _in_dialect(step: str) -> str:
    """Return a migration as PostgreSQL reads it."""
    for ours, theirs in _TYPES:
        step = re.sub(rf"\b{re.escape(ours)}\b", theirs, step)
    return step


_LAST_WITHOUT: Final = 5
_STEPS: Final = tuple(
    _in_dialect(step) + _NO_SAMPLES * (number == _LAST_WITHOUT)
    for number, step in enumerate(MIGRATIONS)
)
"""As :data:`MIGRATIONS`; the last one of those first written down ends in what only it needs."""

# Quoted text, or a place: ?, ?2 or :name.
_PLACE: Final = re.compile(r"'[^']*'|\?(?P<number>\d+)?|(?<![:\w]):(?P<name>[a-z_]+)")


@cache
def _numbered(statement: str) -> tuple[str, tuple[str, ...]]:
    """Return a statement with numbered places, and the names of these if they have names."""
    numbers, names = count(1), dict[str, int]()

    def place(found: re.Match[str]) -> str:
        if found[0].startswith("'"):
            return found[0]
        if found["name"]:
            return f"${names.setdefault(found['name'], len(names) + 1)}"
        return f"${found['number'] or next(numbers)}"

    return _PLACE.sub(place, statement), tuple(names)


def _value(value: object) -> object:
    """Return a value as the columns hold it: no truth values, and no text with a NUL in it."""
    match value:
        case bool():
            return int(value)
        case str():
            return value.replace("\0", "\ufffd")
        case _:
            return value


@dataclass(frozen=True, slots=True)
class NamedRow:
    """One row; its columns by name or place, and one after another."""

    values: Sequence[Any]
    places: Mapping[str, int]

    def __getitem__(self, key: str | int) -> Any:
        return self.values[self.places[key] if isinstance(key, str) else key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.values)

    def keys(self) -> Iterable[str]:
        """Return the names of the columns."""
        return self.places.keys()


def _named_rows(cursor: Cursor[Any]) -> Callable[[Sequence[Any]], NamedRow]:
    """Return what makes the rows of a cursor; of two columns of one name the first counts."""
    names = [column.name for column in cursor.description or ()]
    places = {name: place for place, name in reversed([*enumerate(names)])}
    return lambda values: NamedRow(values, places)


class _Statements:
    """The ledger's statements on one connection, inside its transaction."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def execute(self, statement: str, values: Values = (), /) -> Executed:
        text, names = _numbered(statement)
        given = [values[name] for name in names] if isinstance(values, Mapping) else values
        cursor = RawCursor(self._session, row_factory=_named_rows)
        return cursor.execute(text, [*map(_value, given)])

    def executemany(self, statement: str, values: Iterable[Values], /) -> None:
        for each in values:
            self.execute(statement, each)


class ServerDatabase:
    """A :class:`bot.conversation.ledger.tables.LedgerDatabase` on a server.

    It proves with every change that its program still owns what it writes for; see ``folder``.
    """

    def __init__(self, server: Server, folder: str = "") -> None:
        """``folder`` is what a program that talks has taken; others write unless it is lost."""
        self._server = server
        self._folder = folder
        self.damage = PageDamage()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="ledger")

    async def open(self) -> None:
        await self._in_thread(lambda: self._server.migrate("ledger", _STEPS))

    async def run(self, work: Callable[[Connection], T], *, synced: bool = True) -> T:
        def transaction(session: Session) -> T:
            self._server.prove(session, self._folder)
            return work(_Statements(session))

        # Serializable, as in a file with one writer: a shell command may write beside a program.
        return await self._in_thread(
            lambda: self._server.run(transaction, synced=synced, serializable=True)
        )

    async def checkpoint(self) -> None:
        # VACUUM alone leaves deleted words in the pages until something else needs the room.
        statements = [f"VACUUM (FULL) {table}" for table in _WITH_WORDS]
        await self._in_thread(lambda: self._server.run_alone(*statements))

    async def delete_set_aside(self) -> None:
        """Nothing is ever set aside in a database."""

    async def close(self) -> None:
        # Whatever was handed in is done before.
        await self._in_thread(lambda: None)
        self._thread.shutdown(wait=False)

    async def _in_thread(self, work: Callable[[], T]) -> T:
        job = asyncio.get_running_loop().run_in_executor(self._thread, work)
        return await asyncio.shield(job)  # without it a job that still waits would be dropped
