"""A snapshot: a readable, verifiable TinyDB file of tables; and the backups, whole states kept.

There is one record a line: a person can read it, ``diff`` shows what a night changed, and it is
written and read in small steps while the event loop runs on. It is still one JSON object, which
TinyDB opens and queries. The last line is the table ``meta``: the schema, the sequence number of
the last commit inside, the next id, and a checksum over every byte before it.

A backup has the format of an export and lies in ``DATA_DIR/backups/<agent>`` under a name that
tells when and why it was made; it is verified when it is written. What concerns backups blocks:
call it in a thread.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from itertools import count, islice
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, get_args

import orjson
from tinydb.storages import Storage

from memory.errors import InputRefused, StoreDamaged, StoreUnwritable
from memory.state import MemoryState
from memory.stores.codec import SCHEMA, state_digest, to_bytes
from memory.stores.disk import (
    REAL_DISK,
    TEMPORARY,
    Disk,
    disk_errors,
    make_private_folder,
    replace_file,
    replacement_file,
    write_all,
)
from memory.stores.exports import LARGEST_EXPORT, Export, export_bytes, read_export
from memory.stores.shapes import JsonObject

META_TABLE: Final = "meta"

PREVIOUS_SUFFIX: Final = ".bak"
"""The end of the file name of a snapshot's previous generation."""

_META_LINE: Final = b'"meta":{"1":'

_CHECKSUM_FIELD: Final = b',"checksum":"'

_FILE_END: Final = b'"}}}\n'

_CHECKSUM_DIGITS: Final = 16

_RECORDS_PER_STEP: Final = 64
"""Records written in one step: about 2 ms, which a commit may have to wait."""

_STEPS_PER_SYNC: Final = 64
"""Steps between two syncs: one sync of the whole file at the end would hold up a commit."""

NumberedDocuments: TypeAlias = Iterable[tuple[int, JsonObject | orjson.Fragment]]
"""The documents of a table, each under the number TinyDB knows it by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotMeta:
    """The last line of a snapshot: schema, number of its last commit, next free id.

    ``last_line`` is the highest number of a line of the diary. ``shapes`` is the digest of what
    records look like to the program that wrote it; "" where another hand did.
    """

    schema: int = SCHEMA
    sequence: int = 0
    next_id: int = 1
    last_line: int = 0
    shapes: str = ""


def snapshot_name(meta: SnapshotMeta, checksum: str) -> str:
    """Return what tells a snapshot from any other: its number and its checksum."""
    return f"{meta.sequence} {checksum}"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A snapshot whose checksum holds."""

    meta: SnapshotMeta
    data: bytes

    @property
    def name(self) -> str:
        """What tells this snapshot from any other."""
        return snapshot_name(self.meta, self.data[-21:-5].decode())

    def documents(self) -> Iterator[tuple[str, JsonObject]]:
        """Yield every document with the name of its table, in the order of the file."""
        # Line by line: one orjson.loads of the whole file would keep every other thread waiting.
        for table, lines in self.tables():
            for line in lines:
                yield table, orjson.loads(line[line.index(b":") + 1 :])

    def tables(self) -> Iterator[tuple[str, list[bytes]]]:
        """Yield the name of every table and its lines, ``"number":document``."""
        place = self.data.find(b"\n") + 1
        # No document has a line break in it, so that these stand between documents only.
        while place and not self.data.startswith(_META_LINE, place):
            begin = self.data.index(b":{\n", place)
            name, begin = self.data[place + 1 : begin - 1].decode(), begin + 3
            if self.data.startswith(b"},\n", begin):
                yield name, []
                place = begin + 3
            else:
                end = self.data.index(b"\n},\n", begin)
                yield name, self.data[begin:end].split(b",\n")
                place = end + 4


EMPTY_SNAPSHOT: Final = Snapshot(SnapshotMeta(), b"")
"""The snapshot of a folder to which nothing was ever written."""


def read_snapshot(data: bytes) -> Snapshot | None:
    """Return what a snapshot file holds, or None for a file that is not as it was written."""
    # Verified before anything is parsed: a damaged file is passed over, never half believed.
    body, end = (
        data[: -len(_FILE_END) - _CHECKSUM_DIGITS],
        data[-len(_FILE_END) - _CHECKSUM_DIGITS :],
    )
    if (
        not body.endswith(_CHECKSUM_FIELD)
        or end != blake2b(body, digest_size=8).hexdigest().encode() + _FILE_END
    ):
        return None
    meta = orjson.loads(
        body[body.rindex(_META_LINE) + len(_META_LINE) : -len(_CHECKSUM_FIELD)] + b"}"
    )
    known = (each.name for each in fields(SnapshotMeta))
    return Snapshot(SnapshotMeta(**{name: meta[name] for name in known if name in meta}), data)


class SnapshotStorage(Storage):
    """TinyDB's access to one snapshot file: a copy in memory, and each write a whole new file.

    ``TinyDB(path, storage=SnapshotStorage)`` reads and changes the file of a folder nobody owns.
    The store itself writes with :meth:`write_in_steps` and reads :func:`read_snapshot`, without
    the copy.
    """

    def __init__(self, path: Path | str, disk: Disk = REAL_DISK) -> None:
        self._path = Path(path)
        self._disk = disk
        self._tables: dict[str, dict[str, Any]] | None = None
        self.name = ""

    def read(self) -> dict[str, dict[str, Any]] | None:
        """Return every table, or None where there is no file; raises :class:`StoreDamaged`."""
        if self._tables is None:
            data = self._disk.read(self._path)
            if data is not None and read_snapshot(data) is None:
                raise StoreDamaged(f"{self._path} is not as it was written")
            self._tables = None if data is None else orjson.loads(data)
        return self._tables

    def write(self, data: Mapping[str, Mapping[str, Any]]) -> None:
        """Replace the file; raises :class:`StoreUnwritable` and :class:`BadDocument`."""
        rows = {
            name: [(int(n), dict(d)) for n, d in table.items()] for name, table in data.items()
        }
        meta = dict(rows.pop(META_TABLE, [(1, {})])[0][1])
        # Whoever changed a document by hand may have made one that this program cannot read.
        for name in ("checksum", "shapes"):
            meta.pop(name, None)
        for _ in self.write_in_steps(rows.items(), SnapshotMeta(**meta)):
            pass

    def write_in_steps(
        self, tables: Iterable[tuple[str, NumberedDocuments]], meta: SnapshotMeta
    ) -> Iterator[None]:
        """Replace the file some records at a time, keeping the one before it as ``.bak``.

        The new file takes its place with the last step. Raises as :meth:`write` does; giving up
        half-way leaves the old file.
        """
        self._tables = None
        former = self._path.with_name(self._path.name + PREVIOUS_SUFFIX)
        # As in the journal, 8 bytes detect accidents and nothing else.
        proof = blake2b(digest_size=8)
        with (
            disk_errors(self._path),
            replacement_file(self._disk, self._path, previous=former) as file,
        ):
            for number, stretch in enumerate(_snapshot_chunks(tables, meta), start=1):
                write_all(self._disk, file, stretch)
                proof.update(stretch)
                if number % _STEPS_PER_SYNC == 0:
                    self._disk.sync(file)
                yield
            write_all(self._disk, file, proof.hexdigest().encode() + _FILE_END)
        self.name = snapshot_name(meta, proof.hexdigest())


def _snapshot_chunks(
    tables: Iterable[tuple[str, NumberedDocuments]], meta: SnapshotMeta
) -> Iterator[bytes]:
    """Yield the text of a snapshot up to its checksum, some records at a time."""
    lines = _snapshot_lines(tables, meta)
    while stretch := b"".join(islice(lines, _RECORDS_PER_STEP)):
        yield stretch


def _snapshot_lines(
    tables: Iterable[tuple[str, NumberedDocuments]], meta: SnapshotMeta
) -> Iterator[bytes]:
    """Yield the same text a record at a time."""
    yield b"{\n"
    for name, rows in tables:
        between = b'"%b":{\n' % name.encode()
        for number, document in rows:
            yield between + b'"%d":' % number + to_bytes(document)
            between = b",\n"
        yield b"\n},\n" if between == b",\n" else between + b"},\n"
    yield _META_LINE + to_bytes(asdict(meta))[:-1] + _CHECKSUM_FIELD


MEMORY_FILE: Final = "memory.json"

ARCHIVE_FILE: Final = "archive.json"
"""What recall does not use: memories that are not active, and texts from before compression."""

SNAPSHOT_FILES: Final = (MEMORY_FILE, ARCHIVE_FILE)


BACKUPS: Final = "backups"
KEPT_BACKUPS: Final = 10
"""How many backups of each cause an agent keeps unless a setting says otherwise."""

BackupCause: TypeAlias = Literal["hand", "restore", "import"]
"""Asked for by a person, or made automatically before a restore or an import."""

StateCleaner: TypeAlias = Callable[[MemoryState], MemoryState | None]
"""Return the state without what is being erased; None if it holds none of that."""

_FILE_NAME: Final = re.compile(
    r"(?P<at>\d{8}T\d{6})(?P<micro>\d{6})Z-(?P<cause>hand|restore|import)\.json", re.ASCII
)
_ONE_MICROSECOND: Final = timedelta(microseconds=1)
_TIMESTAMP_FORMAT: Final = "%Y%m%dT%H%M%S%f"


@dataclass(frozen=True, slots=True, kw_only=True)
class Backup:
    """One backup: its file name, when (UTC) and why it was made, and its size in bytes."""

    name: str
    at: datetime
    cause: str
    size: int


class Backups:
    """The backups of one agent, newest first."""

    def __init__(
        self, data: Path, agent_id: str, *, kept: int = KEPT_BACKUPS, disk: Disk = REAL_DISK
    ) -> None:
        self.folder: Final = data / BACKUPS / agent_id
        self._agent_id = agent_id
        self._kept = kept
        self._disk = disk

    def list_all(self) -> tuple[Backup, ...]:
        """Return every backup there is, newest first; raises :class:`StoreUnwritable`."""
        with disk_errors(self.folder):
            names = sorted(self._disk.names(self.folder), reverse=True)
            found = [
                self._backup_of_file(match)
                for name in names
                if (match := _FILE_NAME.fullmatch(name))
            ]
        return tuple(each for each in found if each is not None)

    def write(
        self, state: MemoryState, at: datetime, cause: BackupCause, *, spare: str = ""
    ) -> Backup:
        """Write a state, verify what is on the disk, and delete the oldest beyond those kept.

        ``spare`` names a backup that is not deleted. Raises :class:`StoreUnwritable`; every
        backup made before is still there then.
        """
        with disk_errors(self.folder):
            make_private_folder(self._disk, self.folder)
            name = self._new_name(at.astimezone(UTC), cause)
            replace_file(self._disk, self.folder / name, export_bytes(state, self._agent_id, at))
        self._verify(name, state)
        # Only a verified backup may push older ones out.
        made = next(each for each in self.list_all() if each.name == name)
        self._delete_old({name, spare})
        return made

    def read(self, name: str) -> Export:
        """Return what a backup holds; raises :class:`InputRefused` for one that is not whole."""
        if not _FILE_NAME.fullmatch(name):
            raise InputRefused(f"{name!r} is no backup")
        with disk_errors(self.folder):
            data = self._disk.read(self.folder / name)
        if data is None:
            raise InputRefused(f"there is no backup {name}")
        # The limit protects against foreign files; our own is read however large it is.
        return read_export(data, max(len(data), LARGEST_EXPORT), laws=None)

    def remove(self, name: str) -> None:
        """Delete a backup for good; raises :class:`StoreUnwritable`."""
        with disk_errors(self.folder):
            self._disk.remove(self.folder / name)
            self._disk.sync_folder(self.folder)

    def clean(
        self, clean_state: StateCleaner, *, carry_out: bool, unread_before: datetime | None = None
    ) -> int:
        """Return how many backups hold what ``clean_state`` takes away.

        With ``carry_out`` they are rewritten without it. A backup with nothing left in it is
        deleted, and so is one that cannot be read, or only if it was made before
        ``unread_before``. Raises :class:`StoreUnwritable`.
        """
        found = 0
        for name, at in [(each.name, each.at) for each in self.list_all()]:
            backup = self._read_or_none(name)
            if backup is None and unread_before is not None and at >= unread_before:
                continue
            # An unreadable backup counts as one to delete: nobody can tell what it holds.
            after = clean_state(backup.state) if backup else MemoryState()
            if after is None:
                continue
            found += 1
            if carry_out and backup and (after.memories or after.windows or after.diary):
                self._replace(name, export_bytes(after, backup.agent, backup.at), after)
            elif carry_out:
                self.remove(name)
        if carry_out and self.folder.is_dir():
            # Sweeps unfinished files too: one left by a crash may hold what was erased.
            self._delete_old({each.name for each in self.list_all()})
        return found

    def _read_or_none(self, name: str) -> Export | None:
        try:
            return self.read(name)
        except InputRefused:
            return None

    def _replace(self, name: str, data: bytes, state: MemoryState) -> None:
        with disk_errors(self.folder):
            replace_file(self._disk, self.folder / name, data)
        self._verify(name, state)

    def _new_name(self, at: datetime, cause: BackupCause) -> str:
        # Names carry the microsecond and are counted on from there, so that two backups of one
        # instant never share a name; a clock that stands still in a test is such a case.
        taken = self._disk.names(self.folder)
        names = (f"{at + n * _ONE_MICROSECOND:{_TIMESTAMP_FORMAT}}Z-{cause}.json" for n in count())
        return next(name for name in names if name not in taken)

    def _backup_of_file(self, match: re.Match[str]) -> Backup | None:
        try:
            at = datetime.strptime(match["at"] + match["micro"], _TIMESTAMP_FORMAT).replace(
                tzinfo=UTC
            )
            # May have been deleted, by hand or by another program, since the folder was listed.
            size = (self.folder / match[0]).stat().st_size
        except (ValueError, FileNotFoundError):
            return None
        return Backup(name=match[0], at=at, cause=match["cause"], size=size)

    def _verify(self, name: str, state: MemoryState) -> None:
        """Read a backup back from the disk; delete it and raise unless it holds the state."""
        try:
            whole = state_digest(self.read(name).state) == state_digest(state)
        except InputRefused:
            whole = False
        if not whole:
            self.remove(name)
            raise StoreUnwritable(f"{self.folder / name} was not written as it should be")

    def _delete_old(self, spared: set[str]) -> None:
        """Delete the oldest backups of each cause beyond those kept, and unfinished files."""
        listed = self.list_all()
        kinds = ([b.name for b in listed if b.cause == cause] for cause in get_args(BackupCause))
        old = {name for names in kinds for name in names[self._kept :]} - spared
        with disk_errors(self.folder):
            for name in self._disk.names(self.folder):
                if name in old or name.endswith(TEMPORARY):
                    self._disk.remove(self.folder / name)
            self._disk.sync_folder(self.folder)
