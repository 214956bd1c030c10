"""The sidecar file of vectors: what an embedder made of each passage.

``vectors.bin`` is one line of JSON (schema, embedder, numbers per vector, count, checksum), then
a digest of 16 bytes for each text, then the vectors as little-endian float32, normalised to
length 1. Losing it costs only the time to embed again, so a file that is not as it was written
counts as absent.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
import orjson

from memory.stores.disk import REAL_DISK, Disk, disk_errors, replace_file

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


def _parsed_header(line: bytes) -> dict[str, object] | None:
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
