"""Large tables in memory: what was put or read since is packed again once it is a lot.

A memory with its thirty lines takes eleven kilobytes as objects, and two as a packed document.
Whoever asks for one finds it decoded, as it is found in a file that was opened
(:class:`memory.record_table.RecordTable`); a fold packs a table of which too much stands open. Of
what was remembered there is an id for every message: they stand one behind another.
"""

import zlib
from array import array
from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from heapq import merge
from itertools import islice
from typing import Any, Final, NamedTuple, TypeAlias

from immutables import Map

from memory.changes import Links, RememberedId
from memory.model import Memory
from memory.record_table import PairMapping, RecordTable
from memory.state import TABLES, MemoryState, Table
from memory.stores.codec import encode, to_bytes
from memory.stores.tables import decode_document

MOST_OPEN: Final = 1_024
"""Records of one table that stand in memory as objects; a life of 30,000 lines has as many."""

_PACKED: Final[Mapping[str, type[Any]]] = {
    TABLES[kind]: kind for kind in (Memory, Links, RememberedId)
}

_QUICKLY: Final = 1
"""The level of zlib: a third of the time of the usual one, for a tenth more room."""

_RECORDS_PER_STEP: Final = 16
_IDS_PER_STEP: Final = 1_024
"""Records packed in one step: about 2 ms, which a commit may have to wait."""


class PackedDocuments(PairMapping[int, bytes]):
    """Documents by their keys, in that order, each packed by itself."""

    def __init__(self, packed: Mapping[int, bytes]) -> None:
        self.packed: Final = packed

    def __getitem__(self, key: int) -> bytes:
        return zlib.decompress(self.packed[key])

    def __contains__(self, key: object) -> bool:
        return key in self.packed

    def __len__(self) -> int:
        return len(self.packed)

    def __iter__(self) -> Iterator[int]:
        return iter(self.packed)

    def pairs(self) -> Iterator[tuple[int, bytes]]:
        """Yield every key with its document."""
        return ((key, zlib.decompress(document)) for key, document in self.packed.items())


class PackedIds(PairMapping[str, bytes]):
    """The documents of ids that were remembered, in order; an id takes as many bytes as it has.

    As a record in a table it takes 190, and a life of 100,000 lines has as many.
    """

    def __init__(self) -> None:
        self._letters, self._ends = bytearray(), array("I", (0,))

    def extend(self, ids: Iterable[str]) -> None:
        """Take ids that come after all that are here."""
        for each in ids:
            self._letters += _letters_of(each)
            self._ends.append(len(self._letters))

    def __getitem__(self, key: str) -> bytes:
        if key not in self:
            raise KeyError(key)
        return _id_document(key)

    def __contains__(self, key: object) -> bool:
        if not isinstance(key, str):
            return False
        # By halving: letters as UTF-8 are in the order of the texts.
        wanted, first, end = _letters_of(key), 0, len(self)
        while first < end:
            middle = (first + end) // 2
            if self._at(middle) < wanted:
                first = middle + 1
            else:
                end = middle
        return first < len(self) and self._at(first) == wanted

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __iter__(self) -> Iterator[str]:
        return (self._at(n).decode("utf-8", "surrogatepass") for n in range(len(self)))

    def pairs(self) -> Iterator[tuple[str, bytes]]:
        """Yield every id with its document."""
        return ((key, _id_document(key)) for key in self)

    def _at(self, number: int) -> bytearray:
        return self._letters[self._ends[number] : self._ends[number + 1]]


def _letters_of(key: str) -> bytes:
    return key.encode("utf-8", "surrogatepass")


def _id_document(key: str) -> bytes:
    return to_bytes(encode(RememberedId(message_id=key)))


_Packed: TypeAlias = PackedDocuments | PackedIds


class _Step(NamedTuple):
    """A table that was packed as it was at a fold; a state may rest on what it was before yet."""

    name: str
    folded: Table[Any, Any]
    documents: _Packed


class Packer:
    """Packs the large tables of one agent, and lets its states rest on them."""

    def __init__(self, most_open: int = MOST_OPEN) -> None:
        self._most_open = most_open
        self._steps: tuple[_Step, ...] = ()

    def turn(self, state: MemoryState) -> Generator[None, None, None]:
        """Pack the tables of a folded state of which too much stands open, a little at a time."""
        for name, kind in _PACKED.items():
            table: Table[Any, Any] = getattr(state, name)
            if _open_records(table) > self._most_open:
                pack = _packed_ids if kind is RememberedId else _packed
                documents: _Packed = yield from pack(table)
                self._steps = (*self._steps, _Step(name, table, documents))

    @property
    def has_packed(self) -> bool:
        """Whether there is something that was not handed over yet."""
        return bool(self._steps)

    def rebased(self, state: MemoryState) -> MemoryState:
        """Return the same state, resting on what was packed."""
        tables: dict[str, Any] = {}
        for name, folded, documents in self._steps:
            table = tables.get(name, getattr(state, name))
            if _documents_of(table) is _documents_of(folded):
                tables[name] = _rebased(table, folded, documents, _PACKED[name])
        return replace(state, **tables) if tables else state

    def handed_over(self, state: MemoryState) -> MemoryState:
        """Rebase the state of the one who owns it; what that no longer rests on is let go of."""
        after = self.rebased(state)
        self._steps = ()
        return after


def _packed(table: Table[int, Any]) -> Generator[None, None, PackedDocuments]:
    """Return the documents of a table by their keys; some at each step."""
    before = _documents_of(table)
    kept = before.packed if isinstance(before, PackedDocuments) else {}
    put = _put_since(table)
    found: dict[int, bytes] = {}
    for number, key in enumerate(sorted(table), start=1):
        if key in kept and key not in put:
            found[key] = kept[key]
            continue
        document = to_bytes(encode(put[key])) if key in put else before[key]
        found[key] = zlib.compress(document, _QUICKLY)
        if number % _RECORDS_PER_STEP == 0:
            yield
    return PackedDocuments(found)


def _packed_ids(table: Table[str, Any]) -> Generator[None, None, PackedIds]:
    """Return the ids in a table; some at each step."""
    before, put, found = _documents_of(table), _put_since(table), PackedIds()
    kept = (key for key in before or () if key not in put)
    new = sorted(key for key, record in put.items() if record is not None)
    every = merge(kept, new)
    while some := tuple(islice(every, _IDS_PER_STEP)):
        found.extend(some)
        yield
    return found


def _rebased(
    table: Table[Any, Any], folded: Table[Any, Any], documents: _Packed, kind: type[Any]
) -> RecordTable[Any, Any]:
    """Return a table that came after ``folded``, resting on the documents of that one."""
    now, then = _put_since(table), _put_since(folded)
    changes = {key: each for key, each in now.items() if then.get(key, documents) is not each}
    # A table that was never read says of what went that it is not there.
    changes |= dict.fromkeys(key for key in then if key not in now)
    rested: RecordTable[Any, Any] = RecordTable(documents, partial(decode_document, kind))
    return rested.changed(Map(changes), len(table))


def _put_since(table: Table[Any, Any]) -> Mapping[Any, Any]:
    """Return what was put since a table was read: all of it if it never was."""
    return table.changes if isinstance(table, RecordTable) else table


def _documents_of(table: Table[Any, Any]) -> Any:
    """Return what a table rests on, None if it never was in a file."""
    return table.documents if isinstance(table, RecordTable) else None


def _open_records(table: Table[Any, Any]) -> int:
    return table.open_records if isinstance(table, RecordTable) else len(table)
