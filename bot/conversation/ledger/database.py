"""The ledger's SQLite file: its tables, its migrations, and the one thread that uses it.

Every piece of work is one transaction. Errors of SQLite become errors of the project here.
"""

import asyncio
import logging
import os
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from sqlite3 import Connection
from typing import Final, TypeVar

from bot.conversation.ledger.page_sums import (
    LOG_SUFFIX,
    PageDamage,
    forget_sums,
    heal_file,
    write_sums,
)
from memory.errors import StoreDamaged, StoreError, StoreFromFuture, StoreLocked, StoreUnwritable
from memory.stores.disk import disk_errors

logger = logging.getLogger(__name__)

_FIRST_TABLES: Final = """
CREATE TABLE conversations (
  number   INTEGER PRIMARY KEY,
  platform TEXT NOT NULL,
  account  TEXT NOT NULL,
  chat     TEXT NOT NULL,
  thread   TEXT NOT NULL,
  agent_id TEXT,
  UNIQUE (platform, account, chat, thread)
) STRICT;

CREATE TABLE turns (
  number       INTEGER PRIMARY KEY AUTOINCREMENT,
  id           TEXT NOT NULL UNIQUE,
  conversation INTEGER NOT NULL REFERENCES conversations (number),
  at           TEXT NOT NULL,
  private      INTEGER NOT NULL,
  reply_to     TEXT NOT NULL,
  kind         TEXT NOT NULL DEFAULT 'open' CHECK (kind IN ('open', 'reply', 'apology')),
  text         TEXT NOT NULL DEFAULT '',
  answered_at  TEXT NOT NULL DEFAULT '',
  used         TEXT NOT NULL DEFAULT '[]',
  send         TEXT NOT NULL DEFAULT 'none'
               CHECK (send IN ('none', 'planned', 'sending', 'in_doubt', 'sent', 'refused')),
  sends        INTEGER NOT NULL DEFAULT 0,
  committed    INTEGER NOT NULL DEFAULT 0,
  finished     INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX unfinished_turns ON turns (conversation, number) WHERE finished = 0;

CREATE TABLE pieces (
  turn        TEXT NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
  place       INTEGER NOT NULL,
  platform_id TEXT NOT NULL,
  PRIMARY KEY (turn, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE messages (
  number       INTEGER PRIMARY KEY AUTOINCREMENT,
  id           TEXT NOT NULL UNIQUE,
  conversation INTEGER NOT NULL REFERENCES conversations (number),
  turn         TEXT REFERENCES turns (id),
  state        TEXT NOT NULL DEFAULT 'received' CHECK (state IN
               ('received', 'in_turn', 'answered', 'committed', 'done', 'failed')),
  received_at  TEXT NOT NULL,
  not_before   TEXT NOT NULL DEFAULT '',
  attempts     INTEGER NOT NULL DEFAULT 0,
  told         INTEGER NOT NULL DEFAULT 0,
  failure      TEXT NOT NULL DEFAULT '',
  dedupe_key   TEXT NOT NULL,
  sender_id    TEXT NOT NULL,
  sender_name  TEXT NOT NULL,
  is_bot       INTEGER NOT NULL,
  at           TEXT NOT NULL,
  text         TEXT NOT NULL,
  private      INTEGER NOT NULL,
  addressed    INTEGER NOT NULL,
  quoted       TEXT NOT NULL,
  modality     TEXT NOT NULL,
  reply_to     TEXT NOT NULL,
  raw          TEXT NOT NULL
) STRICT;
CREATE INDEX owed_messages ON messages (conversation, number)
  WHERE state IN ('received', 'in_turn');
CREATE INDEX messages_of_turns ON messages (turn) WHERE turn IS NOT NULL;

CREATE TABLE spending (
  day    TEXT PRIMARY KEY,
  tokens INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE factors (
  model  TEXT PRIMARY KEY,
  factor REAL NOT NULL
) STRICT, WITHOUT ROWID;
"""

_LINK_TABLES: Final = """
CREATE TABLE offers (
  digest     TEXT PRIMARY KEY,
  host       INTEGER NOT NULL UNIQUE REFERENCES conversations (number),
  host_name  TEXT NOT NULL,
  guest      INTEGER REFERENCES conversations (number),
  guest_name TEXT NOT NULL DEFAULT '',
  agreed     INTEGER NOT NULL DEFAULT 0,
  expires_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE moves (
  id     TEXT PRIMARY KEY,
  kind   TEXT NOT NULL CHECK (kind IN ('join', 'copy')),
  source TEXT NOT NULL,
  target TEXT NOT NULL
) STRICT, WITHOUT ROWID;
"""

_ADMIN_COLUMN: Final = """
ALTER TABLE messages ADD COLUMN sender_is_admin INTEGER NOT NULL DEFAULT 0;
"""

_DOCUMENT_COLUMN: Final = """
ALTER TABLE turns ADD COLUMN document TEXT NOT NULL DEFAULT '';
"""

_PEOPLE_AND_STOPS: Final = """
ALTER TABLE turns ADD COLUMN stopped_by TEXT NOT NULL DEFAULT '';

CREATE TABLE people (
  platform TEXT NOT NULL,
  person   TEXT NOT NULL,
  name     TEXT NOT NULL DEFAULT '',
  state    TEXT NOT NULL CHECK (state IN ('owner', 'asks', 'in', 'out')),
  at       TEXT NOT NULL,
  told     INTEGER NOT NULL DEFAULT 0,
  verdict_by TEXT NOT NULL DEFAULT '',
  home     INTEGER REFERENCES conversations (number),
  PRIMARY KEY (platform, person)
) STRICT, WITHOUT ROWID;
"""

_WAKES: Final = """
CREATE TABLE wakes (
  agent TEXT NOT NULL,
  item  INTEGER NOT NULL,
  at    TEXT NOT NULL,
  PRIMARY KEY (agent, item)
) STRICT, WITHOUT ROWID;
CREATE INDEX due_wakes ON wakes (at);
"""

MIGRATIONS: Final[tuple[str, ...]] = (
    _FIRST_TABLES,
    _LINK_TABLES,
    _ADMIN_COLUMN,
    _DOCUMENT_COLUMN,
    _PEOPLE_AND_STOPS,
    _WAKES,
)
"""Step n brings a ledger of version n to n + 1; a published step is never changed."""


def migrate(connection: Connection, steps: tuple[str, ...] = MIGRATIONS) -> None:
    """Bring the ledger to the newest version, each step all or nothing.

    Raises :class:`StoreFromFuture` for a file that a newer program wrote.
    """
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > len(steps):
        raise StoreFromFuture(
            f"the ledger has version {version}, this program knows {len(steps)}: please update it"
        )
    for number in range(version, len(steps)):
        with connection:
            connection.executescript(
                f"BEGIN IMMEDIATE; {steps[number]} PRAGMA user_version = {number + 1};"
            )


T = TypeVar("T")

LOCK_SECONDS: Final = 5.0
"""How long a write waits for another process that has the file."""

# secure_delete overwrites what is deleted with zeros: words that have left must not stay in free
# pages. They may still stand in the write-ahead log until ``checkpoint``.
_PRAGMAS: Final = (
    "PRAGMA journal_mode = WAL",
    # The log is folded by us, together with the checksums of the pages.
    "PRAGMA wal_autocheckpoint = 0",
    "PRAGMA synchronous = FULL",
    "PRAGMA secure_delete = ON",
    "PRAGMA foreign_keys = ON",
)

_STORE_ERRORS: Final[dict[int, type[StoreError]]] = {
    sqlite3.SQLITE_BUSY: StoreLocked,
    sqlite3.SQLITE_LOCKED: StoreLocked,
    sqlite3.SQLITE_FULL: StoreUnwritable,
    sqlite3.SQLITE_IOERR: StoreUnwritable,
    sqlite3.SQLITE_READONLY: StoreUnwritable,
    sqlite3.SQLITE_CANTOPEN: StoreUnwritable,
    sqlite3.SQLITE_PERM: StoreUnwritable,
    sqlite3.SQLITE_CORRUPT: StoreDamaged,
    sqlite3.SQLITE_NOTADB: StoreDamaged,
}

UNREADABLE: Final = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What reading a damaged file raises; the second where SQLite's own sentence about it quotes what
was damaged."""

SET_ASIDE: Final = ".damaged-"
"""What follows the name of a ledger that was set aside: this and a number."""

LARGEST_LOG: Final = 4 * 1024 * 1024
"""The log is folded into the file once it has so many bytes."""

_PRIMARY_CODE: Final = 0xFF  # the low byte of SQLite's extended error codes

_ADVICE: Final[dict[type[StoreError], str]] = {
    StoreLocked: "another process is using it: stop that one first",
    StoreUnwritable: "free some disk space, or let this user write there, and try again",
    StoreDamaged: "it is damaged: run `xiaoxiang repair`, which shows first what it would do",
}


class Database:
    """Run transactions on the file, in a thread of its own, one at a time.

    Work that was handed in is done even if its caller is cancelled meanwhile.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = None
        self.damage = PageDamage()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="ledger")

    async def open(self) -> None:
        """Open or create the file, with mode 0600, and migrate it; raises :class:`StoreError`."""
        await self._run_in_thread(self._open_connection)

    async def run(self, work: Callable[[sqlite3.Connection], T], *, synced: bool = True) -> T:
        """Run ``work`` as one transaction and return its result; raises :class:`StoreError`.

        If it raises, none of its changes is in the file. Synced changes outlive a power failure.
        Others outlive the process at once, and a power failure only after the next synced change:
        enough for steps that can be taken again without harm.
        """

        def transaction() -> T:
            connection = self._open_connection()
            connection.execute(f"PRAGMA synchronous = {'FULL' if synced else 'NORMAL'}")
            with connection:
                # Take the write lock at once: a transaction that reads first and writes later
                # fails when another process has written in between.
                connection.execute("BEGIN IMMEDIATE")
                result = work(connection)
            if self._log.stat().st_size > LARGEST_LOG:
                self._fold_log(connection)
            return result

        return await self._run_in_thread(transaction)

    async def checkpoint(self) -> None:
        """Fold the write-ahead log into the file, so that deleted words are in neither."""
        await self._run_in_thread(lambda: self._fold_log(self._open_connection()))

    async def delete_set_aside(self) -> None:
        """Delete former files that were set aside; raises :class:`StoreUnwritable`."""

        def delete() -> None:
            with disk_errors(self._path):
                for file in self._path.parent.glob(f"{self._path.name}{SET_ASIDE}*"):
                    file.unlink(missing_ok=True)

        await self._run_in_thread(delete)

    async def close(self) -> None:
        """Fold the log and close the file, after all work that was handed in."""
        try:
            await self._run_in_thread(self._disconnect)
        finally:
            self._thread.shutdown(wait=False)

    async def _run_in_thread(self, work: Callable[[], T]) -> T:
        def translated() -> T:
            with _translate_errors(self._path):
                try:
                    return work()
                except (sqlite3.OperationalError, UnicodeDecodeError):
                    # After a failed sync nothing about this descriptor can be trusted: the next
                    # piece of work opens the file anew and sees what the disk really holds.
                    self._drop_connection()
                    raise

        job = asyncio.get_running_loop().run_in_executor(self._thread, translated)
        return await asyncio.shield(job)  # without it a job that still waits would be dropped

    @property
    def _log(self) -> Path:
        return self._path.with_name(self._path.name + LOG_SUFFIX)

    def _open_connection(self) -> sqlite3.Connection:
        if self._connection is None:
            _create_private_file(self._path)
            damage = self._heal()
            connection = sqlite3.connect(
                self._path, timeout=LOCK_SECONDS, isolation_level=None, check_same_thread=False
            )
            self._connection = connection
            for pragma in _PRAGMAS:
                connection.execute(pragma)
            if damage.changed and not _is_sound(connection):
                self._close_connection()
                raise StoreDamaged(f"{self._path} cannot be used: {_ADVICE[StoreDamaged]}")
            migrate(connection)
        return self._connection

    def _heal(self) -> PageDamage:
        """Turn back flipped bits, and note what was found, for the log and for ``/status``."""
        with disk_errors(self._path):
            damage = heal_file(self._path)
        if damage.healed:
            logger.warning("the ledger: %d flipped bits were healed", damage.healed)
        if damage.changed:
            logger.error("the ledger: %d pages are not as we wrote them", damage.changed)
        self.damage = PageDamage(
            self.damage.healed + damage.healed, self.damage.changed + damage.changed
        )
        return damage

    def _fold_log(self, connection: sqlite3.Connection) -> None:
        """Bring what the log holds into the file, and then the checksums up to date."""
        busy, _, _ = connection.execute("PRAGMA wal_checkpoint(FULL)").fetchone()
        # Another process reads: what is not in the file yet stays in the log, where it is proven.
        if busy:
            return
        (page_size,) = connection.execute("PRAGMA page_size").fetchone()
        # While the log still holds every page that changed; see :mod:`page_sums`.
        with disk_errors(self._path):
            write_sums(self._path, page_size)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._fold_log(self._connection)
            self._close_connection()

    def _drop_connection(self) -> None:
        """Close the connection after an error; SQLite may fold the log then, without us."""
        if self._connection is not None:
            with suppress(OSError):
                forget_sums(self._path)
            self._close_connection()

    def _close_connection(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()


def _is_sound(connection: sqlite3.Connection) -> bool:
    """Whether the file is whole: it may just have been changed by another program."""
    found: object = connection.execute("PRAGMA integrity_check(1)").fetchone()
    return found == ("ok",)


def _create_private_file(path: Path) -> None:
    """Create the file with mode 0600; SQLite gives its log and index the same mode."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        path.chmod(0o600)
    except OSError as error:
        raise StoreUnwritable(f"cannot write {path}: {error.strerror}") from error


@contextmanager
def _translate_errors(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into the project's; an error in our own SQL stays what it is."""
    try:
        yield
    except UnicodeDecodeError as error:
        raise StoreDamaged(f"{path} cannot be used: {_ADVICE[StoreDamaged]}") from error
    except sqlite3.DatabaseError as error:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & _PRIMARY_CODE
        kind = _STORE_ERRORS.get(code)
        if kind is None:
            raise
        message = f"{path} cannot be used ({error.sqlite_errorname}): {_ADVICE[kind]}"
        raise kind(message) from error
