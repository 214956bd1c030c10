"""Checksums over the pages of the ledger's file, and over its log, kept by us.

SQLite notices damage to the structure of its file only: a flipped bit in a row is read as if it
had been written, and one in the write-ahead log silently ends the log. So a file of checksums
stands beside the ledger, 12 bytes a page. It is written while the log still holds every page that
changed: whenever a process or the power ends, each page is either in the log or as its checksum
says. A single flipped bit is found by the checksum and turned back.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Final
from zlib import crc32

from memory.stores.codec import flipped_bits, flipped_by_crc
from memory.stores.disk import REAL_DISK, replace_file

SUMS_SUFFIX: Final = ".sums"
LOG_SUFFIX: Final = "-wal"

MOST_HEALED: Final = 8
"""Pages that are searched for a flipped bit; more of them were not changed by flipped bits."""

_PROOF_BYTES: Final = 8
_SUM_BYTES: Final = 12
_HEADER: Final = struct.Struct(">8sII")
_MAGIC: Final = b"XXSUMS1\n"


@dataclass(frozen=True, slots=True)
class PageDamage:
    """What is not as it was written: bits that were turned back, and pages that stay in doubt."""

    healed: int = 0
    changed: int = 0

    def __bool__(self) -> bool:
        return self != PageDamage()


def write_sums(path: Path, page_size: int) -> None:
    """Write the checksums of every page of a file; raises OSError."""
    sums = b"".join(map(_sum, _pages(path.read_bytes(), page_size)))
    body = _HEADER.pack(_MAGIC, page_size, len(sums) // _SUM_BYTES) + sums
    replace_file(REAL_DISK, _sums_of(path), body + _sum(body))


def forget_sums(path: Path) -> bool:
    """Delete the checksums of a file that may change without them, or is gone; raises OSError.

    Return whether there were any.
    """
    known = _sums_of(path).exists()
    _sums_of(path).unlink(missing_ok=True)
    return known


def heal_file(path: Path) -> PageDamage:
    """Turn back what bits flipped in a file and its log; to be called while nobody has it open.

    A file without checksums is taken as it is. Raises OSError.
    """
    if not path.is_file():
        return PageDamage()
    log = path.with_name(path.name + LOG_SUFFIX)
    text = log.read_bytes() if log.is_file() else b""
    whole, logged, is_cut = healed_log(text)
    bits = flipped_bits(whole, text)
    if bits:
        _overwrite(log, 0, whole)
    pages = _heal_pages(path, logged)
    return PageDamage(pages.healed + bits, pages.changed + is_cut)


def _heal_pages(path: Path, logged: frozenset[int]) -> PageDamage:
    sums_file = _sums_of(path)
    if not sums_file.is_file():
        return PageDamage()
    known = _read_sums(sums_file.read_bytes())
    if known is None:
        return PageDamage(changed=1)
    page_size, sums = known
    data = path.read_bytes()
    pages = list(_pages(data, page_size))
    # What the log holds is read from there; the page below may be old, new or half of each.
    doubtful = [
        number
        for number, proof in enumerate(sums, start=1)
        if number not in logged and (number > len(pages) or _sum(pages[number - 1]) != proof)
    ]
    turned = 0
    for number in doubtful if len(doubtful) <= MOST_HEALED else ():
        page = pages[number - 1] if number <= len(pages) else b""
        true = _healed(page, sums[number - 1])
        if true is not None:
            _overwrite(path, (number - 1) * page_size, true)
            turned += 1
    more = any(number not in logged for number in range(len(sums) + 1, len(pages) + 1))
    return PageDamage(turned, len(doubtful) - turned + more)


def _sums_of(path: Path) -> Path:
    return path.with_name(path.name + SUMS_SUFFIX)


def _sum(data: bytes) -> bytes:
    """Return a proof of the data, and behind it a CRC by which a flipped bit is found."""
    return blake2b(data, digest_size=_PROOF_BYTES).digest() + crc32(data).to_bytes(4)


def _healed(data: bytes, known: bytes) -> bytes | None:
    """Return the data with its flipped bit turned back, None if it was not one bit."""
    true = flipped_by_crc(data, int.from_bytes(known[_PROOF_BYTES:]))
    return true if true is not None and _sum(true) == known else None


def _pages(data: bytes, page_size: int) -> Iterator[bytes]:
    return (data[start : start + page_size] for start in range(0, len(data), page_size))


def _read_sums(text: bytes) -> tuple[int, list[bytes]] | None:
    """Return the size of a page and the checksums, None if they are not as they were written."""
    body, proof = text[:-_SUM_BYTES], text[-_SUM_BYTES:]
    if _sum(body) != proof:
        # The bit may have flipped in the checksum of the checksums.
        true = body if flipped_bits(_sum(body), proof) == 1 else _healed(body, proof)
        if true is None:
            return None
        body = true
    magic, page_size, count = _HEADER.unpack_from(body)
    if magic != _MAGIC or len(body) != _HEADER.size + count * _SUM_BYTES:
        return None
    return page_size, list(_pages(body[_HEADER.size :], _SUM_BYTES))


def _overwrite(path: Path, place: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(place)
        file.write(data)
        file.flush()
        REAL_DISK.sync(file.fileno())


# The log, as SQLite's file format describes it: a header, then frames of a page each, proven by
# two running sums that go on from frame to frame.
_LOG_HEADER: Final = 32
_FRAME_HEADER: Final = 24
_LOG_MAGIC: Final = 0x377F0682
_PROOF: Final = struct.Struct(">II")
_WORD: Final = 0xFFFFFFFF


def healed_log(text: bytes) -> tuple[bytes, frozenset[int], bool]:
    """Return a log with its flipped bit turned back, and the numbers of the pages in it.

    The third value says that a frame of this log ends it, for it is not as its sums say: damage,
    or what a loss of power tore.
    """
    log = bytearray(text)
    if not _heal_log_header(log):
        return text, frozenset(), len(log) >= _LOG_HEADER and any(log[:_LOG_HEADER])
    order = ">" if log[3] & 1 else "<"
    (page_size,) = struct.unpack_from(">I", log, 8)
    salts, sums = bytes(log[16:24]), _PROOF.unpack_from(log, 24)
    pages = set[int]()
    size = _FRAME_HEADER + page_size
    for start in range(_LOG_HEADER, len(log) - size + 1, size):
        frame = bytes(log[start : start + size])
        true, sums = _true_frame(frame, salts, sums, order)
        if true is None:
            return bytes(log), frozenset(pages), flipped_bits(frame[8:16], salts) <= 1
        log[start : start + size] = true
        pages.add(int.from_bytes(true[:4], "big"))
    return bytes(log), frozenset(pages), False


def _heal_log_header(log: bytearray) -> bool:
    """Turn back a bit of the header; False if there is none that can be believed."""
    if len(log) < _LOG_HEADER:
        return False
    for bit in (None, *range(8 * _LOG_HEADER)):
        tried = bytearray(log[:_LOG_HEADER])
        if bit is not None:
            tried[bit // 8] ^= 1 << bit % 8
        magic = int.from_bytes(tried[:4], "big")
        order = ">" if magic & 1 else "<"
        if magic >> 1 == _LOG_MAGIC >> 1 and _sums_over(tried[:24], (0, 0), order) == (
            _PROOF.unpack_from(tried, 24)
        ):
            log[:_LOG_HEADER] = tried
            return True
    return False


def _true_frame(
    frame: bytes, salts: bytes, before: tuple[int, int], order: str
) -> tuple[bytes | None, tuple[int, int]]:
    """Return the frame as it was written, None if it is not whole, and the sums after it."""
    covered, proof = frame[:8] + frame[_FRAME_HEADER:], frame[16:_FRAME_HEADER]
    sums = _sums_over(covered, before, order)
    salt_bits, proof_bits = (
        flipped_bits(frame[8:16], salts),
        flipped_bits(proof, _PROOF.pack(*sums)),
    )
    if salt_bits + proof_bits <= 1:
        return frame[:8] + salts + _PROOF.pack(*sums) + frame[_FRAME_HEADER:], sums
    if salt_bits:
        return None, before
    true_sums = _PROOF.unpack(proof)
    place = _flipped_bit(covered, sums, true_sums, order)
    if place is None:
        return None, before
    mended = bytearray(covered)
    mended[place // 8] ^= 1 << place % 8
    return bytes(mended[:8]) + frame[8:_FRAME_HEADER] + bytes(mended[8:]), true_sums


def _sums_over(data: bytes | bytearray, sums: tuple[int, int], order: str) -> tuple[int, int]:
    one, two = sums
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for first, second in zip(words[::2], words[1::2], strict=True):
        one = (one + first + two) & _WORD
        two = (two + second + one) & _WORD
    return one, two


def _flipped_bit(
    data: bytes, sums: tuple[int, int], true: tuple[int, int], order: str
) -> int | None:
    """Return the number of the bit whose flip explains the difference of the sums.

    None if it is no one bit, or several: of the highest bits of a word the sums know too little.
    """
    found = list(islice(_explaining_bits(data, sums, true, order), 2))
    return found[0] if len(found) == 1 else None


def _explaining_bits(
    data: bytes, sums: tuple[int, int], true: tuple[int, int], order: str
) -> Iterator[int]:
    # The sums are linear: a word counts by two factors, which follow from how many come after it.
    missing = ((true[0] - sums[0]) & _WORD, (true[1] - sums[1]) & _WORD)
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    factors = [(0, 1), (1, 1)]
    for pair in range(len(words) // 2 - 1, -1, -1):
        for word, (one, two) in ((2 * pair + 1, factors[0]), (2 * pair, factors[1])):
            for bit in range(32):
                change = -(1 << bit) if words[word] >> bit & 1 else 1 << bit
                if ((change * one) & _WORD, (change * two) & _WORD) == missing:
                    byte = bit // 8 if order == "<" else 3 - bit // 8
                    yield 8 * (4 * word + byte) + bit % 8
        factors = [((one + two) & _WORD, (one + 2 * two) & _WORD) for one, two in factors]
