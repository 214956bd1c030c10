"""The agents' files as rows of PostgreSQL: a :class:`memory.stores.disk.Disk`.

What every store promises (damage, crashes, erasing, pages) is promised above this, once for both
kinds of disk. What is not below ``agents`` and ``backups`` of the data folder stays in the file
system.
"""

from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Final

from memory.stores.disk import Disk
from memory.stores.file_rows import AGENTS, FileRows, Place, translated
from memory.stores.server import Server

_IN_ROWS: Final = frozenset({AGENTS, "backups"})

_LARGEST_PART: Final = 1 << 20


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
