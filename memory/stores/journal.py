"""The journal: one checksummed line per commit, appended and synced. That sync is the commit.

A line is ``sequence checksum length payload``. The checksum covers all of the line but itself, so
each line can be verified alone and damage to one is no damage to the next. A write cut short by a
crash leaves an unfinished last line, which was never acknowledged and is dropped; anything else
that does not fit is damage, and the store sets the file aside before it goes on.
"""

import logging
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Final

from memory.errors import StoreUnwritable
from memory.stores.disk import Disk, disk_errors, replace_file, write_all
from memory.stores.start_marker import mark_begun, mark_blank

JOURNAL_FILE: Final = "journal"
# At most 18 digits: a number that fits 64 bits, whatever a damaged line claims.
_HEADER: Final = re.compile(rb"(\d{1,18}) [0-9a-f]{16} (\d{1,18}) ")
_LONGEST_HEADER: Final = 18 + 1 + 16 + 1 + 18 + 1

logger = logging.getLogger(__name__)


def journal_line(sequence: int, payload: bytes) -> bytes:
    """Return the line of one commit; the payload must not hold a line break."""
    # 8 bytes detect accidents; nothing here defends against somebody who can write to the folder.
    proof = blake2b(b"%d %d " % (sequence, len(payload)), digest_size=8)
    proof.update(payload)
    return b"%d %b %d %b\n" % (sequence, proof.hexdigest().encode(), len(payload), payload)


@dataclass(frozen=True, slots=True)
class JournalLines:
    """The intact lines of a journal by their sequence number.

    ``unfinished`` counts the bytes that a crash left after the last line break; ``damaged`` says
    that there was something no crash explains.
    """

    by_sequence: Mapping[int, bytes]
    unfinished: int = 0
    damaged: bool = False

    def last_contiguous(self, sequence: int) -> int:
        """Return how far the lines lead on from ``sequence`` without a gap."""
        while sequence + 1 in self.by_sequence:
            sequence += 1
        return sequence

    def first_contiguous(self, last: int) -> int:
        """Return the first of the lines that lead to ``last`` without a gap; last + 1 if none."""
        first = last + 1
        while first - 1 in self.by_sequence:
            first -= 1
        return first

    def as_bytes(self, first: int, last: int) -> bytes:
        """Return those lines as a journal of their own."""
        return b"".join(self.by_sequence[number] for number in range(first, last + 1))

    def payloads(self, first: int, last: int) -> Iterator[bytes]:
        """Yield the payloads of those lines."""
        for number in range(first, last + 1):
            yield _line_payload(self.by_sequence[number])


def read_journal(data: bytes) -> JournalLines:
    """Return the lines of a journal whose checksum holds."""
    found: dict[int, bytes] = {}
    end = data.rfind(b"\n") + 1
    damaged = _is_damage(data[end:])
    expected = None
    for text in data[:end].split(b"\n")[:-1]:
        sequence = _verified_sequence(text + b"\n")
        if sequence is None or expected not in {None, sequence}:
            damaged = True
        if sequence is not None:
            found.setdefault(sequence, text + b"\n")
            expected = sequence + 1
    return JournalLines(found, len(data) - end, damaged)


def _line_payload(text: bytes) -> bytes:
    return text.split(b" ", 3)[3][:-1]


def _verified_sequence(text: bytes) -> int | None:
    """Return the sequence number of a line, or None if the line is not what was written."""
    header = _HEADER.match(text)
    if header is None:
        return None
    sequence = int(header[1])
    return sequence if text == journal_line(sequence, _line_payload(text)) else None


def _is_damage(rest: bytes) -> bool:
    """Return whether what follows the last line break is more than an unfinished line."""
    header = _HEADER.match(rest)
    # A torn header is shorter than a whole one; a torn payload is not longer than announced.
    if header is None:
        return len(rest) >= _LONGEST_HEADER
    return len(rest) - header.end() > int(header[2])


class Journal:
    """The journal of a folder that is owned, open for appending after line number ``last``.

    Once a call has failed, its descriptor is not trusted again: the file is read and cut anew,
    at once or, while the disk refuses that too, before the next line is written. So a line whose
    append failed is never followed by another one.
    """

    def __init__(self, folder: Path, disk: Disk, last: int) -> None:
        self._path = folder / JOURNAL_FILE
        self._disk = disk
        self._descriptor: int | None = None
        self._first: int | None = None
        self.last = last

    def open(self) -> None:
        """Cut whatever follows the last commit and be ready to append.

        Raises :class:`StoreUnwritable`, also when a line that was there before is not any more.
        """
        self._descriptor = self._reopen()

    def _reopen(self) -> int:
        with disk_errors(self._path):
            data = self._disk.read(self._path) or b""
            lines = read_journal(data)
            first = lines.first_contiguous(self.last)
            if self._first is not None and first > self._first:
                raise StoreUnwritable(f"{self._path} has lost commits: restart to repair it")
            keep = lines.as_bytes(first, self.last)
            # Before the first byte can be written; memory.stores.start_marker proves the order.
            if self.last == 0:
                mark_blank(self._path.parent, self._disk)
            # The usual case needs no rewriting: the lines to keep are a prefix of the file.
            if not data.startswith(keep):
                replace_file(self._disk, self._path, keep)
            descriptor = self._open_truncated(len(keep))
        if lines.unfinished:
            logger.warning("cut %d bytes of an unfinished commit", len(data) - len(keep))
        self._first = first
        return descriptor

    def append(self, payload: bytes) -> None:
        """Make one commit durable; raises :class:`StoreUnwritable`, and then it is not there."""
        with disk_errors(self._path):
            descriptor = self._descriptor
            if descriptor is None:
                descriptor = self._descriptor = self._reopen()
            try:
                write_all(self._disk, descriptor, journal_line(self.last + 1, payload))
                self._disk.sync(descriptor)
                # After the sync, before the acknowledgement.
                if self.last == 0:
                    mark_begun(self._path.parent, self._disk)
            except OSError:
                # After a failed fsync the kernel may drop the pages and report success the next
                # time, so the descriptor tells nothing any more.
                self._reopen_after_failure()
                raise
        self.last += 1

    def trim(self, up_to: int) -> None:
        """Delete the lines up to and including that number; raises :class:`StoreUnwritable`."""
        with disk_errors(self._path):
            lines = read_journal(self._disk.read(self._path) or b"")
            first = max(up_to + 1, lines.first_contiguous(self.last))
            self._first = first
            self.close()
            replace_file(self._disk, self._path, lines.as_bytes(first, self.last))
        self.open()

    def close(self) -> None:
        """Close the file; what was appended is synced already."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            with suppress(OSError):
                self._disk.close(descriptor)

    def _reopen_after_failure(self) -> None:
        self.close()
        with suppress(StoreUnwritable):
            self.open()

    def _open_truncated(self, length: int) -> int:
        """Return a fresh descriptor of the file, cut to that length and safe on the disk."""
        descriptor = self._disk.open(self._path)
        try:
            self._disk.truncate(descriptor, length)
            self._disk.sync(descriptor)
            self._disk.sync_folder(self._path.parent)
        except OSError:
            with suppress(OSError):
                self._disk.close(descriptor)
            raise
        return descriptor
