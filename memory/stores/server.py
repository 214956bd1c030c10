"""PostgreSQL as the stores and the ledger use it: transactions, migrations, leases with a fence.

A program takes part as one *worker*. Its number is locked (``pg_advisory_lock``) by a session of
its own for as long as it lives, so the server itself says which workers are alive: a session ends
with its process or, by TCP keep-alive, some half a minute after its machine. A *lease* is a row
that names the worker which owns a folder, and its fence, a number that grows with every owner. It
is free once its worker is not alive. Every write of an owner reads its row ``FOR SHARE``: a worker
that was thought dead finds another fence there, and cannot write.

Everything here blocks, and may be called from any thread.
"""

import logging
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Lock
from time import monotonic, sleep
from typing import Any, Final, TypeAlias, TypeVar

import psycopg
from psycopg import IsolationLevel, errors
from psycopg.conninfo import make_conninfo
from psycopg_pool import ConnectionPool

from memory.errors import DatabaseAway, StoreError, StoreFromFuture, StoreLocked, StoreUnwritable

logger = logging.getLogger(__name__)

Session: TypeAlias = psycopg.Connection[tuple[Any, ...]]

T = TypeVar("T")

PATIENCE: Final = 20.0
"""Seconds a piece of work waits for a server that went away: a restart, or another takes over."""

_DYING: Final = 0.5
"""Seconds for which a session may outlive its process."""

_STARTING: Final = 4.0
"""Seconds that a program waits for its server when it begins; a wrong address is told then."""

_SWEEPING: Final = 30.0
"""Seconds for which a transaction that began earlier is waited for, when something is erased."""

POOL_SIZE: Final = 8
"""Connections of one worker. Work of an agent, and of the ledger, is one at a time each."""

# A machine that vanished is taken for dead after 10 + 3 · 5 seconds, by either side.
_CONNECTING: Final[dict[str, str | int]] = {
    "application_name": "xiaoxiang",
    "connect_timeout": 10,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
}
_STATEMENT_TIMEOUT: Final = "SET statement_timeout = '30s'"
_SESSION_SETTINGS: Final = (
    "SET tcp_keepalives_idle = 10",
    "SET tcp_keepalives_interval = 5",
    "SET tcp_keepalives_count = 3",
    _STATEMENT_TIMEOUT,
    "SET idle_in_transaction_session_timeout = '60s'",
    "SET client_encoding = 'UTF8'",
)

# The two-number kind of advisory lock; the first tells ours from those of others.
_WORKER_LOCKS: Final = 0x5858
_MIGRATION_LOCK: Final = 0x58580001

_OWN_TABLES: Final = """
CREATE SEQUENCE workers AS integer CYCLE;

CREATE TABLE leases (
  folder TEXT COLLATE "C" PRIMARY KEY,
  worker INTEGER NOT NULL,
  fence  BIGINT NOT NULL
);
"""

# One statement decides: of two workers that want a free lease one finds the other's row.
_TAKE: Final = """
INSERT INTO leases AS l (folder, worker, fence) VALUES (%(folder)s, %(worker)s, 1)
ON CONFLICT (folder) DO UPDATE SET worker = excluded.worker, fence = l.fence + 1
WHERE NOT EXISTS (
  SELECT 1 FROM pg_locks p WHERE p.locktype = 'advisory' AND p.classid = %(locks)s
  AND p.objid = l.worker AND p.granted
  AND p.database = (SELECT oid FROM pg_database WHERE datname = current_database())
)
RETURNING fence
"""

NOT_REACHED: Final = (
    "the database of DATABASE_URL does not answer: is the server running, and may this machine "
    "reach it?"
)

_WRONG_USER: Final = "the database refuses the user or the password of DATABASE_URL"
_NOT_LET_IN: Final = {
    "authentication failed": _WRONG_USER,
    "no password supplied": _WRONG_USER,
    'FATAL:  role "': _WRONG_USER,
    "no pg_hba.conf entry": _WRONG_USER,
    'FATAL:  database "': (
        "there is no such database: create it (createdb), or mend DATABASE_URL"
    ),
    "too many": "the database has no connection left: raise its max_connections",
    "remaining connection slots": (
        "the database has no connection left: raise its max_connections"
    ),
}
"""What a server says that does not let us in, and what to do; its own words are not shown."""


class Server:
    """The connections of one worker to its database, and the leases it holds."""

    def __init__(self, url: str) -> None:
        """Connect, and bring the tables of leases up to date; raises :class:`StoreError`."""
        self._conninfo = _conninfo(url)
        self._fences: dict[str, int] = {}
        self._session_lock = Lock()
        self._session: Session | None = _patiently(self._connect)
        self._pool: ConnectionPool[Session] = ConnectionPool(
            self._conninfo,
            min_size=1,
            max_size=POOL_SIZE,
            timeout=PATIENCE,
            configure=_configure,
            open=True,
        )
        try:
            self.migrate("leases", (_OWN_TABLES,))
            self.worker: Final = self.run(_next_worker)
            self._stay_alive()
        except BaseException:
            self.close()
            raise

    def run(
        self, work: Callable[[Session], T], *, synced: bool = True, serializable: bool = False
    ) -> T:
        """Run ``work`` as one transaction and return its result; raises :class:`StoreError`.

        If it raises, nothing was changed, unless the connection ended in the middle of the commit:
        then nobody knows, as when a program is killed there. Work that a lost connection, or
        another transaction, cut short before is begun anew. Synced changes outlive the server's
        loss of power, others only after the next synced change.
        """
        level = IsolationLevel.SERIALIZABLE if serializable else IsolationLevel.READ_COMMITTED
        until = monotonic() + PATIENCE
        with server_errors():
            while True:
                with self._pool.connection() as connection:
                    connection.isolation_level = level
                    try:
                        if not synced:
                            connection.execute("SET LOCAL synchronous_commit = off")
                        result = work(connection)
                    except (errors.SerializationFailure, errors.DeadlockDetected):
                        connection.rollback()
                        if monotonic() < until:
                            continue
                        raise
                    except psycopg.OperationalError:
                        # Whatever else is broken by now is found by the pool and replaced.
                        if not connection.broken or monotonic() >= until:
                            raise
                        connection.close()
                        logger.warning("the database went away; trying again")
                    else:
                        connection.commit()
                        return result
                self._pool.check()
                # If it is not back yet, the pool goes on waiting for it.
                with suppress(DatabaseAway):
                    self._stay_alive()

    def sweep(self, table: str) -> None:
        """Write a table anew, without anything that was deleted from it.

        What a transaction that began before may still look at stays in it (one of the server's
        own, or a dump), so it is done again until nothing does. Raises :class:`StoreUnwritable` if
        that takes too long.
        """
        until = monotonic() + _SWEEPING
        while self._vacuum(table):
            if monotonic() >= until:
                raise StoreUnwritable(
                    "what was deleted is still in the files of the database: a transaction that "
                    "began before it, or a dump, may look at it. It is tried again"
                )
            sleep(_DYING / 2)

    def _vacuum(self, table: str) -> int:
        """Write a table anew; return how many deleted rows had to stay in it."""
        stayed: list[int] = []

        def note(said: psycopg.errors.Diagnostic) -> None:
            # "3 dead row versions cannot be removed yet", in whatever language the server speaks.
            found = re.search(r"\d+", said.message_detail or "")
            stayed.append(int(found[0]) if found else 0)

        with server_errors(), self._pool.connection() as connection:
            connection.autocommit = True
            connection.add_notice_handler(note)
            try:
                connection.execute("SET statement_timeout = 0")
                connection.execute(f"VACUUM (FULL, VERBOSE) {table}")
            finally:
                connection.remove_notice_handler(note)
                with suppress(psycopg.Error):
                    connection.execute(_STATEMENT_TIMEOUT)
                    connection.autocommit = False
        return sum(stayed)

    def migrate(self, part: str, steps: Sequence[str]) -> None:
        """Bring the tables of a part to their newest version, by one worker at a time.

        Raises :class:`StoreFromFuture` where a newer program was before.
        """

        def work(connection: Session) -> None:
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (_MIGRATION_LOCK,))
            connection.execute(
                'CREATE TABLE IF NOT EXISTS versions (part TEXT COLLATE "C" PRIMARY KEY,'
                " version INTEGER NOT NULL)"
            )
            query = "SELECT version FROM versions WHERE part = %s"
            found = connection.execute(query, (part,)).fetchone()
            version = int(found[0]) if found else 0
            if version > len(steps):
                raise StoreFromFuture(
                    f"the {part} in the database have version {version}, this program knows "
                    f"{len(steps)}: please update it"
                )
            for step in steps[version:]:
                connection.execute(step)
            connection.execute(
                "INSERT INTO versions (part, version) VALUES (%s, %s)"
                " ON CONFLICT (part) DO UPDATE SET version = excluded.version",
                (part, len(steps)),
            )

        self.run(work)

    def take(self, folder: str) -> None:
        """Own a folder; raises :class:`BlockingIOError` while a living worker does."""
        self._stay_alive()
        values = {"folder": folder, "worker": self.worker, "locks": _WORKER_LOCKS}
        until = monotonic() + _DYING
        while True:
            found = self.run(lambda connection: connection.execute(_TAKE, values).fetchone())
            if found is not None:
                break
            if monotonic() >= until:
                raise BlockingIOError
            sleep(_DYING / 10)
        self._fences[folder] = int(found[0])

    def release(self, folder: str) -> None:
        """Give a folder up; nobody was ever worker 0. Its fence stays, to be higher next time."""
        fence = self._fences.pop(folder, 0)
        query = "UPDATE leases SET worker = 0 WHERE folder = %s AND fence = %s"
        self.run(lambda connection: connection.execute(query, (folder, fence)))

    def prove(self, connection: Session, folder: str) -> bool:
        """Keep a lease from being lost before this transaction ends; False for one not held.

        Raises :class:`StoreLocked` if another worker has it by now.
        """
        fence = self._fences.get(folder)
        if fence is None:
            return False
        query = "SELECT 1 FROM leases WHERE folder = %s AND fence = %s FOR SHARE"
        if connection.execute(query, (folder, fence)).fetchone() is None:
            raise StoreLocked(
                "another `xiaoxiang` has taken over from this one, which the database lost sight "
                "of: this one writes nothing any more, restart it"
            )
        return True

    def close(self) -> None:
        """Close every connection; what is still held is free from now on."""
        self._pool.close()
        with self._session_lock:
            session, self._session = self._session, None
            if session is not None:
                session.close()

    def _connect(self) -> Session:
        session = psycopg.connect(self._conninfo, autocommit=True)
        for setting in _SESSION_SETTINGS:
            session.execute(setting)
        return session

    def _stay_alive(self) -> None:
        """Hold the lock of the worker's number, again if its session was lost."""
        with self._session_lock, server_errors():
            session = self._session
            if session is None or not _answers(session):
                session = self._session = self._connect()
            query = "SELECT pg_try_advisory_lock(%s, %s) WHERE NOT EXISTS (SELECT 1 FROM pg_locks"
            own = " WHERE locktype = 'advisory' AND pid = pg_backend_pid() AND classid = %s)"
            session.execute(query + own, (_WORKER_LOCKS, self.worker, _WORKER_LOCKS))


def _patiently(connect: Callable[[], Session]) -> Session:
    """Connect, also to a server that is just being started, as after the machine's start."""
    until = monotonic() + _STARTING
    while True:
        try:
            with server_errors():
                return connect()
        except DatabaseAway as error:
            if str(error) != NOT_REACHED or monotonic() >= until:
                raise
        sleep(_DYING / 2)


def _conninfo(url: str) -> str:
    try:
        return make_conninfo(url, **_CONNECTING)
    except psycopg.ProgrammingError as error:
        # What it says quotes the address, which has a password in it.
        raise StoreError("DATABASE_URL is not postgresql://user:password@host/database") from error


def _configure(connection: Session) -> None:
    for setting in _SESSION_SETTINGS:
        connection.execute(setting)
    connection.commit()


def _answers(session: Session) -> bool:
    try:
        session.execute("SELECT 1")
    except psycopg.OperationalError:
        session.close()
        return False
    return True


def _next_worker(connection: Session) -> int:
    found = connection.execute("SELECT nextval('workers')").fetchone()
    return int(found[0]) if found else 0


@contextmanager
def server_errors() -> Iterator[None]:
    """Turn what the server refuses into the project's errors; an error in our SQL stays one."""
    try:
        yield
    except (errors.DiskFull, errors.ConfigFileError) as error:
        raise StoreUnwritable("the disk of the database is full: free some space") from error
    except errors.InsufficientPrivilege as error:
        raise StoreUnwritable(
            "the user of DATABASE_URL may not do that in the database: let it own one"
        ) from error
    except errors.QueryCanceled as error:
        raise StoreUnwritable("the database took longer than 30 s for one step") from error
    except psycopg.OperationalError as error:
        raise DatabaseAway(_plainly(error)) from error


def _plainly(error: psycopg.OperationalError) -> str:
    """Say what keeps us from the database without what may hold a password."""
    # libpq tells apart only by words why a connection could not be made.
    said = str(error)
    return next((words for mark, words in _NOT_LET_IN.items() if mark in said), NOT_REACHED)
