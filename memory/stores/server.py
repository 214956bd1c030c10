"""PostgreSQL as the stores and the ledger use it: transactions, migrations, who is alive, calls.

A program takes part as one *worker*. Its number is locked (``pg_advisory_lock``) by a session of
its own for as long as it lives, so the server itself says which workers are alive: a session ends
with its process or, by TCP keep-alive, some half a minute after its machine. What a worker owns is
in :mod:`memory.stores.leases`.

Everything here blocks, and may be called from any thread.
"""

import json
import logging
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from threading import Lock
from time import monotonic, sleep
from typing import Any, Final, TypeAlias, TypeVar

import psycopg
from psycopg import errors
from psycopg.conninfo import make_conninfo
from psycopg.sql import SQL, Identifier
from psycopg_pool import ConnectionPool, PoolTimeout

from memory import refusals
from memory.errors import DatabaseAway, StoreError, StoreFromFuture, StoreUnwritable
from memory.sentences import Sentence
from memory.stores.leases import BE_ALIVE, DYING, OWN_TABLES, SHARED_TABLES, Leases

logger = logging.getLogger(__name__)

Session: TypeAlias = psycopg.Connection[tuple[Any, ...]]

T = TypeVar("T")

PATIENCE: Final = 20.0
"""Seconds a piece of work waits for a server that went away: a restart, or another takes over."""

RETRYING: Final = 2.0
"""Seconds after which a connection is asked for anew, within that time."""

_STARTING: Final = 4.0
"""Seconds that a program waits for its server when it begins; a wrong address is told then."""

_SWEEPING: Final = 30.0
"""Seconds for which a transaction that began earlier is waited for, when something is erased."""

POOL_SIZE: Final = 8
"""Connections of one worker. Work of an agent, and of the ledger, is one at a time each."""

_NAME: Final = "xiaoxiang"

# A machine that vanished is taken for dead after 10 + 3 · 5 seconds, by either side.
_CONNECTING: Final[dict[str, str | int]] = {
    "application_name": _NAME,
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

_MIGRATION_LOCK: Final = 0x58580001

# A key that was free when it was looked for, and taken when it was to be written, is one of them.
_IN_THE_WAY: Final = (errors.SerializationFailure, errors.DeadlockDetected, errors.UniqueViolation)
"""What the server says when another transaction was in the way: it is begun anew."""

_NOT_NOW: Final = "the database system is"
"""What a server says while it is shutting down or starting up."""


def _open_pool(conninfo: str) -> "ConnectionPool[Session]":
    return ConnectionPool(
        conninfo,
        min_size=1,
        max_size=POOL_SIZE,
        reconnect_timeout=RETRYING,
        configure=_configure,
        open=True,
    )


class Server:
    """The connections of one worker to its database, and its :class:`Leases`."""

    def __init__(self, url: str) -> None:
        """Connect, and bring the tables of leases up to date; raises :class:`StoreError`."""
        self._conninfo, self._session_lock = _conninfo(url), Lock()
        self._session: Session | None = _patiently(self._connect)
        self._pool = _open_pool(self._conninfo)
        try:
            self.migrate("leases", (OWN_TABLES, SHARED_TABLES))
            self.worker: Final = self.run(_next_worker)
            # Whoever looks at the sessions of the server sees whose they are.
            self._conninfo = make_conninfo(
                self._conninfo, application_name=f"{_NAME} {self.worker}"
            )
            self._pool.close()
            self._pool = _open_pool(self._conninfo)
            self.leases: Final = Leases(self)
            _patiently(self.stay_alive)
        except BaseException:
            self.close()
            raise

    def run(
        self, work: Callable[[Session], T], *, synced: bool = True, serializable: bool = False
    ) -> T:
        """Run ``work`` as one transaction and return its result; raises :class:`StoreError`.

        If it raises, nothing was changed, unless the connection ended amid the commit: then nobody
        knows, as when a program is killed there. Work that a lost connection, or another
        transaction, cut short before is begun anew. Synced changes outlive the server's loss of
        power, others only after the next synced change.
        """
        begin = f"BEGIN ISOLATION LEVEL {'SERIALIZABLE' if serializable else 'READ COMMITTED'}"
        if not synced:
            begin += "; SET LOCAL synchronous_commit = off"
        until = monotonic() + PATIENCE
        with server_errors():
            while True:
                with self._lent(until) as connection:
                    ended = False
                    try:
                        connection.execute(begin, prepare=False)  # two statements
                        result = work(connection)
                        ended = True
                        connection.commit()
                    except _IN_THE_WAY:
                        # Sometimes found out at the commit only; nothing was changed then either.
                        connection.rollback()
                        if monotonic() < until:
                            continue
                        raise
                    except psycopg.OperationalError:
                        # Whatever else is broken by now is found by the pool and replaced.
                        if ended or not connection.broken or monotonic() >= until:
                            raise
                        connection.close()
                        logger.warning("the database went away; trying again")
                    else:
                        return result
                self._pool.check()
                # If it is not back yet, the pool goes on waiting for it.
                with suppress(DatabaseAway):
                    self.stay_alive()

    @contextmanager
    def _lent(self, until: float) -> Iterator[Session]:
        """Lend a connection; asked for anew, as the pool tries ever more seldom to make one."""
        connection: Session | None = None
        while connection is None:
            left = until - monotonic()
            try:
                connection = self._pool.getconn(max(min(RETRYING, left), 0.01))
            except PoolTimeout:
                if left <= RETRYING:
                    raise
        try:
            with connection:
                yield connection
        finally:
            self._pool.putconn(connection)

    def sweep(self, table: str) -> None:
        """Write a table anew, without anything that was deleted from it.

        Its name is one the server wrote (``regclass``), qualified and quoted where that is needed.

        What a transaction that began before may still look at (the server's own, a dump) stays
        in it, so it is done again. Raises :class:`StoreUnwritable` if that takes too long.
        """
        until = monotonic() + _SWEEPING
        while self._vacuum(table):
            if monotonic() >= until:
                raise StoreUnwritable(refusals.STILL_IN_DATABASE)
            sleep(DYING / 2)

    def _vacuum(self, table: str) -> int:
        """Write a table anew; return how many deleted rows had to stay in it."""
        stayed: list[int] = []

        def note(said: psycopg.errors.Diagnostic) -> None:
            # "3 dead row versions cannot be removed yet", in whatever language the server speaks.
            found = re.search(r"\d+", said.message_detail or "")
            stayed.append(int(found[0]) if found else 0)

        with server_errors(), self._lent(monotonic() + PATIENCE) as connection:
            connection.add_notice_handler(note)
            try:
                connection.execute("SET statement_timeout = 0")
                connection.execute(f"VACUUM (FULL, VERBOSE) {table}")
            finally:
                connection.remove_notice_handler(note)
                with suppress(psycopg.Error):
                    connection.execute(_STATEMENT_TIMEOUT)
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
                    refusals.NEWER_PART, part=part, version=version, known=len(steps)
                )
            for step in steps[version:]:
                connection.execute(step)
            connection.execute(
                "INSERT INTO versions (part, version) VALUES (%s, %s)"
                " ON CONFLICT (part) DO UPDATE SET version = excluded.version",
                (part, len(steps)),
            )

        self.run(work)

    def tell(self, connection: Session, worker: int, kind: str, about: str = "") -> None:
        """Call a worker, 0 for all of them, once the transaction that runs is committed."""
        call = json.dumps([worker, kind, about])
        connection.execute("SELECT pg_notify('xiaoxiang_' || current_schema(), %s)", (call,))

    def share(self, name: str, content: bytes) -> bytes:
        """Return what all workers have under a name; this from now on if there was nothing yet."""
        put = "INSERT INTO shared_files VALUES (%s, %b) ON CONFLICT (name) DO NOTHING"
        self.run(lambda connection: connection.execute(put, (name, content)))
        return self.shared(name) or content

    def shared(self, name: str) -> bytes | None:
        """Return what all workers have under a name; None if nothing was shared."""
        query, of = "SELECT content FROM shared_files WHERE name = %s", (name,)
        found = self.run(lambda c: c.execute(query, of, binary=True).fetchone())
        return bytes(found[0]) if found else None

    def unshare(self, name: str) -> None:
        """Let workers share nothing under a name any more."""
        self.run(lambda c: c.execute("DELETE FROM shared_files WHERE name = %s", (name,)))

    def listen(self) -> "Ear":
        """Return what hears calls from now on; raises :class:`StoreError`."""
        with server_errors():
            return Ear(self._connect(), self.worker)

    def close(self) -> None:
        """Close every connection; what is still held is free from now on."""
        self._pool.close()
        with self._session_lock:
            session, self._session = self._session, None
            if session is not None:
                session.close()

    def _connect(self) -> Session:
        session = psycopg.connect(self._conninfo)
        _configure(session)
        return session

    def stay_alive(self) -> None:
        """Be alive: hold the lock of this worker's number, again if its session was lost."""
        with self._session_lock, server_errors():
            session = self._session
            if session is None or not _answers(session):
                session = self._session = self._connect()
            session.execute(BE_ALIVE, (self.worker,))


@dataclass(frozen=True, slots=True)
class WorkerCall:
    """What one worker tells others: a ``kind`` of call, and ``about`` what."""

    kind: str
    about: str


class Ear:
    """Hears calls on a session of its own."""

    def __init__(self, session: Session, worker: int) -> None:
        self._session = session
        self._worker = worker
        channel = session.execute("SELECT 'xiaoxiang_' || current_schema()").fetchone()
        session.execute(SQL("LISTEN {}").format(Identifier(*channel or ())))

    def fileno(self) -> int:
        """Return what can be read once somebody calls, or the session is over."""
        return self._session.fileno()

    def heard(self) -> list[WorkerCall]:
        """Return what was heard since, at once; raises :class:`DatabaseAway` if it is over."""
        with server_errors():
            said = [json.loads(each.payload) for each in self._session.notifies(timeout=0)]
        return [WorkerCall(kind, about) for to, kind, about in said if to in {0, self._worker}]

    def close(self) -> None:
        """Hear nothing more."""
        self._session.close()


def _patiently(connect: Callable[[], T]) -> T:
    """Connect, also to a server that is just being started, as after the machine's start.

    One that says so itself is waited for longer than one that says nothing.
    """
    began, until = monotonic(), monotonic() + _STARTING
    while True:
        try:
            with server_errors():
                return connect()
        except DatabaseAway as error:
            if _NOT_NOW in str(error.__cause__):
                until = min(monotonic() + _STARTING, began + PATIENCE)
            if str(error) != refusals.DATABASE_SILENT.en or monotonic() >= until:
                raise
        sleep(DYING / 2)


def _conninfo(url: str) -> str:
    try:
        return make_conninfo(url, **_CONNECTING)
    except psycopg.ProgrammingError as error:
        # What it says quotes the address, which has a password in it.
        raise StoreError(refusals.NO_DATABASE_URL) from error


def _configure(connection: Session) -> None:
    connection.autocommit = True  # we begin transactions, with their settings, in one step
    for setting in _SESSION_SETTINGS:
        connection.execute(setting)


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


_NOT_LET_IN: Final = {
    "authentication failed": refusals.DATABASE_USER,
    "no password supplied": refusals.DATABASE_USER,
    'FATAL:  role "': refusals.DATABASE_USER,
    "no pg_hba.conf entry": refusals.DATABASE_USER,
    'FATAL:  database "': refusals.DATABASE_MISSING,
    "too many": refusals.DATABASE_CROWDED,
    "remaining connection slots": refusals.DATABASE_CROWDED,
}
"""What a server says that does not let us in, and what to do; its own words are not shown."""


@contextmanager
def server_errors() -> Iterator[None]:
    """Turn what the server refuses into the project's errors; an error in our SQL stays one."""
    try:
        yield
    except (errors.DiskFull, errors.ConfigFileError) as error:
        raise StoreUnwritable(refusals.DATABASE_FULL) from error
    except errors.InsufficientPrivilege as error:
        raise StoreUnwritable(refusals.DATABASE_RIGHTS) from error
    except errors.QueryCanceled as error:
        raise StoreUnwritable(refusals.DATABASE_SLOW) from error
    except psycopg.OperationalError as error:
        raise DatabaseAway(_plain_reason(error)) from error


def _plain_reason(error: psycopg.OperationalError) -> Sentence:
    """Say what keeps us from the database without what may hold a password."""
    # libpq tells apart only by words why a connection could not be made.
    reasons = (why for mark, why in _NOT_LET_IN.items() if mark in str(error))
    return next(reasons, refusals.DATABASE_SILENT)
