"""The sidecar file of the search index: what was read in the texts of an agent.

``index.bin`` is one line of JSON (schema, what read the texts, the place of each part, checksum),
then the parts: postings and columns as arrays, and the tokens. Losing it costs only the time to
read all texts again, so a file that is not as it was written counts as absent, and one that was
made by another reader or of other texts is not used. It holds words: what is erased is erased by
deleting it.
"""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import orjson

from memory.recall.reading import READING, Reading
from memory.stores.disk import (
    REAL_DISK,
    TEMPORARY,
    Disk,
    disk_errors,
    replacement_file,
    write_all,
)
from memory.text.bm25 import Postings

INDEX_FILE: Final = "index.bin"
_SCHEMA: Final = 1
_DIGEST_BYTES: Final = 16

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
            data = self.disk.read(self._path)
        head, _, body = (data or b"").partition(b"\n")
        about = _parsed_header(head)
        # Compared whole, with a checksum over everything: only then is the body cut by it.
        if about is None or about != _header(about.get("parts"), about.get("proof"), body):
            return None
        return _reading_of(bytes.fromhex(about["proof"]), _parts_in(about["parts"], body))

    def write(self, reading: Reading) -> None:
        """Let the file hold exactly this; raises :class:`StoreUnwritable`."""
        parts = _parts_of(reading)
        body = b"".join(part.tobytes() for part in parts.values())
        shapes = {name: [part.dtype.str, len(part)] for name, part in parts.items()}
        head = orjson.dumps(_header(shapes, reading.proof.hex(), body))
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


def _header(parts: object, proof: object, body: bytes) -> dict[str, Any]:
    """Return the head that belongs to a body with these parts, made of the texts of that proof."""
    about = {
        "schema": _SCHEMA,
        "read_by": [f"reading {READING}", *_libraries()],
        "parts": parts,
        "proof": proof,
    }
    checksum = blake2b(orjson.dumps(about), digest_size=_DIGEST_BYTES)
    checksum.update(body)
    return about | {"checksum": checksum.hexdigest()}


@cache
def _libraries() -> tuple[str, ...]:
    """Return what cuts, stems and folds words: another version may do it in another way."""
    return (
        f"rjieba {version('rjieba')}",
        f"PyStemmer {version('PyStemmer')}",
        f"unicode {unicodedata.unidata_version}",
    )


def _parsed_header(line: bytes) -> dict[str, Any] | None:
    try:
        about = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    return about if isinstance(about, dict) else None


def _parts_of(reading: Reading) -> Parts:
    columns = {f"column.{name}": column for name, column in reading.columns.items()}
    return {
        "digests": reading.digests.astype("<u8", copy=False),
        **_posting_parts("words", reading.words),
        **_posting_parts("characters", reading.characters),
        **{name: part.astype(part.dtype.newbyteorder("<")) for name, part in columns.items()},
    }


def _posting_parts(name: str, postings: Postings) -> Parts:
    # No token holds a line break: they are cut at everything that is no letter, digit or emoji.
    tokens = "\n".join(postings.tokens).encode("utf-8", "surrogatepass")
    return {
        f"{name}.tokens": np.frombuffer(tokens, np.uint8),
        f"{name}.starts": postings.starts.astype("<i8", copy=False),
        f"{name}.packed": postings.packed.astype("<u8", copy=False),
        f"{name}.lengths": postings.lengths.astype("<f4", copy=False),
    }


def _parts_in(shapes: Mapping[str, tuple[str, int]], body: bytes) -> Parts:
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
