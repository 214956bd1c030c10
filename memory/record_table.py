"""Tables of which nothing is decoded before it is asked for."""

from collections.abc import Callable, ItemsView, Iterator, Mapping, ValuesView
from heapq import merge
from operator import itemgetter
from typing import Any, ClassVar, Final, Generic, TypeVar, cast

from immutables import Map

K = TypeVar("K", bound=int | str)
R = TypeVar("R")
_MISSING: Final = object()
_MOST_ABSENT: Final = 1 << 12
"""So many keys that no document has are known at most."""


class PairMapping(Mapping[K, R]):
    """A mapping that is gone through pair by pair, and not by looking up key after key."""

    __slots__ = ()

    lies_on_disk: ClassVar[bool] = False
    """Whether it is larger than what it takes of memory: who goes through it keeps nothing."""

    def pairs(self) -> Iterator[tuple[K, R]]:
        """Yield every key with its value."""
        raise NotImplementedError

    def __iter__(self) -> Iterator[K]:
        return (key for key, _ in self.pairs())

    def items(self) -> ItemsView[K, R]:
        """Return every key with its value."""
        return _PairItems(self)

    def values(self) -> ValuesView[R]:
        """Return every value."""
        return _PairValues(self)


class _PairItems(ItemsView[K, R]):
    _mapping: PairMapping[K, R]

    def __iter__(self) -> Iterator[tuple[K, R]]:
        return self._mapping.pairs()


class _PairValues(ValuesView[R]):
    _mapping: PairMapping[Any, R]

    def __iter__(self) -> Iterator[R]:
        return (value for _, value in self._mapping.pairs())


class RecordTable(PairMapping[K, R]):
    """A table as it stood in a file: a record is decoded when somebody first asks for it.

    Immutable to whoever looks at it, and changed as an ``immutables.Map`` is: by a draft.
    """

    __slots__ = ("_absent", "_changed", "_decode", "_decoded", "_documents", "_size", "_whole")

    def __init__(self, documents: Mapping[K, bytes], decode: Callable[[bytes], R]) -> None:
        """``documents``, in the order of their keys, are what ``decode`` makes records of."""
        self._documents = documents
        self._decode = decode
        # All tables that were made of this one by changes share the three.
        self._decoded: dict[K, R] = {}
        self._whole: dict[K, R] = {}
        # Keys of no document: most memories have no links, and each search asks for those.
        self._absent: set[K] = set()
        # What was put since, and None for what was dropped.
        self._changed: Map[K, R | None] = Map()
        self._size = len(documents)

    def __getitem__(self, key: K) -> R:
        found: R | None = self.get(key)
        if found is None:
            raise KeyError(key)
        return found

    def get(self, key: K, default: Any = None) -> Any:
        """Return the record of a key, ``default`` where there is none."""
        # Asked a thousand times a search, and nearly always for what is known already.
        changed = self._changed
        found: Any = changed.get(key, _MISSING) if changed else _MISSING
        if found is _MISSING:
            found = self._decoded.get(key)
            if found is None and key not in self._absent:
                found = self._looked_for(key)
        return default if found is None else found

    def __contains__(self, key: object) -> bool:
        found: Any = self._changed.get(cast("Any", key), _MISSING)
        if found is _MISSING:
            return key in self._decoded or key in self._documents
        return found is not None

    def __iter__(self) -> Iterator[K]:
        changed = self._changed
        yield from (key for key in self._whole or self._documents if key not in changed)
        yield from (key for key, record in changed.items() if record is not None)

    def pairs(self) -> Iterator[tuple[K, R]]:
        """Yield every key with its record; all are decoded on the way."""
        changed = self._changed
        kept = self._whole.items() or self._decoded_pairs()
        yield from ((key, record) for key, record in kept if key not in changed)
        yield from ((key, record) for key, record in changed.items() if record is not None)

    def _decoded_pairs(self) -> Iterator[tuple[K, R]]:
        """Yield what was read; once all of it is decoded, no document is looked at again."""
        documents = self._documents
        if isinstance(documents, PairMapping) and documents.lies_on_disk:
            for key, document in documents.items():
                yield key, self._decoded.get(key) or self._decode(document)
            return
        held: dict[K, R] = {}
        for key, document in documents.items():
            held[key] = self._decoded.get(key) or self._read(key, document)
            yield key, held[key]
        # In one step, with the same keys whichever thread is first: others may be going through.
        self._whole.update(held)

    def stored(self) -> Iterator[tuple[K, R | bytes]]:
        """Yield what is to be written, by keys: what was not put since as the document it was."""
        changed = self._changed
        kept: Iterator[tuple[K, R | bytes]] = (
            (key, each) for key, each in self._documents.items() if key not in changed
        )
        put = [(key, record) for key, record in changed.items() if record is not None]
        yield from merge(kept, sorted(put, key=itemgetter(0)), key=itemgetter(0))

    def __len__(self) -> int:
        return self._size

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mapping) and dict(self.items()) == dict(other.items())

    def __hash__(self) -> int:
        raise TypeError("a table is compared, not hashed")

    def mutate(self) -> "TableDraft[K, R]":
        """Return a draft, whose changes this table does not see."""
        return TableDraft(self)

    def changed(self, changes: "Map[K, R | None]", size: int) -> "RecordTable[K, R]":
        """Return the table with these changes since it was read, and so many records."""
        after = RecordTable(self._documents, self._decode)
        after._decoded, after._whole, after._absent = self._decoded, self._whole, self._absent
        after._changed, after._size = changes, size
        return after

    @property
    def documents(self) -> Mapping[K, bytes]:
        """Return what the records that were not put since are made of."""
        return self._documents

    @property
    def changes(self) -> "Map[K, R | None]":
        """Return what was put since the table was read, and None for what was dropped."""
        return self._changed

    @property
    def open_records(self) -> int:
        """Return how many records stand in memory: those that were put, and those decoded."""
        return len(self._changed) + max(len(self._whole), len(self._decoded))

    def _looked_for(self, key: K) -> R | None:
        document = self._documents.get(key)
        if document is not None:
            return self._read(key, document)
        if len(self._absent) >= _MOST_ABSENT:
            self._absent.clear()
        self._absent.add(key)
        return None

    def _read(self, key: K, document: bytes) -> R:
        # Of two threads that decode one record the first is kept: it is one object for everybody.
        return self._decoded.setdefault(key, self._decode(document))


class TableDraft(Generic[K, R]):
    """Changes to a table on their way; used as the mutation of an ``immutables.Map``."""

    def __init__(self, table: RecordTable[K, R]) -> None:
        self._table = table
        self._changes = table.changes.mutate()
        self._size = len(table)

    def get(self, key: K) -> R | None:
        """Return the record of a key as of now."""
        found: Any = self._changes.get(key, _MISSING)
        known: R | None = self._table.get(key) if found is _MISSING else found
        return known

    def __contains__(self, key: K) -> bool:
        found: Any = self._changes.get(key, _MISSING)
        return key in self._table if found is _MISSING else found is not None

    def __setitem__(self, key: K, record: R) -> None:
        self._size += key not in self
        self._changes[key] = record

    def __delitem__(self, key: K) -> None:
        if key not in self:
            raise KeyError(key)
        self._size -= 1
        self._changes[key] = None

    def finish(self) -> RecordTable[K, R]:
        """Return the table with the changes."""
        return self._table.changed(self._changes.finish(), self._size)
