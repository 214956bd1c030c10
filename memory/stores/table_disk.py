"""The agents' files as rows of PostgreSQL: a :class:`memory.stores.disk.Disk`.

What every store promises (damage, crashes, erasing, pages) is promised above this, once for both
kinds of disk. What is not below ``agents`` and ``backups`` of the data folder stays in the file
system.

A file is the bytes of its parts, one row for all that was written between two syncs: a commit of
the journal is a row, and committed when the server says so. The parts are divided by agents, so
that what is left of erased words is swept out of a part of the table, not out of all of it.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from errno import ECONNABORTED
from itertools import count
from pathlib import Path
from typing import Any, Final, TypeVar

from memory.errors import StoreError
from memory.stores.disk import Disk
from memory.stores.leases import WHOLE
from memory.stores.server import Server, Session

AGENTS: Final = "agents"

_IN_ROWS: Final = frozenset({AGENTS, "backups"})

_LARGEST_PART: Final = 1 << 20

DIVISIONS: Final = 64

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
class Place:
    """Where a file is: its folder below the data folder, and its name."""

    folder: str
    name: str

    @property
    def agent(self) -> str:
        """The agent whose folder it is; its backups lie beside its files."""
        return self.folder.rpartition("/")[2]

    @property
    def as_folder(self) -> str:
        """The same if it is no file but a folder."""
        return f"{self.folder}/{self.name}"


class FileRows:
    """The files of all agents. Raises OSError, as a file system would."""

    def __init__(self, server: Server) -> None:
        """Bring the tables up to date."""
        self._server = server
        translated(lambda: server.migrate("files", (_TABLES,)))

    def open(self, place: Place, *, empty: bool) -> tuple[int, int]:
        """Return the number of a file, made if need be, emptied if asked, and how long it is."""

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

        return self._run(work)

    def append(self, place: Place, file: int, length: int, data: bytes) -> None:
        """Append to a file of that length; durable on return."""

        def work(connection: Session) -> None:
            self._prove(connection, place)
            connection.execute(
                "INSERT INTO file_parts (agent, file, start, data) VALUES (%s, %s, %s, %b)",
                (place.agent, file, length, data),
            )

        self._run(work)

    def cut(self, place: Place, file: int, length: int) -> None:
        """Let a file have no more than its first ``length`` bytes."""

        def work(connection: Session) -> None:
            self._prove(connection, place)
            whose = (place.agent, file)
            connection.execute(
                "DELETE FROM file_parts WHERE agent = %s AND file = %s AND start >= %s",
                (*whose, length),
            )
            connection.execute(
                "UPDATE file_parts SET data = substr(data, 1, (%s - start)::int)"
                " WHERE agent = %s AND file = %s AND start + length(data) > %s",
                (length, *whose, length),
            )

        self._run(work)

    def read(self, place: Place) -> bytes | None:
        """Return the content of a file, None where there is no file."""
        values = (place.agent, place.folder, place.name)
        found = self._run(
            lambda connection: connection.execute(_READ, values, binary=True).fetchall()
        )
        return b"".join(data for (data,) in found if data is not None) if found else None

    def rename(self, old: Place, new: Place) -> bool:
        """Rename a file or a folder in one step; False if there is neither."""

        def work(connection: Session) -> bool:
            self._prove(connection, old)
            if connection.execute(_FIND, (old.folder, old.name)).fetchone() is not None:
                _rename_file(connection, old, new)
                return True
            below = _files_below(connection, old.as_folder)
            for folder, name in below:
                moved = new.as_folder + folder[len(old.as_folder) :]
                _rename_file(connection, Place(folder, name), Place(moved, name))
            return bool(below)

        return self._run(work)

    def remove(self, place: Place) -> None:
        """Delete a file, or a folder with all it holds; nothing there is no error."""

        def work(connection: Session) -> None:
            self._prove(connection, place)
            _remove_file(connection, place)
            for folder, name in _files_below(connection, place.as_folder):
                _remove_file(connection, Place(folder, name))

        self._run(work)

    def names(self, folder: str) -> frozenset[str]:
        """Return the names in a folder, those of folders among them."""
        values = {"folder": folder}
        found = self._run(lambda connection: connection.execute(_NAMES, values).fetchall())
        return frozenset(name for (name,) in found)

    def sweep(self, agent: str) -> None:
        """Write the division of an agent anew, without what was deleted from it."""
        found = self._run(lambda c: c.execute(_DIVISION_OF, (agent,)).fetchone())
        if found is not None:
            translated(lambda: self._server.sweep(found[0]))

    def _prove(self, connection: Session, place: Place) -> None:
        """Let an owner, of the agent or else of everything, write only while it is that.

        Whoever owns neither writes only where nobody else does.
        """
        leases, home = self._server.leases, f"{AGENTS}/{place.agent}"
        if not leases.prove(connection, home):
            leases.refuse_if_owned(connection, home)
            leases.prove(connection, WHOLE)

    def _run(self, work: Callable[[Session], T]) -> T:
        return translated(lambda: self._server.run(work))


def translated(work: Callable[[], T]) -> T:
    """Let what the server refuses be an error of the disk, as everybody above expects it."""
    try:
        return work()
    except StoreError as error:
        raise OSError(ECONNABORTED, str(error)) from error


def _files_below(connection: Session, folder: str) -> list[tuple[Any, ...]]:
    return connection.execute(_BELOW, {"folder": folder}).fetchall()


def _remove_file(connection: Session, place: Place) -> None:
    query = "DELETE FROM files WHERE folder = %s AND name = %s RETURNING file"
    for (file,) in connection.execute(query, (place.folder, place.name)).fetchall():
        connection.execute(
            "DELETE FROM file_parts WHERE agent = %s AND file = %s", (place.agent, file)
        )


def _rename_file(connection: Session, old: Place, new: Place) -> None:
    _remove_file(connection, new)
    found = connection.execute(
        "UPDATE files SET folder = %s, name = %s WHERE folder = %s AND name = %s RETURNING file",
        (new.folder, new.name, old.folder, old.name),
    )
    for (file,) in found.fetchall() if new.agent != old.agent else ():
        connection.execute(
            "UPDATE file_parts SET agent = %s WHERE agent = %s AND file = %s",
            (new.agent, old.agent, file),
        )


@dataclass(slots=True)
class _OpenFile:
    """A file open for appending. ``unsynced`` is what is not in the table yet."""

    place: Place
    file: int
    length: int
    unsynced: bytearray = field(default_factory=bytearray)


class TableDisk(Disk):
    """The rows of one database in the place of the agents' folders of ``home``."""

    def __init__(self, server: Server, home: Path) -> None:
        """Bring the tables up to date; raises OSError."""
        self._server = server
        self._home = home
        self._rows = FileRows(server)
        # No number of the system's: those are not negative.
        self._numbers = count(-2, -1)
        self._open: dict[int, _OpenFile] = {}
        self._locks: dict[int, str] = {}

    def open(self, path: Path, *, empty: bool = False) -> int:
        place = self._place(path)
        if place is None:
            return super().open(path, empty=empty)
        number = next(self._numbers)
        self._open[number] = _OpenFile(place, *self._rows.open(place, empty=empty))
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
        if length < file.length:
            self._rows.cut(file.place, file.file, length)
            file.length = length

    def close(self, descriptor: int) -> None:
        folder = self._locks.pop(descriptor, None)
        file = self._open.pop(descriptor, None)
        if folder is not None:
            translated(lambda: self._server.leases.release(folder))
        elif file is not None:
            self._store(file)
        else:
            super().close(descriptor)

    def replace(self, source: Path, target: Path) -> None:
        old, new = self._place(source), self._place(target)
        if old is None or new is None:
            super().replace(source, target)
            return
        if not self._rows.rename(old, new):
            raise FileNotFoundError(source)

    def remove(self, path: Path) -> None:
        place = self._place(path)
        if place is None:
            super().remove(path)
        else:
            self._rows.remove(place)

    def sync_folder(self, folder: Path) -> None:
        if self._folder(folder) is None:
            super().sync_folder(folder)

    def read(self, path: Path) -> bytes | None:
        place = self._place(path)
        return super().read(path) if place is None else self._rows.read(place)

    def map(self, path: Path) -> memoryview:
        place = self._place(path)
        return super().map(path) if place is None else memoryview(self._rows.read(place) or b"")

    def names(self, folder: Path) -> frozenset[str]:
        place = self._folder(folder)
        return super().names(folder) if place is None else self._rows.names(place)

    def lock(self, path: Path) -> int:
        # The folder itself as well: it is what a program that talks owns.
        folder = "" if path.parent == self._home else self._folder(path.parent)
        if folder is None:
            return super().lock(path)
        translated(lambda: self._server.leases.take(folder))
        number = next(self._numbers)
        self._locks[number] = folder
        return number

    def make_folder(self, folder: Path) -> None:
        # A folder is there as soon as a file is in it.
        if self._folder(folder) is None:
            super().make_folder(folder)

    def is_folder(self, path: Path) -> bool:
        place = self._folder(path)
        return super().is_folder(path) if place is None else bool(self._rows.names(place))

    def size(self, path: Path) -> int:
        return super().size(path) if self._place(path) is None else len(self.map(path))

    def sweep(self, folder: Path) -> None:
        if self._folder(folder) is not None:
            self._rows.sweep(folder.name)

    def _place(self, path: Path) -> Place | None:
        """Return where a file of an agent is; None for one that stays in the file system."""
        folder = self._folder(path.parent)
        return None if folder is None else Place(folder, path.name)

    def _folder(self, folder: Path) -> str | None:
        try:
            place = folder.relative_to(self._home)
        except ValueError:
            return None
        return place.as_posix() if place.parts and place.parts[0] in _IN_ROWS else None

    def _store(self, file: _OpenFile) -> None:
        # Let go of first: what could not be stored must not follow something else later.
        data, file.unsynced = bytes(file.unsynced), bytearray()
        if data:
            self._rows.append(file.place, file.file, file.length, data)
            file.length += len(data)
