"""Who owns what in a database: rows that name a worker and a fence, proven by every write.

A *lease* is a row: a folder, the worker that owns it, and its fence, a number that grows with
every owner. It is free once no session of its worker lives, which the server knows. Every write
of an owner reads its row ``FOR SHARE`` in the same transaction: a worker that was thought dead
finds another fence there, and cannot write.

One program may own everything, under the name :data:`WHOLE`; or several workers *join*, and each
owns agents. Neither begins while the other is there. Everything here blocks.
"""

from dataclasses import dataclass
from threading import Lock
from time import monotonic, sleep
from typing import TYPE_CHECKING, Final

from memory import refusals
from memory.errors import StoreLocked

if TYPE_CHECKING:
    from memory.stores.server import Server, Session

WHOLE: Final = ""
"""The folder that stands for everything in the database."""

WORKERS: Final = "workers/"
"""What the leases are called by which workers take part, each followed by its number."""

DYING: Final = 0.5
"""Seconds for which a session may outlive its process."""

HANDING_OVER: Final = 12.0
"""Seconds for which an agent is asked of the worker that has it: a command may take five."""

ASKING: Final = 1.0
"""Seconds from one such call to the next."""

OWN_TABLES: Final = """
CREATE SEQUENCE workers AS integer CYCLE;

CREATE TABLE leases (
  folder TEXT COLLATE "C" PRIMARY KEY,
  worker INTEGER NOT NULL,
  fence  BIGINT NOT NULL
);
"""

# By the table's own number: two installations in one database count their workers apart.
BE_ALIVE: Final = """
SELECT pg_try_advisory_lock('leases'::regclass::oid::bigint::bit(32)::int4, %s)
WHERE NOT EXISTS (
  SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()
  AND classid = 'leases'::regclass::oid
)
"""

_JOINING: Final = 0x58580002

SHARED_TABLES: Final = """
CREATE INDEX leases_of_workers ON leases (worker) WHERE worker != 0;

CREATE VIEW living_workers AS
SELECT p.objid::integer AS worker FROM pg_locks p WHERE p.locktype = 'advisory' AND p.granted
AND p.classid = 'leases'::regclass::oid
AND p.database = (SELECT oid FROM pg_database WHERE datname = current_database());

CREATE TABLE shared_files (name TEXT COLLATE "C" PRIMARY KEY, content BYTEA NOT NULL);
"""
"""What several workers need beside: whose leases are whose, who lives, and their small files."""

# One statement decides: of two workers that want a free lease one finds the other's row.
_TAKE: Final = """
INSERT INTO leases AS l (folder, worker, fence) VALUES (%(folder)s, %(worker)s, 1)
ON CONFLICT (folder) DO UPDATE SET worker = excluded.worker, fence = l.fence + 1
WHERE l.worker NOT IN (SELECT worker FROM living_workers)
RETURNING fence
"""

_PROVEN: Final = """
SELECT 1 FROM leases WHERE folder = %s AND fence = %s AND worker = %s FOR SHARE
"""

_OTHERS: Final = """
SELECT worker FROM leases WHERE folder = %s AND worker != %s
AND worker IN (SELECT worker FROM living_workers) FOR SHARE
"""


_END_DEAD_WORKERS: Final = """
DELETE FROM leases
WHERE folder LIKE 'workers/%' AND worker NOT IN (SELECT worker FROM living_workers)
"""

# Whoever only seems dead is to find another fence wherever it writes.
_END_DEAD_OWNERS: Final = """
UPDATE leases SET worker = 0, fence = fence + 1
WHERE worker != 0 AND folder != '' AND worker NOT IN (SELECT worker FROM living_workers)
"""

_ANY_WORKER: Final = "SELECT 1 FROM leases WHERE folder LIKE 'workers/%' LIMIT 1"


_OURS: Final = "SELECT folder, fence FROM leases WHERE worker = %s"

_FREE: Final = "UPDATE leases SET worker = 0 WHERE folder = %s AND fence = %s AND worker = %s"

_ASKED: Final = """
SELECT l.worker FROM leases l JOIN leases j ON j.folder = %s || l.worker::text WHERE l.folder = %s
"""


@dataclass(frozen=True, slots=True)
class Lease:
    """That a worker owns a folder, as long as its row has this fence."""

    folder: str
    fence: int


class Leases:
    """The leases of one worker."""

    def __init__(self, server: "Server") -> None:
        """Own nothing yet."""
        self._server = server
        # The fences under which stores work in folders, and of what is kept without one.
        self._opened: dict[str, int] = {}
        self._kept: dict[str, int] = {}
        self._lock = Lock()
        self.joined = ""
        """The lease by which this worker is one of several; empty for a program by itself."""

    def join(self) -> None:
        """Be one of several workers; raises StoreLocked while one program owns everything."""
        joined = f"{WORKERS}{self._server.worker}"
        self._server.run(lambda connection: self._join_in(connection, joined))
        self._kept[joined] = 1
        self.joined = joined

    def _join_in(self, connection: "Session", joined: str) -> None:
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_JOINING,))
        if connection.execute(_OTHERS, (WHOLE, self._server.worker)).fetchone() is not None:
            raise StoreLocked(refusals.DATABASE_OWNED)
        connection.execute(
            "INSERT INTO leases (folder, worker, fence) VALUES (%s, %s, 1)"
            " ON CONFLICT (folder) DO UPDATE SET worker = excluded.worker, fence = 1",
            (joined, self._server.worker),
        )

    def leave(self) -> None:
        """Own nothing any more, and tell the other workers so."""
        worker = self._server.worker

        def work(connection: "Session") -> None:
            connection.execute("UPDATE leases SET worker = 0 WHERE worker = %s", (worker,))
            connection.execute("DELETE FROM leases WHERE folder = %s", (self.joined,))
            self._server.tell(connection, 0, "freed")

        self._server.run(work)
        self._kept.clear()

    def take(self, folder: str) -> None:
        """Own a folder for a store; raises BlockingIOError while another store works in it.

        A worker that has the agent is asked for it, and waited for.
        """
        with self._lock:
            if folder in self._opened:
                raise BlockingIOError
            if folder in self._kept:
                self._opened[folder] = self._kept[folder]
                return
        self._server.stay_alive()
        fence = self._take_patiently(folder)
        with self._lock:
            self._opened[folder] = fence

    def release(self, folder: str) -> None:
        """Let no store work in a folder any more; it is free unless it is kept."""
        with self._lock:
            fence = self._opened.pop(folder, None)
            needed = self._kept.get(folder)
        self._free(folder, fence, needed)

    def keep(self, folder: str) -> Lease | None:
        """Own a folder, with or without a store; None if another worker has it. Never waits."""
        with self._lock:
            fence = self._kept.get(folder, self._opened.get(folder))
            if fence is not None:
                self._kept[folder] = fence
                return Lease(folder, fence)
        found = self._server.run(lambda connection: self._take_in(connection, folder))
        return None if found is None else self.note_kept(folder, found)

    def keep_as(self, folder: str, fence: int) -> Lease | None:
        """Own a folder whose row says that it is ours, taken perhaps by what was cut short.

        None while a store works there that lost it under an older fence.
        """
        with self._lock:
            if self._opened.get(folder, fence) != fence:
                return None
            self._kept[folder] = fence
            return Lease(folder, fence)

    def note_kept(self, folder: str, fence: int) -> Lease:
        """Note a lease that another statement took."""
        with self._lock:
            self._kept[folder] = fence
        return Lease(folder, fence)

    def let_go(self, folder: str) -> None:
        """Keep a folder no more; it is free once no store works in it."""
        with self._lock:
            fence = self._kept.pop(folder, None)
            needed = self._opened.get(folder)
        self._free(folder, fence, needed)

    def kept(self, prefix: str) -> frozenset[str]:
        """Return the folders that are kept, as far as they begin so."""
        with self._lock:
            return frozenset(folder for folder in self._kept if folder.startswith(prefix))

    def lost(self) -> frozenset[str]:
        """Ask the server which of our leases another worker took; they are kept no more.

        A store that works in one of them stays without the right to write until it is closed.
        """
        self._server.stay_alive()
        with self._lock:
            before = self._opened | self._kept
        worker = (self._server.worker,)
        rows = self._server.run(lambda connection: connection.execute(_OURS, worker).fetchall())
        found: dict[str, int] = dict(rows)
        gone = {folder for folder, fence in before.items() if found.get(folder) != fence}
        if self.joined in gone:
            # A program that wanted everything was here meanwhile, and is not any more.
            self._server.run(lambda connection: self._join_in(connection, self.joined))
            gone.discard(self.joined)
        with self._lock:
            # Unless it was given up, or taken anew, while we asked.
            lost = {each for each in gone if (self._opened | self._kept).get(each) == before[each]}
            for folder in lost:
                self._kept.pop(folder, None)
        return frozenset(lost)

    def prove(self, connection: "Session", folder: str) -> bool:
        """Keep a lease from being lost before this transaction ends; False for one not held.

        Raises :class:`StoreLocked` if another worker has it by now.
        """
        fence = self._opened.get(folder, self._kept.get(folder))
        if fence is None:
            return False
        self.prove_lease(connection, Lease(folder, fence))
        return True

    def prove_lease(self, connection: "Session", lease: Lease) -> None:
        """Likewise for a lease as it was when some work began; raises :class:`StoreLocked`."""
        values = (lease.folder, lease.fence, self._server.worker)
        if connection.execute(_PROVEN, values).fetchone() is None:
            raise StoreLocked(refusals.TAKEN_OVER)

    def refuse_if_owned(self, connection: "Session", folder: str) -> None:
        """Raise :class:`StoreLocked` for a folder that another living worker owns."""
        if connection.execute(_OTHERS, (folder, self._server.worker)).fetchone() is not None:
            raise StoreLocked(refusals.OWNED_ELSEWHERE, folder=folder)

    def _free(self, folder: str, fence: int | None, needed: int | None) -> None:
        """Let a lease be anybody's that was ours under a fence, unless that is still needed."""
        if fence is None or fence == needed:
            return
        # Its fence stays, to be higher next time; nobody was ever worker 0.
        values = (folder, fence, self._server.worker)
        self._server.run(lambda connection: connection.execute(_FREE, values))

    def _take_patiently(self, folder: str) -> int:
        began = asked = monotonic()
        until = began + DYING
        while True:
            found = self._server.run(lambda connection: self._take_in(connection, folder))
            if found is not None:
                return found
            # Again and again: whoever has it may not have listened for a moment.
            if folder != WHOLE and asked <= monotonic():
                asked = monotonic() + ASKING
                if self._server.run(lambda connection: self._ask_for(connection, folder)):
                    until = began + HANDING_OVER
            if monotonic() >= until:
                raise BlockingIOError
            sleep(DYING / 10)

    def _take_in(self, connection: "Session", folder: str) -> int | None:
        """Take a free lease inside whatever transaction runs; return its fence."""
        if folder == WHOLE:
            # Two statements, so that the second sees whoever joined before the lock was ours.
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (_JOINING,))
            connection.execute(_END_DEAD_WORKERS)
            connection.execute(_END_DEAD_OWNERS)
            if connection.execute(_ANY_WORKER).fetchone() is not None:
                return None
        values = {"folder": folder, "worker": self._server.worker}
        found = connection.execute(_TAKE, values).fetchone()
        return None if found is None else int(found[0])

    def _ask_for(self, connection: "Session", folder: str) -> bool:
        """Ask the worker that has a folder for it; False if nobody there would listen."""
        found = connection.execute(_ASKED, (WORKERS, folder)).fetchone()
        if found is None:
            return False
        self._server.tell(connection, found[0], "wanted", folder)
        return True
