"""The files of the agents as rows of PostgreSQL: a :class:`memory.stores.disk.Disk`.

A file is the bytes of its parts, one row for all that was written between two syncs: a commit of
the journal is a row, and committed when the server says so. What every store promises (damage,
crashes, erasing, pages) is promised above this, once for both kinds of disk. What is not below
``agents`` and ``backups`` of the data folder stays in the file system.

The parts are divided by agents, so that what is left of erased words is swept out of a part of the
table, not out of all of it.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from errno import ECONNABORTED
from itertools import count
from pathlib import Path
from typing import Any, Final, TypeVar

from memory.errors import StoreError
from memory.stores.disk import Disk
from memory.stores.server import Server, Session

DIVISIONS: Final = 64

_LARGEST_PART: Final = 1 << 20

# Stored as they are: a search of the server's files for what was erased must be able to find it.
# And without samples: the statistics of the planner would keep some.
_TABLES: Final = f"""
CREATE TABLE files (
  folder TEXT COLLATE "C" NOT NULL,
  name   TEXT COLLATE "C" NOT NULL,
  file   BIGINT GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (folder, name)
);

CREATE TABLE file_parts (
  agent TEXT COLLATE "C" NOT NULL,
  file  BIGINT NOT NULL,
  start BIGINT NOT NULL,
  data  BYTEA NOT NULL,
  PRIMARY KEY (agent, file, start)
) PARTITION BY HASH (agent);

DO $$ BEGIN FOR number IN 0..{DIVISIONS - 1} LOOP EXECUTE format(
  'CREATE TABLE file_parts_%s PARTITION OF file_parts FOR VALUES WITH (MODULUS {DIVISIONS},'
  ' REMAINDER %s)', number, number);
END LOOP; END $$;
ALTER TABLE file_parts ALTER COLUMN data SET STORAGE EXTERNAL;
ALTER TABLE file_parts ALTER COLUMN data SET STATISTICS 0;
"""

_FIND: Final = "SELECT file FROM files WHERE folder = %s AND name = %s"

_FIND_END: Final = """
SELECT f.file, COALESCE((
  SELECT p.start + length(p.data) FROM file_parts p WHERE p.agent = %s AND p.file = f.file
  ORDER BY p.start DESC LIMIT 1
), 0) FROM files f WHERE f.folder = %s AND f.name = %s
"""

_READ: Final = """
SELECT p.data FROM files f LEFT JOIN file_parts p ON p.agent = %s AND p.file = f.file
WHERE f.folder = %s AND f.name = %s ORDER BY p.start
"""

# Of a folder and all below it; '0' comes after '/'.
_BELOW: Final = """
SELECT folder, name FROM files
WHERE folder = %(folder)s OR folder >= %(folder)s || '/' AND folder < %(folder)s || '0'
"""

_NAMES: Final = """
SELECT name FROM files WHERE folder = %(folder)s UNION
SELECT split_part(substr(folder, length(%(folder)s) + 2), '/', 1) FROM files
WHERE folder >= %(folder)s || '/' AND folder < %(folder)s || '0'
"""

_DIVISION_OF: Final = """
SELECT tableoid::regclass::text FROM file_parts WHERE agent = %s LIMIT 1
"""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a file is: its folder below the data folder, and its name."""

    folder: str
    name: str

    @property
    def agent(self) -> str:
        """The agent whose folder it is; its backups lie beside its files."""
        return self.folder.rpartition("/")[2]


@dataclass(slots=True)
class _OpenFile:
    """A file open for appending. ``unsynced`` is what is not in the table yet."""

    place: _Place
    file: int
    length: int
    unsynced: bytearray = field(default_factory=bytearray)


AGENTS: Final = "agents"


class TableDisk(Disk):
    """The rows of one database in the place of the agents' folders of ``home``."""

    def __init__(self, server: Server, home: Path) -> None:
        """Bring the tables up to date; raises :class:`StoreError`."""
        self._server = server
        self._home = home
        # No number of the system's: those are not negative.
        self._numbers = count(-2, -1)
        self._open: dict[int, _OpenFile] = {}
        self._locks: dict[int, str] = {}
        server.migrate("files", (_TABLES,))
        self._agents = self._names(AGENTS)

    def open(self, path: Path, *, empty: bool = False) -> int:
        place = self._place(path)
        if place is None:
            return super().open(path, empty=empty)

        def work(connection: Session) -> tuple[int, int]:
            self._prove(connection, place)
            if empty:
                _remove_file(connection, place)
            connection.execute(
                "INSERT INTO files (folder, name) VALUES (%s, %s) ON CONFLICT DO NOTHING",
                (place.folder, place.name),
            )
            values = (place.agent, place.folder, place.name)
            return connection.execute(_FIND_END, values).fetchone() or (0, 0)

        file, length = self._run(work)
        self._note_agent(place)
        number = next(self._numbers)
        self._open[number] = _OpenFile(place, file, length)
        return number

    def write(self, descriptor: int, data: bytes | memoryview) -> int:
        file = self._open.get(descriptor)
        if file is None:
            return super().write(descriptor, data)
        file.unsynced += data
        if len(file.unsynced) >= _LARGEST_PART:
            self._store(file)
        return len(data)

    def sync(self, descriptor: int) -> None:
        file = self._open.get(descriptor)
        if file is None:
            super().sync(descriptor)
        else:
            self._store(file)

    def truncate(self, descriptor: int, length: int) -> None:
        file = self._open.get(descriptor)
        if file is None:
            super().truncate(descriptor, length)
            return
        self._store(file)

        def work(connection: Session) -> None:
            self._prove(connection, file.place)
            whose = (file.place.agent, file.file)
            connection.execute(
                "DELETE FROM file_parts WHERE agent = %s AND file = %s AND start >= %s",
                (*whose, length),
            )
            connection.execute(
                "UPDATE file_parts SET data = substr(data, 1, (%s - start)::int)"
                " WHERE agent = %s AND file = %s AND start + length(data) > %s",
                (length, *whose, length),
            )

        if length < file.length:
            self._run(work)
            file.length = length

    def close(self, descriptor: int) -> None:
        folder = self._locks.pop(descriptor, None)
        file = self._open.pop(descriptor, None)
        if folder is not None:
            self._translated(lambda: self._server.release(folder))
        elif file is not None:
            self._store(file)
        else:
            super().close(descriptor)

    def replace(self, source: Path, target: Path) -> None:
        old, new = self._place(source), self._place(target)
        if old is None or new is None:
            super().replace(source, target)
            return

        def work(connection: Session) -> bool:
            self._prove(connection, old)
            if connection.execute(_FIND, (old.folder, old.name)).fetchone() is not None:
                _rename_file(connection, old, new)
                return True
            return _rename_folder(connection, _folder_key(old), _folder_key(new))

        if not self._run(work):
            raise FileNotFoundError(source)
        self._look_anew(old)

    def remove(self, path: Path) -> None:
        place = self._place(path)
        if place is None:
            super().remove(path)
            return

        def work(connection: Session) -> None:
            self._prove(connection, place)
            _remove_file(connection, place)
            for folder, name in _files_below(connection, _folder_key(place)):
                _remove_file(connection, _Place(folder, name))

        self._run(work)
        self._look_anew(place)

    def sync_folder(self, folder: Path) -> None:
        if self._folder(folder) is None:
            super().sync_folder(folder)

    def read(self, path: Path) -> bytes | None:
        place = self._place(path)
        if place is None:
            return super().read(path)
        values = (place.agent, place.folder, place.name)
        found = self._run(
            lambda connection: connection.execute(_READ, values, binary=True).fetchall()
        )
        return b"".join(data for (data,) in found if data is not None) if found else None

    def map(self, path: Path) -> memoryview:
        if self._place(path) is None:
            return super().map(path)
        return memoryview(self.read(path) or b"")

    def names(self, folder: Path) -> frozenset[str]:
        place = self._folder(folder)
        if place is None:
            return super().names(folder)
        # Asked for on the event loop; whoever opens, removes or renames an agent looks anew.
        return self._agents if place == AGENTS else self._names(place)

    def lock(self, path: Path) -> int:
        folder = self._folder(path.parent, is_locked=True)
        if folder is None:
            return super().lock(path)
        self._translated(lambda: self._server.take(folder))
        self._agents = self._names(AGENTS)
        number = next(self._numbers)
        self._locks[number] = folder
        return number

    def make_folder(self, folder: Path) -> None:
        # A folder is there as soon as a file is in it.
        if self._folder(folder) is None:
            super().make_folder(folder)

    def is_folder(self, path: Path) -> bool:
        place = self._folder(path)
        return super().is_folder(path) if place is None else bool(self._names(place))

    def size(self, path: Path) -> int:
        return super().size(path) if self._place(path) is None else len(self.map(path))

    def sweep(self, folder: Path) -> None:
        """Write the division of an agent anew, without what was deleted from it."""
        place = self._folder(folder)
        if place is None:
            return
        agent = (place.rpartition("/")[2],)
        found = self._run(lambda c: c.execute(_DIVISION_OF, agent).fetchone())
        if found is not None:
            statement = f"VACUUM (FULL) {found[0]}"
            self._translated(lambda: self._server.run_alone(statement))

    def _place(self, path: Path) -> _Place | None:
        """Return where a file of an agent is; None for one that stays in the file system."""
        folder = self._folder(path.parent)
        return None if folder is None else _Place(folder, path.name)

    def _folder(self, folder: Path, *, is_locked: bool = False) -> str | None:
        try:
            place = folder.relative_to(self._home)
        except ValueError:
            return None
        if place.parts[:1] in {("agents",), ("backups",)}:
            return place.as_posix()
        return "" if is_locked and not place.parts else None

    def _names(self, folder: str) -> frozenset[str]:
        values = {"folder": folder}
        found = self._run(lambda connection: connection.execute(_NAMES, values).fetchall())
        return frozenset(name for (name,) in found)

    def _look_anew(self, changed: _Place) -> None:
        if changed.folder == AGENTS:
            self._agents = self._names(AGENTS)

    def _note_agent(self, place: _Place) -> None:
        if place.folder.startswith(f"{AGENTS}/"):
            self._agents |= {place.agent}

    def _prove(self, connection: Session, place: _Place) -> None:
        """Let an owner, of the agent or else of everything, write only while it is that."""
        if not self._server.prove(connection, f"{AGENTS}/{place.agent}"):
            self._server.prove(connection, "")

    def _store(self, file: _OpenFile) -> None:
        data, file.unsynced = bytes(file.unsynced), bytearray()

        def work(connection: Session) -> None:
            self._prove(connection, file.place)
            connection.execute(
                "INSERT INTO file_parts (agent, file, start, data) VALUES (%s, %s, %s, %b)",
                (file.place.agent, file.file, file.length, data),
            )

        if data:
            self._run(work)
            file.length += len(data)

    def _run(self, work: Callable[[Session], T]) -> T:
        return self._translated(lambda: self._server.run(work))

    def _translated(self, work: Callable[[], T]) -> T:
        """Let what the server refuses be an error of the disk, as everybody above expects it."""
        try:
            return work()
        except StoreError as error:
            raise OSError(ECONNABORTED, str(error)) from error


def _folder_key(place: _Place) -> str:
    return f"{place.folder}/{place.name}"


def _files_below(connection: Session, folder: str) -> list[tuple[Any, ...]]:
    return connection.execute(_BELOW, {"folder": folder}).fetchall()


def _remove_file(connection: Session, place: _Place) -> None:
    query = "DELETE FROM files WHERE folder = %s AND name = %s RETURNING file"
    for (file,) in connection.execute(query, (place.folder, place.name)).fetchall():
        connection.execute(
            "DELETE FROM file_parts WHERE agent = %s AND file = %s", (place.agent, file)
        )


def _rename_file(connection: Session, old: _Place, new: _Place) -> None:
    _remove_file(connection, new)
    found = connection.execute(
        "UPDATE files SET folder = %s, name = %s WHERE folder = %s AND name = %s RETURNING file",
        (new.folder, new.name, old.folder, old.name),
    )
    for (file,) in found.fetchall():
        if new.agent != old.agent:
            _give_parts(connection, old.agent, new.agent, file)


def _rename_folder(connection: Session, old: str, new: str) -> bool:
    """Rename a folder and all below it; False if there is none."""
    found = _files_below(connection, old)
    for folder, name in found:
        _rename_file(connection, _Place(folder, name), _Place(new + folder[len(old) :], name))
    return bool(found)


def _give_parts(connection: Session, old: str, new: str, file: int) -> None:
    connection.execute(
        "UPDATE file_parts SET agent = %s WHERE agent = %s AND file = %s", (new, old, file)
    )
