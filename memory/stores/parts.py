"""Files of arrays: a head of one JSON line, then its parts, which are used where they lie.

What was read in texts is kept so, in the pages of a diary and in ``index.bin`` beside them.
"""

import re
import unicodedata
import zlib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
import orjson

from memory.recall.reading import READING, Reading
from memory.stores.disk import Disk
from memory.text.postings import Postings

Parts: TypeAlias = dict[str, npt.NDArray[Any]]

Shapes: TypeAlias = Mapping[str, tuple[str, int]]
"""The kind and the length of each part, in the order of the file."""

WAY_OF_READING: Final = "3: irregular English, drawn-out letters and Cantonese as plain words"
"""Goes up whenever this program cuts, folds or reads words in another way than before."""

_ALIGNED: Final = 8

_KIND: Final = re.compile("[<|][biuf][1248]")
"""What a head says of the numbers of a part: their order, sort and bytes."""

_STRETCH: Final = 1 << 20
"""Bytes that are written at once: a file of everything is some hundred of them."""

_SHORT: Final = 1 << 16
"""So many bytes of short parts are put together before they are written.

A page of a diary is eighty parts, most of them of some hundred bytes, and each stretch is a step
of its own.
"""


@cache
def read_by() -> tuple[str, ...]:
    """Return what cuts, stems and folds words: another version may do it in another way."""
    return (
        f"reading {READING}",
        f"rjieba {version('rjieba')}",
        f"PyStemmer {version('PyStemmer')}",
        f"unicode {unicodedata.unidata_version}",
        WAY_OF_READING,
    )


_LONGEST_HEAD: Final = 1 << 16


def head_and_body(data: memoryview) -> tuple[bytes, memoryview]:
    """Cut a file behind its first line, without copying the rest."""
    begin = bytes(data[:_LONGEST_HEAD])
    end = begin.find(b"\n") + 1
    return begin[:end], data[end:]


def parsed_head(line: bytes) -> dict[str, Any] | None:
    """Return the object a head holds, None if it is none."""
    try:
        about = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    return about if isinstance(about, dict) else None


def shapes_of(parts: Parts) -> dict[str, tuple[str, int]]:
    """Return what a head says of its parts."""
    return {name: (part.dtype.str, len(part)) for name, part in parts.items()}


def aligned_head(head: bytes) -> bytes:
    """Return a head as one line, so long that arrays behind it lie as numpy wants them."""
    return head + b" " * (-(len(head) + 1) % _ALIGNED) + b"\n"


def stretches_of(parts: Parts, head: bytes = b"") -> Iterator[bytes | memoryview]:
    """Yield a head and all parts, one after another: the whole is never in memory at once."""
    short = bytearray(head)
    for part in parts.values():
        data = np.ascontiguousarray(part).view(np.uint8).data
        gap = bytes(-len(data) % _ALIGNED)
        if len(short) + len(data) <= _SHORT:
            short += data
        else:
            yield bytes(short)
            for begin in range(0, len(data), _STRETCH):
                yield data[begin : begin + _STRETCH]
            short.clear()
        short += gap
    yield bytes(short)


def parts_in(shapes: Shapes, body: bytes | memoryview) -> Parts:
    """Cut a body into its parts, without copying any; raises ValueError for no kind of number.

    numpy takes many other texts for kinds, and of a damaged one raises whatever it likes.
    """
    parts: Parts = {}
    start = 0
    for name, (sort, count) in shapes.items():
        if _KIND.fullmatch(sort) is None:
            raise ValueError(f"{sort!r} is no kind of number")
        kind = np.dtype(sort)
        parts[name] = np.frombuffer(body, kind, count, start)
        start += -(-count * kind.itemsize // _ALIGNED) * _ALIGNED
    return parts


def reading_parts(reading: Reading) -> Parts:
    """Return the parts that hold what was read."""
    columns = {f"column.{name}": column for name, column in reading.columns.items()}
    parts = {
        "digests": reading.digests,
        **_posting_parts("words", reading.words),
        **_posting_parts("characters", reading.characters),
        **columns,
    }
    return {name: in_file_order(part) for name, part in parts.items()}


def in_file_order(part: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return an array with the lower bytes first, as files have it."""
    return part.astype(part.dtype.newbyteorder("<"), copy=False)


def reading_of(parts: Parts) -> Reading:
    """Return what the parts hold."""
    columns = {
        name.removeprefix("column."): part
        for name, part in parts.items()
        if name.startswith("column.")
    }
    return Reading(
        digests=parts["digests"],
        words=_postings_in("words", parts),
        characters=_postings_in("characters", parts),
        columns=columns,
    )


def _posting_parts(name: str, postings: Postings) -> Parts:
    return {f"{name}.{part}": getattr(postings, part) for part in Postings.__slots__}


def _postings_in(name: str, parts: Parts) -> Postings:
    return Postings(**{part: parts[f"{name}.{part}"] for part in Postings.__slots__})


_LONGEST_HEALED: Final = 16 * 1024
"""The longest block that is searched for a flipped bit, in bytes: a second or two."""


def decompressed(block: bytes) -> bytes | None:
    """Return what was compressed, which has a checksum of its own; None if that does not hold."""
    try:
        return zlib.decompress(block)
    except zlib.error:
        return None


def with_one_bit_turned_back(block: bytes) -> bytes | None:
    """Return the text of a block in which one bit was flipped, None if it was not that."""
    for place in range(len(block) if len(block) <= _LONGEST_HEALED else 0):
        for bit in range(8):
            tried = bytes((block[place] ^ 1 << bit,))
            text = decompressed(block[:place] + tried + block[place + 1 :])
            if text is not None:
                return text
    return None


PAGE_PREFIX: Final = "diary-"


def words_in(path: Path, disk: Disk) -> Iterator[bytes]:
    """Yield all that stands in a file, of a page also what is compressed in it."""
    data = disk.read(path) or b""
    yield data
    if path.name.startswith(PAGE_PREFIX):
        yield from salvaged_documents(memoryview(data))


def salvaged_documents(data: memoryview) -> list[bytes]:
    """Return the documents of the blocks of a damaged page that prove themselves."""
    head, body = head_and_body(data)
    try:
        parts = parts_in((parsed_head(head) or {})["parts"], body)
        places = list(pairwise(parts["blocks"].tolist()))
        words = parts["words"].data
    # A damaged head may say anything at all.
    except (KeyError, ValueError, TypeError, AttributeError, OverflowError):
        return []
    blocks = [bytes(words[begin:end]) for begin, end in places]
    texts = [decompressed(block) for block in blocks]
    if texts.count(None) == 1:
        # Nearly always one bit: it is turned back. To try it on many blocks would take minutes.
        hurt = texts.index(None)
        texts[hurt] = with_one_bit_turned_back(blocks[hurt])
    return [document for text in texts if text is not None for document in text.split(b"\n")]
