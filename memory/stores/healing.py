"""Finding the one bit that changed, by the checksum of what was written.

A bit that flips on a disk or in a memory is the commonest damage there is, and it can be undone
with certainty: of all texts that differ in one bit, the one whose checksum holds is what was
written. That another one of them has the same 8 bytes happens once in 10^14 times.
"""

from collections.abc import Iterator
from hashlib import blake2b
from typing import Final

LONGEST_HEALED: Final = 32 * 1024
"""The longest text that is searched, in bytes: a second or two; the time grows with the square."""


def flipped_bits(one: bytes, other: bytes) -> int:
    """Return in how many bits two texts of one length differ."""
    return (int.from_bytes(one, "big") ^ int.from_bytes(other, "big")).bit_count()


def healed(data: bytes, proof: bytes, *, before: bytes = b"") -> bytes | None:
    """Return what one flipped bit made of ``data``, None if it was not one bit, or too long.

    ``proof`` is the BLAKE2b digest of ``before`` and what was written.
    """
    if len(data) > LONGEST_HEALED:
        return None
    return next((text for text in _proven(data, proof, before)), None)


def _proven(data: bytes, proof: bytes, before: bytes) -> Iterator[bytes]:
    start = blake2b(before, digest_size=len(proof))
    view = memoryview(data)
    for place, value in enumerate(data):
        rest = view[place + 1 :]
        for bit in range(8):
            tried = start.copy()
            changed = bytes((value ^ 1 << bit,))
            tried.update(changed)
            tried.update(rest)
            if tried.digest() == proof:
                yield data[:place] + changed + data[place + 1 :]
        start.update(view[place : place + 1])
