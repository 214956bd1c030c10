"""The two sidecar files of an agent: vectors, and what the search index has read.

Losing one costs only the time to make it again, so a file that is not as it was written counts as
absent.

``vectors.bin`` is what an embedder made of each passage: one line of JSON (schema, embedder,
numbers per vector, count, checksum), then a digest of 16 bytes for each text, then the vectors as
little-endian float32, normalised to length 1.

``index.bin`` is what was read in the texts of an agent that stand in no page of its diary: one
line of JSON (schema, what read them, the place of each part, checksum), then the parts: postings
and columns as arrays; where each passage stands, for the snapshots named in the head.
One that was made by another reader or of other texts is not used. It holds words: what is erased
is erased by deleting it.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import orjson

from memory.errors import StoreUnwritable
from memory.recall.placement import placed_index, unpaged_texts
from memory.recall.reading import Placement, Reading
from memory.state import MemoryState
from memory.stores.disk import (
    REAL_DISK,
    TEMPORARY,
    Disk,
    disk_errors,
    replace_file,
    replacement_file,
    write_all,
)
from memory.stores.parts import (
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

FloatVector = npt.NDArray[np.float32]

VECTORS_FILE: Final = "vectors.bin"
DIGEST_BYTES: Final = 16
_SCHEMA: Final = 1
_FLOAT: Final = np.dtype("<f4")


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
        about = parsed_head(head)
        # The header is computed anew from the body and compared whole: lengths, count and checksum
        # must all be right before the body is cut by them.
        if about is None or about != _header_for(embedder, body, _header_number(about, "length")):
            return {}
        count, length = _header_number(about, "count"), _header_number(about, "length")
        digests, numbers = body[: count * DIGEST_BYTES], body[count * DIGEST_BYTES :]
        rows = np.frombuffer(numbers, _FLOAT).reshape(count, length).astype(np.float32)
        return {digests[i * DIGEST_BYTES : (i + 1) * DIGEST_BYTES]: rows[i] for i in range(count)}

    def write(self, embedder: str, digests: Sequence[bytes], vectors: FloatVector) -> None:
        """Let the file hold exactly the vectors of these texts; raises StoreUnwritable."""
        length = vectors.shape[1] if digests else 0
        # In the order of their digests, so that the same vectors make the same file, whichever of
        # their texts were there first.
        order = sorted(range(len(digests)), key=digests.__getitem__)
        rows = np.asarray(vectors.take(np.array(order, np.intp), axis=0), _FLOAT)
        body = b"".join(digests[each] for each in order) + rows.tobytes()
        head = orjson.dumps(_header_for(embedder, body, length))
        with disk_errors(self._path):
            replace_file(self.disk, self._path, head + b"\n" + body)

    def exists(self) -> bool:
        """Whether there is a file at all."""
        return self._path.name in self.disk.names(self.folder)

    def delete(self) -> None:
        """Delete the file; raises :class:`StoreUnwritable`."""
        if self.exists():
            with disk_errors(self._path):
                self.disk.remove(self._path)

    @property
    def _path(self) -> Path:
        return self.folder / VECTORS_FILE


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
_INDEX_SCHEMA: Final = 4


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
            # Read, not mapped: it is deleted with what is erased, and a mapping would outlive it.
            data = memoryview(self.disk.read(self._path) or b"")
        head, body = head_and_body(data)
        about = parsed_head(head)
        # Compared whole, with a checksum over everything: only then is the body cut by it.
        if about is None or about != _index_header(
            about.get("parts"), about.get("snapshot"), [body]
        ):
            return None
        parts = parts_in(about["parts"], body)
        return replace(reading_of(parts), placement=_placement_of(about["snapshot"], parts))

    def write(self, reading: Reading) -> None:
        """Let the file hold exactly this; raises :class:`StoreUnwritable`."""
        parts = reading_parts(reading) | _placement_parts(reading.placement)
        snapshot = reading.placement.snapshot if reading.placement else ""
        head = orjson.dumps(_index_header(shapes_of(parts), snapshot, stretches_of(parts)))
        with (
            disk_errors(self._path),
            replacement_file(self.disk, self._path) as descriptor,
        ):
            for stretch in stretches_of(parts, aligned_head(head)):
                write_all(self.disk, descriptor, stretch)

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


def read_index(file: IndexFile | None) -> Reading | None:
    """Return what was read before, None if that cannot be told: then it is read again."""
    with suppress(StoreUnwritable):
        return file.read() if file else None
    return None


def is_of_other_texts(file: IndexFile | None, seen: MemoryState) -> bool:
    """Whether a file that nobody used yet holds what other texts than those of a state say."""
    known = read_index(file)
    if known is None:
        return False
    texts = unpaged_texts(placed_index(seen))
    return texts is None or not known.is_of(texts)


def _index_header(
    parts: object, snapshot: object, body: Iterable[bytes | memoryview]
) -> dict[str, Any]:
    """Return the head that belongs to a body with these parts, of a state in these snapshots."""
    about = {
        "schema": _INDEX_SCHEMA,
        "read_by": list(read_by()),
        "parts": parts,
        "snapshot": snapshot,
    }
    checksum = blake2b(orjson.dumps(about), digest_size=DIGEST_BYTES)
    for stretch in body:
        checksum.update(stretch)
    return about | {"checksum": checksum.hexdigest()}


def _placement_parts(placement: Placement | None) -> Parts:
    if placement is None:
        return {}
    numbers = {f"place.{name}": part for name, part in placement.numbers.items()}
    texts = {f"names.{name}": orjson.dumps(each) for name, each in placement.names.items()}
    return {
        **{name: in_file_order(part) for name, part in numbers.items()},
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
