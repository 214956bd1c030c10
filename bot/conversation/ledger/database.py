"""The ledger's SQLite file: its migrations, and the one thread that uses it.

Every piece of work is one transaction. Errors of SQLite become errors of the project here.
"""

import asyncio
import logging
import os
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final

from bot.conversation.ledger.page_sums import (
    LOG_SUFFIX,
    PageDamage,
    forget_sums,
    heal_file,
    write_sums,
)
from bot.conversation.ledger.tables import EVERYBODY, MIGRATIONS, Connection, T
from bot.texts import Sentence, refusals
from memory.errors import StoreDamaged, StoreError, StoreFromFuture, StoreLocked, StoreUnwritable
from memory.refusals import said_by_system
from memory.stores.disk import REAL_DISK, disk_errors

logger = logging.getLogger(__name__)


def migrate(connection: sqlite3.Connection, steps: tuple[str, ...] = MIGRATIONS) -> None:
    """Bring the ledger to the newest version, each step all or nothing.

    Raises :class:`StoreFromFuture` for a file that a newer program wrote.
    """
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > len(steps):
        raise StoreFromFuture(refusals.LEDGER_NEWER, version=version, known=len(steps))
    for number in range(version, len(steps)):
        with connection:
            connection.executescript(
                f"BEGIN IMMEDIATE; {steps[number]} PRAGMA user_version = {number + 1};"
            )


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

SOON_SECONDS: Final = 0.05
"""How long what is handed in waits for a transaction to be done in."""

LARGEST_LOG: Final = 4 * 1024 * 1024
"""The log is folded into the file once it has so many bytes."""

_PRIMARY_CODE: Final = 0xFF  # the low byte of SQLite's extended error codes

_ADVICE: Final[dict[type[StoreError], Sentence]] = {
    StoreLocked: refusals.IN_USE,
    StoreUnwritable: refusals.MAKE_ROOM,
    StoreDamaged: refusals.REPAIR_IT,
}


class Database:
    """Run transactions on the file, in a thread of its own, one at a time.

    Work that was handed in is done even if its caller is cancelled meanwhile.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._log = path.with_name(path.name + LOG_SUFFIX)
        self._connection: sqlite3.Connection | None = None
        self._syncs: bool | None = None  # how the connection was last told to commit
        self.damage = PageDamage()
        self.ours = EVERYBODY
        self.begun: int | None = 0
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="ledger")
        # So that the disk is waited for while the next transaction runs.
        self._syncing = ThreadPoolExecutor(max_workers=1, thread_name_prefix="ledger sync")
        self._log_in_doubt = False
        self._aside = _Aside(self._do_aside)

    async def open(self) -> None:
        """Open or create the file, with mode 0600, and migrate it; raises :class:`StoreError`."""
        await self._run_in_thread(self._open_connection)

    async def run(self, work: Callable[[Connection], T], *, synced: bool = True) -> T:
        """Run ``work`` as one transaction, as :meth:`LedgerDatabase.run` says."""
        return await self._run_in_thread(partial(self._transaction, work, synced=synced))

    async def run_ahead(self, work: Callable[[Connection], T], seen: Callable[[T], None]) -> T:
        """Run ``work`` as :meth:`LedgerDatabase.run_ahead` says."""
        result = await self.run(work, synced=False)
        seen(result)
        await self._sync_log()
        return result

    def hand_in(self, work: Callable[[Connection], object]) -> None:
        """Run ``work`` as :meth:`LedgerDatabase.hand_in` says."""
        self._aside.add(work)

    def _do_aside(self) -> None:
        alone = partial(self._transaction, lambda _: None, synced=False)
        self._thread.submit(self._translated, alone).add_done_callback(log_if_it_failed)

    def _transaction(self, work: Callable[[Connection], T], *, synced: bool) -> T:
        self.begun = (self.begun or 0) + 1
        connection = self._open_connection()
        if self._syncs is not synced:
            connection.execute(f"PRAGMA synchronous = {'FULL' if synced else 'NORMAL'}")
            self._syncs = synced
        with connection:
            # Take the write lock at once: a transaction that reads first and writes later
            # fails when another process has written in between.
            connection.execute("BEGIN IMMEDIATE")
            taken_along = self._aside.do_in(connection)
            result = work(connection)
        # Not before: what was rolled back is done again.
        self._aside.forget(taken_along)
        # Every turn ends with something that is synced: often enough to look.
        if synced and self._log.stat().st_size > LARGEST_LOG:
            self._fold_log(connection)
        return result

    async def _sync_log(self) -> None:
        """Make durable what was committed; as SQLite does at the end of what is synced."""
        if not self._log_in_doubt:
            loop = asyncio.get_running_loop()
            try:
                await loop.run_in_executor(self._syncing, self._sync)
            except OSError:
                self._log_in_doubt = True
        # The system calls written what it failed to write once: asked again it proves nothing, but
        # the file that all of it is written into anew does.
        if self._log_in_doubt:
            if not await self._run_in_thread(lambda: self._fold_log(self._open_connection())):
                raise StoreUnwritable(refusals.UNWRITABLE, file=self._log, why=refusals.MAKE_ROOM)
            self._log_in_doubt = False

    def _sync(self) -> None:
        # Opened anew: a number that was kept may be another file's by now. SQLite, which loses its
        # locks on whatever file is closed, locks none of the log.
        file = os.open(self._log, os.O_RDWR | os.O_CLOEXEC)
        try:
            REAL_DISK.sync(file)
        finally:
            os.close(file)

    async def checkpoint(self) -> None:
        """Fold the write-ahead log into the file, so that deleted words are in neither."""
        await self._run_in_thread(lambda: self._fold_log(self._open_connection()))

    async def settle_numbers(self) -> None:
        """SQLite does that by itself."""

    async def delete_set_aside(self) -> None:
        """Delete former files that were set aside; raises :class:`StoreUnwritable`."""

        def delete() -> None:
            with disk_errors(self._path):
                for file in self._path.parent.glob(f"{self._path.name}{SET_ASIDE}*"):
                    file.unlink(missing_ok=True)

        await self._run_in_thread(delete)

    async def close(self) -> None:
        """Fold the log and close the file, after all work that was handed in."""
        self._aside.end()
        try:
            await self._run_in_thread(self._disconnect)
        finally:
            self._thread.shutdown(wait=False)
            self._syncing.shutdown(wait=False)

    async def _run_in_thread(self, work: Callable[[], T]) -> T:
        job = asyncio.get_running_loop().run_in_executor(self._thread, self._translated, work)
        return await asyncio.shield(job)  # without it a job that still waits would be dropped

    def _translated(self, work: Callable[[], T]) -> T:
        with _translate_errors(self._path):
            try:
                return work()
            except (sqlite3.OperationalError, UnicodeDecodeError):
                # After a failed sync nothing about this descriptor can be trusted: the next
                # piece of work opens the file anew and sees what the disk really holds.
                self._drop_connection()
                raise

    def _open_connection(self) -> sqlite3.Connection:
        if self._connection is None:
            self._create_file()
            damage = self._heal()
            connection = sqlite3.connect(
                self._path, timeout=LOCK_SECONDS, isolation_level=None, check_same_thread=False
            )
            connection.row_factory = sqlite3.Row
            self._connection, self._syncs = connection, None
            for pragma in _PRAGMAS:
                connection.execute(pragma)
            if damage.changed and not _is_sound(connection):
                self._close_connection()
                raise StoreDamaged(refusals.LEDGER_DAMAGED, file=self._path)
            migrate(connection)
        return self._connection

    def _create_file(self) -> None:
        """Create the file if there is none; what is left of one that somebody deleted goes."""
        if not self._path.exists():
            with disk_errors(self._path):
                if forget_sums(self._path):
                    logger.error("the ledger is gone: another one is begun anew")
        _create_private_file(self._path)

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

    def _fold_log(self, connection: sqlite3.Connection) -> bool:
        """Bring what the log holds into the file, and then the checksums up to date.

        Return False if another process reads: what is not in the file yet stays in the log.
        """
        busy, _, _ = connection.execute("PRAGMA wal_checkpoint(FULL)").fetchone()
        if busy:
            return False
        (page_size,) = connection.execute("PRAGMA page_size").fetchone()
        # While the log still holds every page that changed; see :mod:`page_sums`.
        with disk_errors(self._path):
            write_sums(self._path, page_size)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        return True

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


class _Aside:
    """Work that nobody waits for, until a transaction takes it along.

    To hand work to the thread and to commit it takes several times what the work does itself. If
    no transaction comes soon, ``do_alone`` begins one.
    """

    def __init__(self, do_alone: Callable[[], None]) -> None:
        self._do_alone = do_alone
        self._works: list[Callable[[Connection], object]] = []
        self._soon: asyncio.TimerHandle | None = None

    def add(self, work: Callable[[Connection], object]) -> None:
        """Add work, in the loop."""
        self._works.append(work)
        if self._soon is None:
            self._soon = asyncio.get_running_loop().call_later(SOON_SECONDS, self.end)

    def end(self) -> None:
        """Let what is left be done, in the loop."""
        if self._soon is not None:
            self._soon.cancel()
            self._soon = None
        if self._works:
            self._do_alone()

    def do_in(self, connection: sqlite3.Connection) -> int:
        """Do what there is inside a transaction, in the thread; return how much that was."""
        works = [*self._works]
        for each in works:
            _do_apart(connection, each)
        return len(works)

    def forget(self, number: int) -> None:
        """Forget the first of it, once the transaction is committed."""
        del self._works[:number]


# Whatever a model's server counted may be no number a column holds: the turn goes on without it.
_OWN_FAULTS: Final = (sqlite3.Error, ArithmeticError, ValueError, TypeError)


def _do_apart(connection: sqlite3.Connection, work: Callable[[Connection], object]) -> None:
    """Do work that nobody waits for inside a transaction, which goes on if it fails."""
    connection.execute("SAVEPOINT apart")
    try:
        work(connection)
    except _OWN_FAULTS as error:
        connection.execute("ROLLBACK TO apart")
        _log_failure(error)
    connection.execute("RELEASE apart")


def log_if_it_failed(job: Future[object]) -> None:
    """Say in the log why work failed that nobody waited for: by its kind, no words."""
    error = job.exception()
    if error is not None:
        _log_failure(error)


def _log_failure(error: BaseException) -> None:
    logger.error("the ledger: what nobody waits for failed: %s", type(error).__name__)


def _is_sound(connection: sqlite3.Connection) -> bool:
    """Whether the file is whole: it may just have been changed by another program."""
    (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    return bool(found == "ok")


def _create_private_file(path: Path) -> None:
    """Create the file with mode 0600; SQLite gives its log and index the same mode."""
    try:
        REAL_DISK.make_folder(path.parent)
        REAL_DISK.close(REAL_DISK.open(path))
    except OSError as error:
        raise StoreUnwritable(refusals.UNWRITABLE, file=path, why=said_by_system(error)) from error


@contextmanager
def _translate_errors(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into the project's; an error in our own SQL stays what it is."""
    try:
        yield
    except UnicodeDecodeError as error:
        raise StoreDamaged(refusals.LEDGER_DAMAGED, file=path) from error
    except sqlite3.DatabaseError as error:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & _PRIMARY_CODE
        kind = _STORE_ERRORS.get(code)
        if kind is None:
            raise
        raise kind(
            refusals.LEDGER_UNUSABLE, file=path, what=error.sqlite_errorname, advice=_ADVICE[kind]
        ) from error
