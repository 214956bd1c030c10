"""The journal of a folder that is owned: lines are appended, and cut when a fold has them.

Beside it a marker tells a folder in which nothing was ever acknowledged from one whose files are
damaged. The other files cannot tell: a first line torn by a loss of power, with whatever the disk
puts in place of its end, looks like the only line of a journal that was damaged later. So an empty
file beside them says by its name which of the two it is. It is made durable in this order:

1. ``blank`` is on the disk before the first byte is written to the journal;
2. the first line of the journal is synced;
3. ``blank`` is renamed ``begun`` and the folder synced: one step, so never neither of the two;
4. only then is the first commit acknowledged, and only after that can a snapshot be written.

Hence, whenever and however a process or the power ends, and whatever happens later to the content
of any file:

- With ``blank`` nothing was acknowledged. What is there is half-made, if it cannot be read; a
  first line that can be read is kept, like any commit whose acknowledgement nobody heard. An
  intact line or snapshot that leads nowhere shows that the marker came from elsewhere (files of
  two folders mixed by hand), and then the marker is not believed.
- With ``begun`` alone something was acknowledged: such a folder is never taken for empty, not
  even when its journal is gone or cut to nothing.
- With neither, an earlier program wrote the folder or nobody did: an empty journal, or one cut
  short in its first line, is a start; any other trace of a store that cannot be read is damage.

A commit that is taken back makes ``blank`` again before its line is cut. Then both may exist, and
``blank`` counts, because it is renamed over the other before anything is acknowledged.

``begun`` also says how far the journal went: behind each synced line its number is appended there,
and not synced. What reaches the disk of it was true before, whatever a loss of power leaves of it;
so a journal that ends before that number was cut or emptied, and a torn tail never looks like it.
"""

import logging
import re
from contextlib import suppress
from hashlib import blake2b
from itertools import accumulate
from pathlib import Path
from typing import Final

from memory import refusals
from memory.errors import StoreUnwritable
from memory.stores.disk import Disk, disk_errors, replace_file, write_all
from memory.stores.journal import (
    JOURNAL_FILE,
    JournalText,
    journal_line,
    place_behind,
    read_journal,
    read_text,
)

logger = logging.getLogger(__name__)

BLANK: Final = "blank"
BEGUN: Final = "begun"


def mark_blank(folder: Path, disk: Disk) -> None:
    """Say that nothing was acknowledged, durably; raises OSError."""
    disk.close(disk.open(folder / BLANK))
    disk.sync_folder(folder)


def mark_begun(folder: Path, disk: Disk) -> None:
    """Say that something may be acknowledged from now on, durably; raises OSError."""
    if BLANK in disk.names(folder):
        disk.replace(folder / BLANK, folder / BEGUN)
    else:
        disk.close(disk.open(folder / BEGUN))
    disk.sync_folder(folder)


def reached_by(data: bytes) -> int:
    """Return how far the journal surely went by what ``begun`` holds; 0 if it does not say.

    >>> reached_by(_reached(7) + _reached(8)[:9]), reached_by(b"")
    (7, 0)
    """
    numbers = (int(found[1]) for found in _REACHED.finditer(data))
    return max((number for number in numbers if _reached(number) in data), default=0)


# At most 18 digits, as in the journal; a line break before it too, for what a full disk cut.
_REACHED: Final = re.compile(rb"\n(\d{1,18}) [0-9a-f]{16}(?=\n)")


def _reached(number: int) -> bytes:
    proof = blake2b(b"reached %d" % number, digest_size=8).hexdigest()
    return b"\n%d %b\n" % (number, proof.encode())


class _Reached:
    """Notes in ``begun`` how far the journal went; what the disk refuses of it is left out."""

    def __init__(self, folder: Path, disk: Disk) -> None:
        self._path = folder / BEGUN
        self._disk = disk
        self._descriptor: int | None = None

    def note(self, number: int) -> None:
        """Append a number whose line is synced."""
        with suppress(OSError):
            if self._descriptor is None:
                self._descriptor = self._disk.open(self._path)
            write_all(self._disk, self._descriptor, _reached(number))

    def begin_anew(self, number: int) -> None:
        """Hold that number alone, durably."""
        self.close()
        with suppress(OSError):
            if number and self._disk.read(self._path) != _reached(number):
                replace_file(self._disk, self._path, _reached(number))

    def close(self) -> None:
        """Close the file."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            with suppress(OSError):
                self._disk.close(descriptor)


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
        self._reached = _Reached(folder, disk)
        self.last = last

    def open(self, text: JournalText | None = None) -> None:
        """Cut whatever follows the last commit and be ready to append; ``text`` is what was read.

        Raises :class:`StoreUnwritable`, also when a line that was there before is not any more.
        """
        self._descriptor = self._reopen(text)
        self._reached.begin_anew(self.last)

    def _reopen(self, text: JournalText | None = None) -> int:
        with disk_errors(self._path):
            data, lines = text or read_text(self._path, self._disk)
            # A gap would be taken for the end by whoever reads the file next.
            lines = lines.with_blanks()
            first = lines.first_contiguous(self.last)
            if self._first is not None and first > self._first:
                raise StoreUnwritable(refusals.COMMITS_LOST, file=self._path)
            keep = lines.between(first, self.last)
            places = list(accumulate(map(len, keep), initial=0))
            # Before the first byte can be written; memory.stores.disk proves the order.
            if self.last == 0:
                mark_blank(self._path.parent, self._disk)
            # The usual case needs no rewriting: the lines to keep are a prefix of the file.
            if not all(map(data.startswith, keep, places)):
                replace_file(self._disk, self._path, b"".join(keep))
            descriptor = self._open_truncated(places[-1])
        if lines.unfinished:
            logger.warning("cut %d bytes of an unfinished commit", len(data) - places[-1])
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
        self._reached.note(self.last)

    def trim(self, up_to: int) -> None:
        """Delete the lines up to and including that number; raises :class:`StoreUnwritable`."""
        with disk_errors(self._path):
            data = self._disk.map(self._path)
            begin = place_behind(data, up_to, self.last)
            if begin is None:
                self._trim_damaged(up_to)
                return
            # Never all of it at once: two hundred large commits are some ten megabytes.
            self._first = max(up_to + 1, self._first or 0)
            self.close()
            replace_file(self._disk, self._path, data[begin:])
            self._descriptor = self._open_truncated(len(data) - begin)
            self._reached.begin_anew(self.last)

    def _trim_damaged(self, up_to: int) -> None:
        lines = read_journal(self._disk.read(self._path) or b"")
        self._first = first = max(up_to + 1, lines.first_contiguous(self.last))
        self.close()
        replace_file(self._disk, self._path, b"".join(lines.between(first, self.last)))
        self.open()

    def close(self) -> None:
        """Close the file; what was appended is synced already."""
        self._reached.close()
        self._close_lines()

    def _close_lines(self) -> None:
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            with suppress(OSError):
                self._disk.close(descriptor)

    def _reopen_after_failure(self) -> None:
        self._close_lines()
        with suppress(StoreUnwritable):
            self._descriptor = self._reopen()

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
