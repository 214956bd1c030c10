"""One SQLite file behind one thread: what was written is durable when ``write`` returns."""

import asyncio
import os
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TypeVar

from bot.conversation.ledger.schema import migrate
from memory.errors import StoreDamaged, StoreError, StoreLocked, StoreUnwritable

T = TypeVar("T")

LOCK_SECONDS: Final = 5.0
"""How long a write waits for another process that has the file."""

_PRAGMAS: Final = (
    "PRAGMA journal_mode = WAL",
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
_PRIMARY_CODE: Final = 0xFF
_ADVICE: Final[dict[type[StoreError], str]] = {
    StoreLocked: "another process is using it: stop that one first",
    StoreUnwritable: "free some disk space, or let this user write there, and try again",
    StoreDamaged: "it is damaged: put it aside and start again, the memories are not in it",
}


class Database:
    """Run work on the file, in its own thread, one piece at a time, each all or nothing.

    Work that was handed in is done even if its caller is cancelled meanwhile.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="ledger")

    async def open(self) -> None:
        """Open or make the file, mode 0600, and migrate it; raises :class:`StoreError`."""
        await self._run_in_thread(self._open_connection)

    async def run(self, work: Callable[[sqlite3.Connection], T], *, synced: bool = True) -> T:
        """Return what ``work`` returns, its changes durable; raises :class:`StoreError`.

        If it raises, none of its changes is in the file. What is not ``synced`` outlives the
        process at once, and a power failure only once something later is: for steps that can be
        taken again without harm.
        """

        def transaction() -> T:
            connection = self._open_connection()
            connection.execute(f"PRAGMA synchronous = {'FULL' if synced else 'NORMAL'}")
            with connection:
                connection.execute("BEGIN IMMEDIATE")
                return work(connection)

        return await self._run_in_thread(transaction)

    async def checkpoint(self) -> None:
        """Fold the write-ahead log into the file, so that what was deleted is nowhere."""
        await self._run_in_thread(lambda: _fold_log(self._open_connection()))

    async def close(self) -> None:
        """Fold the log and let the file go; work handed in before is finished first."""
        try:
            await self._run_in_thread(self._disconnect)
        finally:
            self._thread.shutdown(wait=False)

    async def _run_in_thread(self, work: Callable[[], T]) -> T:
        def translated() -> T:
            with _translate_errors(self._path):
                try:
                    return work()
                except sqlite3.OperationalError:
                    # After a failed sync nothing about this descriptor can be trusted: the next
                    # piece of work opens the file anew and sees what the disk really holds.
                    self._drop_connection()
                    raise

        job = asyncio.get_running_loop().run_in_executor(self._thread, translated)
        return await asyncio.shield(job)  # without it a job that still waits would be dropped

    def _open_connection(self) -> sqlite3.Connection:
        if self._connection is None:
            _create_private_file(self._path)
            connection = sqlite3.connect(
                self._path, timeout=LOCK_SECONDS, isolation_level=None, check_same_thread=False
            )
            self._connection = connection
            for pragma in _PRAGMAS:
                connection.execute(pragma)
            migrate(connection)
        return self._connection

    def _disconnect(self) -> None:
        if self._connection is not None:
            _fold_log(self._connection)
            self._drop_connection()

    def _drop_connection(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _create_private_file(path: Path) -> None:
    """Make the file with mode 0600; SQLite gives its log and index the mode of the file."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        path.chmod(0o600)
    except OSError as error:
        raise StoreUnwritable(f"cannot write {path}: {error.strerror}") from error


def _fold_log(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


@contextmanager
def _translate_errors(path: Path) -> Iterator[None]:
    """Turn what SQLite refuses into the project's errors; a mistake of ours stays what it is."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & _PRIMARY_CODE
        kind = _STORE_ERRORS.get(code)
        if kind is None:
            raise
        said = f"{path} cannot be used ({error.sqlite_errorname}): {_ADVICE[kind]}"
        raise kind(said) from error
