"""A snapshot: a readable, verifiable TinyDB file of tables.

There is one record a line: a person can read it, ``diff`` shows what a night changed, and it is
written and read in small steps while the event loop runs on. It is still one JSON object, which
TinyDB opens and queries. The last line is the table ``meta``: the schema, the sequence number of
the last commit inside, the next id, and a checksum over every byte before it.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
import orjson
from tinydb.storages import Storage

from memory import refusals
from memory.errors import StoreDamaged
from memory.stores.codec import SCHEMA, to_bytes
from memory.stores.disk import (
    REAL_DISK,
    Disk,
    disk_errors,
    replacement_file,
    write_all,
)
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
    records look like to the program that wrote it; "" where another hand did. ``pages`` names the
    files the older lines of the diary stand in, in their order.
    """

    schema: int = SCHEMA
    sequence: int = 0
    next_id: int = 1
    last_line: int = 0
    shapes: str = ""
    pages: tuple[str, ...] = ()


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

    def tables(self) -> Iterator[tuple[str, "TableLines"]]:
        """Yield the name of every table and its lines, ``"number":document``."""
        # No document has a line break in it, so that these stand between documents only; and no
        # line but the last of a table begins with a brace.
        breaks = _line_breaks(self.data)
        first_bytes = np.frombuffer(self.data, np.uint8)[breaks[:-1] + 1]
        head = 0
        for end in np.flatnonzero(first_bytes == ord("}")).tolist():
            name = self.data[int(breaks[head]) + 2 : int(breaks[head + 1]) - 3].decode()
            yield name, TableLines(self.data, breaks[head + 1 : end + 1])
            head = end + 1


_STRETCH: Final = 1 << 20


def _line_breaks(data: bytes) -> npt.NDArray[np.int64]:
    """Return where each line ends."""
    # In stretches, for each byte takes one more while it is compared.
    text = np.frombuffer(data, np.uint8)
    found = [
        np.flatnonzero(text[at : at + _STRETCH] == ord("\n")) + at
        for at in range(0, len(data), _STRETCH)
    ]
    return np.concatenate([np.empty(0, np.int64), *found])


@dataclass(frozen=True, slots=True)
class TableLines:
    """The lines of one table, found in the text of the snapshot: none is copied out of it.

    ``breaks`` are the places of the line breaks before, between and behind them.
    """

    data: bytes
    breaks: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.breaks) - 1

    def place(self, number: int) -> tuple[int, int]:
        """Return where a line begins and ends, without the comma behind it."""
        # By ``item``: a number of numpy's own takes twice as long, and halving asks for dozens.
        end = self.breaks.item(number + 1)
        return self.breaks.item(number) + 1, end if number == len(self) - 1 else end - 1

    def __iter__(self) -> Iterator[bytes]:
        for number in range(len(self)):
            begin, end = self.place(number)
            yield self.data[begin:end]


EMPTY_SNAPSHOT: Final = Snapshot(SnapshotMeta(), b"")
"""The snapshot of a folder to which nothing was ever written."""


def read_snapshot(data: bytes) -> Snapshot | None:
    """Return what a snapshot file holds, or None for a file that is not as it was written."""
    # Verified before anything is parsed: a damaged file is passed over, never half believed.
    size = len(data) - len(_FILE_END) - _CHECKSUM_DIGITS
    # A view: a copy of a large file would take as long as its checksum.
    proof = blake2b(memoryview(data)[: max(size, 0)], digest_size=8).hexdigest()
    if not data.endswith(_CHECKSUM_FIELD + proof.encode() + _FILE_END):
        return None
    end = size - len(_CHECKSUM_FIELD)
    meta = orjson.loads(data[data.rindex(_META_LINE, 0, end) + len(_META_LINE) : end] + b"}")
    known = (each.name for each in fields(SnapshotMeta))
    found = {name: meta[name] for name in known if name in meta}
    return Snapshot(SnapshotMeta(**{**found, "pages": tuple(found.get("pages", ()))}), data)


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
                raise StoreDamaged(refusals.CHANGED_FILE, file=self._path)
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
