"""The journal: one checksummed line per commit, appended and synced. That sync is the commit.

A line is ``sequence checksum length payload``. The checksum covers all of the line but itself, so
each line can be verified alone and damage to one is no damage to the next; a single flipped bit is
found by it and turned back. A write cut short by a crash leaves an unfinished last line, which was
never acknowledged and is dropped; anything else that does not fit is damage, and the store sets
the file aside before it goes on.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import Final, TypeAlias

from memory.stores.codec import flipped_bits, flipped_by_crc, healed, with_crc
from memory.stores.disk import Disk, let_go

JOURNAL_FILE: Final = "journal"
# At most 18 digits: a number that fits 64 bits, whatever a damaged line claims.
_HEADER: Final = re.compile(rb"(\d{1,18}) [0-9a-f]{16} (\d{1,18}) ")
_LINE: Final = re.compile(rb"[^\n]*\n")
_HEX: Final = re.compile(rb"[0-9a-f]{16}")
_PROOF_BYTES: Final = 8
_SHORTEST_LINE: Final = 40
_NOTHING: Final = b'{"schema":1,"next_id":1,"changes":[]}'  # as the oldest schema writes it
_LONGEST_HEADER: Final = 18 + 1 + 16 + 1 + 18 + 1


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
    that there was something that neither a crash nor a flipped bit explains. ``healed`` are the
    lines in which one bit was turned back, ``lost`` those that were there and cannot be read.
    """

    by_sequence: Mapping[int, bytes]
    unfinished: int = 0
    damaged: bool = False
    healed: frozenset[int] = frozenset()
    lost: frozenset[int] = frozenset()

    def last_reachable(self, sequence: int) -> int:
        """Return how far the lines lead on from ``sequence`` if the lost ones are passed over.

        Never further than the last line that can be read.
        """
        reached = sequence
        while sequence + 1 in self.by_sequence or sequence + 1 in self.lost:
            sequence += 1
            if sequence in self.by_sequence:
                reached = sequence
        return reached

    def with_blanks(self) -> "JournalLines":
        """Return them with a line that changes nothing in the place of every lost one."""
        blanks = {number: journal_line(number, _NOTHING) for number in self.lost}
        return replace(self, by_sequence={**blanks, **self.by_sequence}, lost=frozenset())

    def first_contiguous(self, last: int) -> int:
        """Return the first of the lines that lead to ``last`` without a gap; last + 1 if none."""
        first = last + 1
        while first - 1 in self.by_sequence:
            first -= 1
        return first

    def between(self, first: int, last: int) -> list[bytes]:
        """Return those lines: a journal of their own."""
        return [self.by_sequence[number] for number in range(first, last + 1)]

    def payloads(self, first: int, last: int) -> Iterator[bytes]:
        """Yield the payloads of those lines."""
        for number in range(first, last + 1):
            if number in self.by_sequence:
                yield self.by_sequence[number].split(b" ", 3)[3][:-1]


def read_journal(data: bytes) -> JournalLines:
    """Return the lines whose checksum holds, or held before one bit of them flipped."""
    found: dict[int, bytes] = {}
    end = data.rfind(b"\n") + 1
    damaged = _is_damage(data[end:])
    expected = None
    for line in (match[0] for match in _LINE.finditer(data, 0, end)):
        sequence = _verified_sequence(line)
        if sequence is None or expected not in {None, sequence}:
            damaged = True
        if sequence is not None:
            found.setdefault(sequence, line)
            expected = sequence + 1
    if damaged:
        return _DamagedJournal(data).read()
    return JournalLines(found, len(data) - end)


JournalText: TypeAlias = tuple[bytes, JournalLines]
"""What a journal file holds, and its lines."""


def read_text(path: Path, disk: Disk) -> JournalText:
    """Return the text of a journal, empty where there is none; raises OSError."""
    return (data := disk.read(path) or b""), read_journal(data)


def place_behind(data: memoryview, sequence: int, last: int) -> int | None:
    """Return where the lines after a line begin; None unless all lines are as they were written.

    They lead on to ``last`` then. One line after the other is looked at and let go of.
    """
    place = behind = 0
    before = None
    while (line := _line_at(data, place)) is not None:
        number = _sequence_of(line)
        if before not in {None, number - 1}:
            return None
        place, before = place + len(line), number
        behind = place if number <= sequence else behind
        let_go(data)
    return behind if place == len(data) and before in {None, last} else None


# Where a line may begin again after a damaged stretch.
_LINE_START: Final = re.compile(rb"\n(?=\d{1,18} [0-9a-f]{16} \d{1,18} )")


class _DamagedJournal:
    """Reads a journal with damage in it, so that each damaged stretch costs only itself."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._found: dict[int, bytes] = {}
        self._healed: set[int] = set()
        self._lost: set[int] = set()
        self._last: int | None = None
        self._harmed = False

    def read(self) -> JournalLines:
        """Return what can be read or healed, and what is lost in between."""
        place = 0
        while place < len(self._data):
            text = _line_at(self._data, place)
            if text is None:
                stop = self._read_stretch(place)
                if stop is None:
                    break
                place = stop
            else:
                self._keep(text)
                place += len(text)
        return JournalLines(
            self._found,
            len(self._data) - place,
            damaged=self._harmed,
            healed=frozenset(self._healed),
            lost=frozenset(self._lost - self._found.keys()),
        )

    def _keep(self, text: bytes) -> None:
        number = _sequence_of(text)
        self._harmed |= self._last is not None and number != self._last + 1
        self._last = number
        self._found.setdefault(number, text)

    def _keep_healed(self, text: bytes) -> None:
        self._keep(text)
        self._healed.add(_sequence_of(text))

    def _read_stretch(self, place: int) -> int | None:
        """Read a damaged stretch; return where it ends, None for an unfinished last line."""
        text = _healed_by_its_length(self._data, place)
        if text is not None:
            self._keep_healed(text)
            return place + len(text)
        stop = _next_line_start(self._data, place)
        stretch = self._data[place:stop]
        following = _line_at(self._data, stop)
        number = self._expected_number(stretch, following)
        text = None if number is None else _healed_line(stretch, number)
        if text is not None:
            self._keep_healed(text)
        elif following is None and b"\n" not in stretch and not _is_damage(stretch):
            return None
        else:
            self._harmed = True
            self._note_lost(stretch, number, following)
        return stop

    def _expected_number(self, stretch: bytes, following: bytes | None) -> int | None:
        if self._last is not None:
            return self._last + 1
        if following is not None:
            return _sequence_of(following) - max(1, stretch.count(b"\n"))
        header = _HEADER.match(stretch)
        return None if header is None else int(header[1])

    def _note_lost(self, stretch: bytes, number: int | None, following: bytes | None) -> None:
        if number is None:
            return
        after = number + 1 if following is None else _sequence_of(following)
        # More lines than the stretch has room for were never in it: that gap is none of ours.
        if 0 < after - number <= max(1, len(stretch) // _SHORTEST_LINE):
            self._lost.update(range(number, after))


def _line_at(data: bytes | memoryview, place: int) -> bytes | None:
    """Return the intact line that begins there, if one does."""
    header = _HEADER.match(data, place)
    if header is None:
        return None
    text = bytes(data[place : header.end() + int(header[2]) + 1])
    return text if _verified_sequence(text) is not None else None


def _next_line_start(data: bytes, place: int) -> int:
    """Return where the next intact line begins, or the end of the data."""
    starts = (found.end() for found in _LINE_START.finditer(data, place))
    return next((start for start in starts if _line_at(data, start) is not None), len(data))


def _healed_by_its_length(data: bytes, place: int) -> bytes | None:
    """Return the line that begins there if one bit of its checksum or line break flipped."""
    header = _HEADER.match(data, place)
    if header is None:
        return None
    text = data[place : header.end() + int(header[2]) + 1]
    return _with_true_frame(text, int(header[1]), int(header[2]))


def _healed_line(stretch: bytes, number: int) -> bytes | None:
    """Return the line of that number if one bit of it flipped and nothing else is in the way."""
    size = _payload_size(len(stretch), number)
    if size is None:
        return None
    text = _with_true_frame(stretch, number, size)
    if text is not None:
        return text
    payload = stretch[len(stretch) - 1 - size : -1]
    head = b"%d " % number
    proof = stretch[len(head) : len(head) + 2 * _PROOF_BYTES]
    if stretch != b"%b%b %d %b\n" % (head, proof, size, payload) or not _HEX.fullmatch(proof):
        return None
    for true in _healed_by_crc(payload):
        if journal_line(number, true).startswith(head + proof):
            return journal_line(number, true)
    found = healed(payload, bytes.fromhex(proof.decode()), before=b"%d %d " % (number, size))
    return None if found is None else journal_line(number, found)


def _healed_by_crc(payload: bytes) -> Iterator[bytes]:
    """Yield what the payload may have been; commits of earlier programs have no CRC."""
    found = _CRC_FIELD.match(payload)
    if found is not None:
        rest = b"{" + payload[found.end() :]
        yield with_crc(rest)
        if _HEX.fullmatch(found[1] * 2):
            true = flipped_by_crc(rest, int(found[1], 16))
            if true is not None:
                yield with_crc(true)


# Any character may have flipped, so the field is known by its place.
_CRC_FIELD: Final = re.compile(rb'\{"crc":"(.{8})",', re.DOTALL)


def _with_true_frame(text: bytes, number: int, size: int) -> bytes | None:
    """Return the line with its true number, checksum, length and end, if one bit was wrong."""
    true = journal_line(number, text[len(text) - 1 - size : -1])
    return true if len(true) == len(text) and flipped_bits(true, text) == 1 else None


def _payload_size(length: int, number: int) -> int | None:
    """Return how long the payload of a line of that number is if the line has that length."""
    frame = len(b"%d " % number) + 2 * _PROOF_BYTES + len(b"  \n")
    sizes = (length - frame - digits for digits in range(1, 19))
    return next((s for s in sizes if s >= 0 and length == frame + len(str(s)) + s), None)


def _sequence_of(text: bytes) -> int:
    return int(text.split(b" ", 1)[0])


def _verified_sequence(text: bytes) -> int | None:
    """Return the sequence number of a line, or None if the line is not what was written."""
    header = _HEADER.match(text)
    if header is None or not text.endswith(b"\n"):
        return None
    sequence, payload = int(header[1]), memoryview(text)[header.end() : -1]
    proof = blake2b(b"%d %d " % (sequence, len(payload)), digest_size=_PROOF_BYTES)
    proof.update(payload)
    head = b"%d %b %d " % (sequence, proof.hexdigest().encode(), len(payload))
    return sequence if text.startswith(head) else None


def _is_damage(rest: bytes) -> bool:
    """Return whether what follows the last line break is more than an unfinished line."""
    header = _HEADER.match(rest)
    # A torn header is shorter than a whole one; a torn payload is not longer than announced.
    if header is None:
        return len(rest) >= _LONGEST_HEADER
    return len(rest) - header.end() > int(header[2])
