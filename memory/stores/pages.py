"""Pages: the older stretches of a diary, each in a file that is never changed.

A page holds lines one after another in the order they were said: their documents, compressed in
blocks; the keys by which a line is found; and what the search index has read in them. It is opened
by mapping: nothing of it is parsed before somebody asks, and what is not asked for is not in
memory. Its name ends in a checksum of all it holds, so that one name never means two contents.

The snapshot names the pages that count (:mod:`memory.stores.paging`): a page it does not name is
debris. A line that changes, or goes, makes another page take the place of its own.
"""

import re
import zlib
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from hashlib import blake2b
from itertools import accumulate, islice
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import orjson

from memory.recall.passage_arrays import TextColumns
from memory.recall.reading import LinePages, Reading, TextReader, text_digests, texts_of_line
from memory.stores.codec import SCHEMA, record_shapes
from memory.stores.disk import Disk, let_go, looked_through, replacement_file, write_all
from memory.stores.parts import (
    PAGE_PREFIX,
    Parts,
    aligned_head,
    head_and_body,
    in_file_order,
    parsed_head,
    parts_in,
    read_by,
    reading_of,
    reading_parts,
    shapes_of,
    stretches_of,
)
from memory.stores.shapes import BadDocument

PAGE_SUFFIX: Final = ".page"

_SCHEMA: Final = 1
_CHECKSUM_BYTES: Final = 8

_BLOCK_LINES: Final = 16
"""Lines that are compressed together: about 25 µs to open one of them."""

_READ_PER_STEP: Final = 12
"""Texts that are read in one step: about 2 ms, which a commit may have to wait."""


class Entry(NamedTuple):
    """A line on its way into a page: its document, and what a page has to know of it."""

    number: int
    key: str
    document: bytes

    @property
    def texts(self) -> tuple[str, ...]:
        """What its slots hold; read off the document, of which thousands may be on their way."""
        message = orjson.loads(self.document)["message"]
        return tuple(texts_of_line(message["text"], message.get("quoted", "")))


def entry_of(document: bytes) -> Entry:
    """Return the entry of a line's document, as the codec writes it."""
    line = orjson.loads(document)
    return Entry(line["number"], line["message"]["id"], document)


class DiaryPage:
    """One page, as it lies in its file. ``first`` and ``last`` are numbers of its lines."""

    def __init__(self, name: str, head: Mapping[str, Any], body: memoryview) -> None:
        """Use a page whose checksum holds."""
        self.name = name
        self.first: int = head["first"]
        self.last: int = head["last"]
        self.shapes: str = head["shapes"]
        self.records: int = head["records"]
        self._block_lines: int = head["block_lines"]
        self.is_read_here = head["read_by"] == list(read_by())
        self._body = body
        self._parts: Final = parts_in(head["parts"], body)
        self.reading: Final = reading_of(self._parts)
        self._keys, self._places = self._parts["keys"].data, self._parts["places"].data
        # The block that was opened last; one value, so that a thread never sees half of it.
        self._block: tuple[int, list[bytes]] = (-1, [])

    def __len__(self) -> int:
        """Return how many lines there are."""
        return len(self._places)

    def document(self, place: int) -> bytes:
        """Return the document of a line, by its place."""
        number, within = divmod(place, self._block_lines)
        opened, documents = self._block
        if opened != number:
            documents = self._opened(number)
            self._block = (number, documents)
        return documents[within]

    def find(self, key: str) -> bytes | None:
        """Return the document of a line, None if it is not here."""
        for place in self._places_of(key):
            document = self.document(place)
            if _key_in(document) == key:
                return document
        return None

    def may_hold(self, key: str) -> bool:
        """Whether a line is here; of 10^19 others one is taken for it."""
        return any(True for _ in self._places_of(key))

    def documents(self) -> Iterator[bytes]:
        """Yield every document, in order."""
        for number in range(len(self._parts["blocks"]) - 1):
            yield from self._opened(number)

    def beside(self, number: int, *, back: bool) -> Iterator[bytes]:
        """Yield the documents of lines from a number on, or those before it, the last first."""
        every = range(len(self))
        place = bisect_left(every, number, key=lambda n: entry_of(self.document(n)).number)
        yield from map(self.document, reversed(every[:place]) if back else every[place:])

    def keys(self) -> list[str]:
        """Return the ids of all messages, in order."""
        found: list[str] = orjson.loads(self._parts["ids"].tobytes())
        return found

    def slot_keys(self) -> list[str]:
        """Return the ids of the messages of all slots, in order."""
        keys = self.keys()
        return [keys[line] for line in self._parts["lines"].tolist()]

    def key_of(self, slot: int) -> str:
        """Return the id of the message whose text stands in a slot."""
        return _key_in(self.document(int(self._parts["lines"][slot])))

    def slots_of(self, key: str) -> range:
        """Return the slots in which the text of a message stands, none if it is not here."""
        place = next(self._places_of(key), None)
        if place is None:
            return range(0)
        lines = self._parts["lines"].data
        return range(bisect_left(lines, place), bisect_right(lines, place))

    def let_go(self) -> None:
        """Let what was looked at leave the memory."""
        let_go(self._body)

    def _places_of(self, key: str) -> Iterator[int]:
        digest = _key_digest(key)
        at = bisect_left(self._keys, digest)
        while at < len(self._keys) and self._keys[at] == digest:
            yield self._places[at]
            at += 1

    def _opened(self, number: int) -> list[bytes]:
        begin, end = self._parts["blocks"][number : number + 2].tolist()
        return zlib.decompress(self._parts["words"].data[begin:end]).split(b"\n")


def open_page(folder: Path, name: str, disk: Disk) -> DiaryPage | None:
    """Return the page of that name; None if it is missing or not as it was written.

    Raises :class:`BadDocument` for one of a newer program.
    """
    data = disk.map(folder / name)
    if not name.endswith(f"-{_checksum(looked_through(data))}{PAGE_SUFFIX}"):
        return None
    head, body = head_and_body(data)
    about = parsed_head(head) or {}
    if about.get("schema") != _SCHEMA or about["records"] > SCHEMA:
        raise BadDocument(f"is of schema {about.get('schema')}", (name,))
    return DiaryPage(name, about, body)


_NAME: Final = re.compile(
    rf"{PAGE_PREFIX}(?P<first>\d+)-(?P<last>\d+)-[0-9a-f]+{re.escape(PAGE_SUFFIX)}", re.ASCII
)


def is_page(name: str) -> bool:
    """Whether a file is a page, by its name."""
    return _NAME.fullmatch(name) is not None


def numbers_of(name: str) -> range:
    """Return the numbers that the lines of a page have, by its name."""
    found = _NAME.fullmatch(name)
    return range(int(found["first"]), int(found["last"]) + 1) if found else range(0)


def write_page(
    folder: Path, disk: Disk, entries: Iterable[Entry], known: Sequence[Reading]
) -> Generator[None, None, DiaryPage]:
    """Write a page of these lines, in this order, and open it; a little at each step.

    What is ``known`` of their texts is not read again. No line is held longer than its block is
    made of it. Raises OSError; what was there before is there then.
    """
    draft, left = _PageDraft(known), iter(entries)
    while block := list(islice(left, _BLOCK_LINES)):
        yield from draft.add(block)
    numbers = f"{draft.first:09}-{draft.last:09}"
    first, parts = draft.finished()
    del draft
    name = f"{PAGE_PREFIX}{numbers}-{_checksum(stretches_of(parts, first))}{PAGE_SUFFIX}"
    yield
    with replacement_file(disk, folder / name) as descriptor:
        for stretch in stretches_of(parts, first):
            write_all(disk, descriptor, stretch)
            yield
    del parts
    page = open_page(folder, name, disk)
    if page is None:
        raise OSError(f"{name} was not written as it should be")
    return page


class _PageDraft:
    """A page on its way: of its lines the compressed blocks, of their texts the slots."""

    def __init__(self, known: Sequence[Reading]) -> None:
        self.first = self.last = 0
        self._known = known
        self._reader = TextReader(TextColumns(), known)
        every = [digest for each in known for digest in each.digests.tolist()]
        self._slot_of = dict(zip(every, range(len(every)), strict=True))
        self._slots, self._digests = array("q"), array("Q")
        self._keys, self._sizes, self._blocks = list[str](), array("I"), list[bytes]()
        self._read = 0

    def add(self, entries: Sequence[Entry]) -> Generator[None, None, None]:
        """Take the lines of one block."""
        self.first = self.first if self._keys else entries[0].number
        self.last = entries[-1].number
        for entry in entries:
            texts = entry.texts
            self._keys.append(entry.key)
            self._sizes.append(len(texts))
            for text, digest in zip(texts, text_digests(texts).tolist(), strict=True):
                slot = self._slot_of.get(digest)
                if slot is None:
                    slot = self._slot_of[digest] = self._reader.add(text)
                    self._read += 1
                    if self._read % _READ_PER_STEP == 0:
                        yield
                self._slots.append(slot)
                self._digests.append(digest)
        self._blocks.append(zlib.compress(b"\n".join(entry.document for entry in entries)))
        yield

    def finished(self) -> tuple[bytes, Parts]:
        """Return what the page begins with, and its parts; nothing can be added then."""
        self._slot_of.clear()
        ends = [0, *accumulate(map(len, self._blocks))]
        words = np.frombuffer(b"".join(self._blocks), np.uint8)
        self._blocks.clear()
        digests = np.array([_key_digest(key) for key in self._keys], np.uint64)
        order = np.argsort(digests, kind="stable")
        parts: Parts = {
            "keys": digests[order],
            "places": order.astype(np.uint32),
            "lines": np.repeat(np.arange(len(self._keys), dtype=np.uint32), self._sizes),
            "blocks": np.array(ends, np.int64),
            "ids": np.frombuffer(orjson.dumps(self._keys), np.uint8),
            "words": words,
        }
        parts = {name: in_file_order(part) for name, part in parts.items()}
        parts |= reading_parts(self._reading())
        head = {
            "schema": _SCHEMA,
            "records": SCHEMA,
            "shapes": record_shapes(),
            "read_by": list(read_by()),
            "first": self.first,
            "last": self.last,
            "block_lines": _BLOCK_LINES,
            "parts": shapes_of(parts),
        }
        return aligned_head(orjson.dumps(head)), parts

    def _reading(self) -> Reading:
        digests = np.array(self._digests, np.uint64)
        if len(self._known) == 1 and np.array_equal(self._known[0].digests, digests):
            # A line that was filed under another scene says what it said.
            return self._known[0]
        return self._reader.reading_by(np.array(self._slots, np.int64), digests)


@lru_cache(maxsize=1 << 8)  # a line is looked for in page after page
def _key_digest(key: str) -> int:
    digest = blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")


def _key_in(document: bytes) -> str:
    return str(orjson.loads(document)["message"]["id"])


def _checksum(data: Iterable[bytes | memoryview]) -> str:
    proof = blake2b(digest_size=_CHECKSUM_BYTES)
    for stretch in data:
        proof.update(stretch)
    return proof.hexdigest()


class PagedDocuments(LinePages):
    """The documents of a diary: older lines in pages, in their order, the others beside them."""

    lies_on_disk = True

    def __init__(self, pages: Sequence[DiaryPage], young: Mapping[str, bytes]) -> None:
        """No line of ``young`` stands in a page, and all have higher numbers."""
        self.every_page: Final = tuple(pages)
        self.young: Final = young
        self._lasts = [page.last for page in pages]

    @property
    def pages(self) -> Sequence[DiaryPage]:
        """The pages of which the search can use what was read."""
        return self.every_page if all(page.is_read_here for page in self.every_page) else ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all pages."""
        return tuple(page.name for page in self.every_page)

    @property
    def last(self) -> int:
        """Return the number up to which every line stands in a page."""
        return self._lasts[-1] if self._lasts else 0

    def page_for(self, number: int) -> DiaryPage | None:
        """Return the page where a line of that number belongs, None if it is young."""
        at = bisect_left(self._lasts, number)
        return self.every_page[at] if at < len(self.every_page) else None

    def beside(self, number: int, talk: str, *, back: bool) -> Iterator[str]:
        """Yield the keys of a talk's lines from a number on, or before it, the last first."""
        for line in map(orjson.loads, self._documents_beside(number, back=back)):
            if line["conversation"] == talk:
                yield line["message"]["id"]

    def _documents_beside(self, number: int, *, back: bool) -> Iterator[bytes]:
        at = bisect_left(self._lasts, number)
        pages = self.every_page[: at + 1] if back else self.every_page[at:]
        parts = [page.beside for page in pages] + [self._young_beside]
        for part in reversed(parts) if back else parts:
            yield from part(number, back=back)

    def _young_beside(self, number: int, *, back: bool) -> Iterator[bytes]:
        young = [] if back and number <= self.last else self._young_in_order
        place = bisect_left(young, number, key=lambda each: each.number)
        yield from (x.document for x in (reversed(young[:place]) if back else young[place:]))

    @cached_property
    def _young_in_order(self) -> list[Entry]:
        return sorted(map(entry_of, self.young.values()))

    def may_hold(self, key: str) -> bool:
        """Whether a line stands in a page."""
        return any(page.may_hold(key) for page in self.every_page)

    def __getitem__(self, key: str) -> bytes:
        for page in self.every_page:
            document = page.find(key)
            if document is not None:
                return document
        return self.young[key]

    def __len__(self) -> int:
        return sum(map(len, self.every_page)) + len(self.young)

    def __iter__(self) -> Iterator[str]:
        for page in self.every_page:
            yield from page.keys()
        yield from self.young

    def pairs(self) -> Iterator[tuple[str, bytes]]:
        """Yield every key with its document."""
        for page in self.every_page:
            yield from zip(page.keys(), page.documents(), strict=True)
        yield from self.young.items()

    def instants(self) -> Iterator[tuple[str, str]]:
        """Yield every key with the instant at which that line was said, as it is written."""
        yield from ((key, orjson.loads(line)["message"]["at"]) for key, line in self.pairs())
