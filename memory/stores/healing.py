"""Finding the one bit that changed, by the checksum of what was written.

A bit that flips on a disk or in a memory is the commonest damage there is, and it can be undone
with certainty: of all texts that differ in one bit, the one whose checksum holds is what was
written. That another one of them has the same 8 bytes happens once in 10^14 times.
"""

from collections.abc import Iterator
from functools import reduce
from hashlib import blake2b
from typing import Final
from zlib import crc32

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


# How a CRC goes on by one byte; and, by the highest byte of what it has become, by which one.
_STEP: Final = tuple(
    reduce(lambda value, _: value >> 1 ^ (0xEDB88320 if value & 1 else 0), range(8), byte)
    for byte in range(256)
)
_BACK: Final = {value >> 24: byte for byte, value in enumerate(_STEP)}
_BIT_OF: Final = {_STEP[1 << bit]: bit for bit in range(8)}


def flipped_by_crc(data: bytes, crc: int) -> bytes | None:
    """Return ``data`` with the one bit turned back that explains its CRC-32, None if none does.

    It takes milliseconds at any length, for a CRC is linear; but a CRC proves little, so that what
    is returned needs another proof.
    """
    difference = crc32(data) ^ crc
    for place in range(len(data) - 1, -1, -1):
        bit = _BIT_OF.get(difference)
        if bit is not None:
            return data[:place] + bytes((data[place] ^ 1 << bit,)) + data[place + 1 :]
        byte = _BACK[difference >> 24]
        difference = (difference ^ _STEP[byte]) << 8 & 0xFFFFFFFF | byte
    return None


def with_crc(payload: bytes) -> bytes:
    """Return a JSON object with a CRC of it as its first field, by which a flipped bit is found.

    >>> with_crc(b'{"schema":1}')
    b'{"crc":"89fbc18c","schema":1}'
    """
    return b'{"crc":"%08x",%b' % (crc32(payload), payload[1:])
