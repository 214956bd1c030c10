"""The two sidecar files of an agent: vectors, and what the search index has read.

Losing one costs only the time to make it again, so a file that is not as it was written counts as
absent.

``vectors.bin`` is what an embedder made of each passage: one line of JSON (schema, embedder,
numbers per vector, count, checksum), then a digest of 16 bytes for each text, then the vectors as
little-endian float32, normalised to length 1.

``index.bin`` is what was read in the texts of an agent: one line of JSON (schema, what read them,
the place of each part, checksum), then the parts: postings and columns as arrays, and the tokens;
where each passage stands, for the snapshots named in the head.
One that was made by another reader or of other texts is not used. It holds words: what is erased
is erased by deleting it.
"""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import orjson

from memory.recall.reading import READING, Placement, Reading
from memory.stores.disk import (
    REAL_DISK,
    TEMPORARY,
    Disk,
    disk_errors,
    replace_file,
    replacement_file,
    write_all,
)
from memory.text.bm25 import Postings

FloatVector = npt.NDArray[np.float32]

VECTORS_FILE: Final = "vectors.bin"
DIGEST_BYTES: Final = 16
_SCHEMA: Final = 1
_FLOAT: Final = np.dtype("<f4")

WAY_OF_READING: Final = "2: traditional characters as simplified ones"
"""Goes up whenever this program cuts, folds or reads words in another way than before."""


def text_digest(text: str) -> bytes:
    """Return the key of a text in the file, 16 bytes."""
    # A digest, not the text: the file must not hold what was said a second time. Lone surrogates
    # have no UTF-8; a text with one still gets a key.
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=DIGEST_BYTES).digest()


@dataclass(frozen=True, slots=True)
class VectorFile:
    """The vectors of one agent, in its folder."""

    folder: Path
    disk: Disk = REAL_DISK

    def read(self, embedder: str) -> dict[bytes, FloatVector]:
        """Return each vector by the digest of its text; none if they are another embedder's.

        Also none if the file is missing or damaged. Raises :class:`StoreUnwritable` if the disk
        refuses.
        """
        with disk_errors(self._path):
            data = self.disk.read(self._path)
        head, _, body = (data or b"").partition(b"\n")
        about = _parsed_header(head)
        # The header is computed anew from the body and compared whole: lengths, count and checksum
        # must all be right before the body is cut by them.
        if about is None or about != _header_for(embedder, body, _header_number(about, "length")):
            return {}
        count, length = _header_number(about, "count"), _header_number(about, "length")
        digests, numbers = body[: count * DIGEST_BYTES], body[count * DIGEST_BYTES :]
        rows = np.frombuffer(numbers, _FLOAT).reshape(count, length).astype(np.float32)
        return {digests[i * DIGEST_BYTES : (i + 1) * DIGEST_BYTES]: rows[i] for i in range(count)}

    def write(self, embedder: str, vectors: Mapping[bytes, FloatVector]) -> None:
        """Let the file hold exactly these vectors; raises :class:`StoreUnwritable`."""
        length = len(next(iter(vectors.values()))) if vectors else 0
        # In the order of their digests, so that the same vectors make the same file, whichever of
        # their texts were there first.
        digests = sorted(vectors)
        rows = np.array([vectors[each] for each in digests], _FLOAT).reshape(len(digests), length)
        body = b"".join(digests) + rows.tobytes()
        head = orjson.dumps(_header_for(embedder, body, length))
        with disk_errors(self._path):
            replace_file(self.disk, self._path, head + b"\n" + body)

    def exists(self) -> bool:
        """Whether there is a file at all."""
        return self._path.exists()

    def delete(self) -> None:
        """Delete the file; raises :class:`StoreUnwritable`."""
        if self.exists():
            with disk_errors(self._path):
                self.disk.remove(self._path)

    @property
    def _path(self) -> Path:
        return self.folder / VECTORS_FILE


def _parsed_header(line: bytes) -> dict[str, Any] | None:
    try:
        about = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    return about if isinstance(about, dict) else None


def _header_number(about: Mapping[str, object], name: str) -> int:
    value = about.get(name)
    return value if isinstance(value, int) and value >= 0 else 0


def _header_for(embedder: str, body: bytes, length: int) -> dict[str, object]:
    """Return the head that belongs to a body of vectors of that length."""
    about = {
        "schema": _SCHEMA,
        "embedder": embedder,
        "length": length,
        "count": len(body) // (DIGEST_BYTES + length * _FLOAT.itemsize),
    }
    proof = blake2b(orjson.dumps(about) + body, digest_size=16).hexdigest()
    return about | {"checksum": proof}


INDEX_FILE: Final = "index.bin"
_INDEX_SCHEMA: Final = 2

Parts = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True, slots=True)
class IndexFile:
    """What was read in the texts of one agent, in its folder."""

    folder: Path
    disk: Disk = REAL_DISK

    def read(self) -> Reading | None:
        """Return what is in the file; None if it is missing, damaged or another program's.

        Raises :class:`StoreUnwritable` if the disk refuses.
        """
        with disk_errors(self._path):
            data = self.disk.read(self._path) or b""
        head = data[: data.find(b"\n") + 1]
        about = _parsed_header(head)
        # A view: the arrays lie in what was read, and nothing of it is there twice.
        body = memoryview(data)[len(head) :]
        # Compared whole, with a checksum over everything: only then is the body cut by it.
        if about is None or about != _index_header(
            about.get("parts"), about.get("proof"), about.get("snapshot"), body
        ):
            return None
        parts = _parts_in(about["parts"], body)
        found = _reading_of(bytes.fromhex(about["proof"]), parts)
        return replace(found, placement=_placement_of(about["snapshot"], parts))

    def write(self, reading: Reading) -> None:
        """Let the file hold exactly this; raises :class:`StoreUnwritable`."""
        parts = _parts_of(reading)
        body = b"".join(part.tobytes() for part in parts.values())
        shapes = {name: [part.dtype.str, len(part)] for name, part in parts.items()}
        snapshot = reading.placement.snapshot if reading.placement else ""
        head = orjson.dumps(_index_header(shapes, reading.proof.hex(), snapshot, body))
        with (
            disk_errors(self._path),
            replacement_file(self.disk, self._path) as descriptor,
        ):
            write_all(self.disk, descriptor, head + b"\n")
            write_all(self.disk, descriptor, body)

    def delete(self) -> None:
        """Delete the file, durably; raises :class:`StoreUnwritable`."""
        with disk_errors(self._path):
            names = self.disk.names(self.folder)
            for name in names & {INDEX_FILE, INDEX_FILE + TEMPORARY}:
                self.disk.remove(self.folder / name)
                self.disk.sync_folder(self.folder)

    @property
    def _path(self) -> Path:
        return self.folder / INDEX_FILE


def _index_header(
    parts: object, proof: object, snapshot: object, body: bytes | memoryview
) -> dict[str, Any]:
    """Return the head that belongs to a body with these parts, made of the texts of that proof."""
    about = {
        "schema": _INDEX_SCHEMA,
        "read_by": [f"reading {READING}", *_libraries()],
        "parts": parts,
        "proof": proof,
        "snapshot": snapshot,
    }
    checksum = blake2b(orjson.dumps(about), digest_size=DIGEST_BYTES)
    checksum.update(body)
    return about | {"checksum": checksum.hexdigest()}


@cache
def _libraries() -> tuple[str, ...]:
    """Return what cuts, stems and folds words: another version may do it in another way."""
    return (
        f"rjieba {version('rjieba')}",
        f"PyStemmer {version('PyStemmer')}",
        f"unicode {unicodedata.unidata_version}",
        WAY_OF_READING,
    )


def _parts_of(reading: Reading) -> Parts:
    columns = {f"column.{name}": column for name, column in reading.columns.items()}
    return {
        "digests": reading.digests.astype("<u8", copy=False),
        **_posting_parts("words", reading.words),
        **_posting_parts("characters", reading.characters),
        **{name: part.astype(part.dtype.newbyteorder("<")) for name, part in columns.items()},
        **_placement_parts(reading.placement),
    }


def _placement_parts(placement: Placement | None) -> Parts:
    if placement is None:
        return {}
    numbers = {f"place.{name}": part for name, part in placement.numbers.items()}
    texts = {f"names.{name}": orjson.dumps(each) for name, each in placement.names.items()}
    return {
        **{name: part.astype(part.dtype.newbyteorder("<")) for name, part in numbers.items()},
        **{name: np.frombuffer(text, np.uint8) for name, text in texts.items()},
    }


def _placement_of(snapshot: str, parts: Parts) -> Placement | None:
    if not snapshot:
        return None
    numbers = {n.removeprefix("place."): p for n, p in parts.items() if n.startswith("place.")}
    names = {
        name.removeprefix("names."): orjson.loads(part.tobytes())
        for name, part in parts.items()
        if name.startswith("names.")
    }
    return Placement(snapshot, numbers, names)


def _posting_parts(name: str, postings: Postings) -> Parts:
    # No token holds a line break: they are cut at everything that is no letter, digit or emoji.
    tokens = "\n".join(postings.tokens).encode("utf-8", "surrogatepass")
    return {
        f"{name}.tokens": np.frombuffer(tokens, np.uint8),
        f"{name}.starts": postings.starts.astype("<i8", copy=False),
        f"{name}.packed": postings.packed.astype("<u8", copy=False),
        f"{name}.lengths": postings.lengths.astype("<f4", copy=False),
    }


def _parts_in(shapes: Mapping[str, tuple[str, int]], body: bytes | memoryview) -> Parts:
    """Cut a body into its parts, without copying any."""
    parts: Parts = {}
    start = 0
    for name, (sort, count) in shapes.items():
        kind = np.dtype(sort)
        parts[name] = np.frombuffer(body, kind, count, start)
        start += count * kind.itemsize
    return parts


def _reading_of(proof: bytes, parts: Parts) -> Reading:
    columns = {
        name.removeprefix("column."): part
        for name, part in parts.items()
        if name.startswith("column.")
    }
    return Reading(
        proof=proof,
        digests=parts["digests"],
        words=_postings_in("words", parts),
        characters=_postings_in("characters", parts),
        columns=columns,
    )


def _postings_in(name: str, parts: Parts) -> Postings:
    tokens = parts[f"{name}.tokens"].tobytes().decode("utf-8", "surrogatepass")
    return Postings(
        tokens=tokens.split("\n") if tokens else (),
        starts=parts[f"{name}.starts"],
        packed=parts[f"{name}.packed"],
        lengths=parts[f"{name}.lengths"],
    )
