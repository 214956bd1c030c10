"""The backups: whole states kept, some of them made every night, and copies of those elsewhere.

A backup has the format of an export and lies in ``DATA_DIR/backups/<agent>`` under a name that
tells when and why it was made; it is verified when it is written. Everything here blocks: call it
in a thread.
"""

import logging
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from secrets import token_hex
from typing import Final, Literal, TypeAlias, get_args

from memory import refusals
from memory.errors import InputRefused, StoreUnwritable
from memory.state import MemoryState
from memory.stores.disk import (
    REAL_DISK,
    TEMPORARY,
    Disk,
    disk_errors,
    remove_folder,
    replace_file,
)
from memory.stores.exports import LARGEST_EXPORT, Export, export_bytes, read_export
from memory.stores.shapes import BadDocument

log = logging.getLogger(__name__)

BACKUPS: Final = "backups"
KEPT_BACKUPS: Final = 10
"""How many backups of each cause an agent keeps unless a setting says otherwise."""

BackupCause: TypeAlias = Literal["hand", "restore", "import", "night"]
"""Asked for by a person, made before a restore or an import, or made by itself every night."""

StateCleaner: TypeAlias = Callable[[MemoryState], MemoryState | None]
"""Return the state without what is being erased; None if it holds none of that."""

_FILE_NAME: Final = re.compile(
    r"(?P<at>\d{8}T\d{6})(?P<micro>\d{6})Z-(?P<cause>hand|restore|import|night)\.json", re.ASCII
)
_ONE_MINUTE: Final = timedelta(minutes=1)
"""By less a clock is set right all the time."""
_ONE_MICROSECOND: Final = timedelta(microseconds=1)
_TIMESTAMP_FORMAT: Final = "%Y%m%dT%H%M%S%f"


@dataclass(frozen=True, slots=True, kw_only=True)
class Backup:
    """One backup: its file name, when (UTC) and why it was made, and its size in bytes."""

    name: str
    at: datetime
    cause: str
    size: int

    def is_ahead(self, now: datetime) -> bool:
        """Whether it is dated in the future, by a clock that ran ahead and was set right."""
        return self.at - now > _ONE_MINUTE


NIGHT_APART: Final = timedelta(hours=20)
"""The least between two nightly backups: nights are 23 to 25 hours apart, and may be caught up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupRule:
    """What is kept: of the nights one backup for each of so many days, weeks and months.

    ``kept`` is how many stay of every other cause. ``copies`` is a folder where the nightly ones
    are kept a second time; None for nowhere.
    """

    kept: int = KEPT_BACKUPS
    daily: int = 7
    weekly: int = 4
    monthly: int = 6
    copies: Path | None = None

    def kept_nights(self, nights: Iterable[Backup]) -> frozenset[str]:
        """Return which nightly backups stay: the newest of each of the newest days, weeks, months.

        A day, week or month counts if there is a backup of it, so a pause costs nothing.
        """
        newest_first = sorted(nights, key=lambda each: each.name, reverse=True)
        stay = set[str]()
        for number, period in (
            (self.daily, "%Y-%m-%d"),
            (self.weekly, "%G-%V"),
            (self.monthly, "%Y-%m"),
        ):
            newest: dict[str, str] = {}
            for each in newest_first:
                newest.setdefault(f"{each.at:{period}}", each.name)
            stay.update(list(newest.values())[:number])
        return frozenset(stay)

    def kept_of(self, backups: Sequence[Backup]) -> frozenset[str]:
        """Return which of some backups stay, newest first: by its cause each is judged apart."""
        stay = set(self.kept_nights(each for each in backups if each.cause == "night"))
        for cause in get_args(BackupCause):
            stay.update([b.name for b in backups if b.cause == cause != "night"][: self.kept])
        return frozenset(stay)


USUAL_RULE: Final = BackupRule()
"""What is kept unless a setting says otherwise."""


class Backups:
    """The backups of one agent, newest first."""

    def __init__(
        self,
        data: Path,
        agent_id: str,
        *,
        rule: BackupRule | None = None,
        disk: Disk = REAL_DISK,
    ) -> None:
        self.folder: Final = data / BACKUPS / agent_id
        self._agent_id = agent_id
        self._rule = rule or USUAL_RULE
        self._disk = disk
        self.copies: Final = Copies(self._rule.copies, self.folder, disk)

    def is_night_due(self, now: datetime) -> bool:
        """Return whether no nightly backup is younger than a night; one of the future is none."""
        nights = (b for b in self.list_all() if b.cause == "night" and not b.is_ahead(now))
        last = next(nights, None)
        return last is None or now - last.at >= NIGHT_APART

    def last(self, now: datetime) -> Backup | None:
        """Return the newest backup; not one that a clock which ran ahead dated in the future."""
        return next((each for each in self.list_all() if not each.is_ahead(now)), None)

    def list_all(self, now: datetime | None = None) -> tuple[Backup, ...]:
        """Return every backup there is, newest first, those in the future of ``now`` last.

        Raises :class:`StoreUnwritable`.
        """
        with disk_errors(self.folder):
            names = sorted(self._disk.names(self.folder), reverse=True)
            found = [
                self._backup_of_file(match)
                for name in names
                if (match := _FILE_NAME.fullmatch(name))
            ]
        made = (each for each in found if each is not None)
        return tuple(sorted(made, key=lambda each: now is not None and each.is_ahead(now)))

    def write(
        self, state: MemoryState, at: datetime, cause: BackupCause, *, spare: str = ""
    ) -> Backup:
        """Write a state, verify what is on the disk, and delete the oldest beyond those kept.

        ``spare`` names a backup that is not deleted. Raises :class:`StoreUnwritable`; every
        backup made before is still there then.
        """
        with disk_errors(self.folder):
            self._disk.make_folder(self.folder)
            name = self._new_name(at.astimezone(UTC), cause)
        self._put(name, state, self._agent_id, at)
        # Only a verified backup may push older ones out.
        made = next(each for each in self.list_all() if each.name == name)
        self._delete_old(at, {name, spare})
        if cause == "night":
            self.mirror()
        return made

    def read(self, name: str) -> Export:
        """Return what a backup holds; raises :class:`InputRefused` for one that is not whole."""
        if not _FILE_NAME.fullmatch(name):
            raise InputRefused(refusals.NO_BACKUP_NAME, given=repr(name))
        with disk_errors(self.folder):
            data = self._disk.read(self.folder / name)
        if data is None:
            raise InputRefused(refusals.NO_SUCH_BACKUP, name=name)
        # The limit protects against foreign files; our own is read however large it is.
        return read_export(data, max(len(data), LARGEST_EXPORT), laws=None)

    def remove(self, name: str) -> None:
        """Delete a backup for good; raises :class:`StoreUnwritable`."""
        self.copies.adopt()
        with disk_errors(self.folder):
            self._disk.remove(self.folder / name)
            self._disk.sync_folder(self.folder)

    def discard(self) -> None:
        """Delete every backup and every copy for good; raises :class:`StoreUnwritable`."""
        # The copies first: which they are is known by what lies beside the backups.
        with disk_errors(self.folder):
            if (place := self.copies.place()) is not None:
                self._disk.remove(place)
        remove_folder(self.folder, self._disk)

    def clean(
        self, clean_state: StateCleaner, *, carry_out: bool, unread_before: datetime | None = None
    ) -> int:
        """Return how many backups hold what ``clean_state`` takes away.

        With ``carry_out`` they are rewritten without it. A backup with nothing left in it is
        deleted, and so is one that cannot be read, or only if it was made before
        ``unread_before``. Raises :class:`StoreUnwritable`.
        """
        found = 0
        for name, at in [(each.name, each.at) for each in self.list_all()]:
            backup = self._read_or_none(name)
            if backup is None and unread_before is not None and at >= unread_before:
                continue
            # An unreadable backup counts as one to delete: nobody can tell what it holds.
            after = clean_state(backup.state) if backup else MemoryState()
            if after is None:
                continue
            found += 1
            if carry_out and backup and (after.memories or after.windows or after.diary):
                self._put(name, after, backup.agent, backup.at)
            elif carry_out:
                self.remove(name)
        if carry_out and self._disk.is_folder(self.folder):
            self._sweep(frozenset())
            self.mirror()
        return found

    def readable(self, now: datetime) -> Iterator[MemoryState]:
        """Yield what the backups hold that can be read, newest first, those of the future last."""
        found = (self._read_or_none(each.name) for each in self.list_all(now))
        return (each.state for each in found if each is not None)

    def mirror(self) -> bool:
        """Make the copies of the nightly backups what the backups are: the same files, no others.

        So what was erased, or is too old, goes from the copies as well. Return whether that was
        done; if not (a disk that is away), the log says so and the next night does it.
        """
        nights = {each.name for each in self.list_all() if each.cause == "night"}
        try:
            good = self.copies.make(nights)
        except OSError as error:
            log.warning("the copies of backups are not up to date: %s", error.strerror)
            return False
        if not good:
            log.warning("the copies of backups are not what was written")
        return good

    def _read_or_none(self, name: str) -> Export | None:
        try:
            return self.read(name)
        except InputRefused:
            return None

    def _put(self, name: str, state: MemoryState, agent_id: str, at: datetime) -> None:
        """Write a backup of which every row was read again, and read the file back.

        Deletes it and raises :class:`StoreUnwritable` unless it is what was written.
        """
        try:
            written = export_bytes(state, agent_id, at, proven=True)
        except BadDocument as error:
            raise StoreUnwritable(refusals.BACKUP_UNREADABLE, why=str(error)) from error
        with disk_errors(self.folder):
            replace_file(self._disk, self.folder / name, written)
            found = self._disk.read(self.folder / name)
        if found != written:
            self.remove(name)
            raise StoreUnwritable(refusals.BACKUP_CHANGED, file=self.folder / name)

    def _new_name(self, at: datetime, cause: BackupCause) -> str:
        # Names carry the microsecond and are counted on from there, so that two backups of one
        # instant never share a name; a clock that stands still in a test is such a case.
        taken = self._disk.names(self.folder)
        names = (f"{at + n * _ONE_MICROSECOND:{_TIMESTAMP_FORMAT}}Z-{cause}.json" for n in count())
        return next(name for name in names if name not in taken)

    def _backup_of_file(self, match: re.Match[str]) -> Backup | None:
        try:
            at = datetime.strptime(match["at"] + match["micro"], _TIMESTAMP_FORMAT).replace(
                tzinfo=UTC
            )
            # May have been deleted, by hand or by another program, since the folder was listed.
            size = self._disk.size(self.folder / match[0])
        except (ValueError, FileNotFoundError):
            return None
        return Backup(name=match[0], at=at, cause=match["cause"], size=size)

    def _delete_old(self, now: datetime, spared: set[str]) -> None:
        """Delete the oldest backups of each cause beyond those kept, and unfinished files."""
        listed = self.list_all()
        # What a clock that ran ahead has dated pushes out nothing of the present, and stays as
        # long as there is nothing newer of that kind: it may be the best there is.
        ahead = [each for each in listed if each.is_ahead(now)]
        others = [each for each in listed if not each.is_ahead(now)]
        stay = self._rule.kept_of(ahead) | self._rule.kept_of(others)
        self._sweep({each.name for each in listed} - stay - spared)

    def _sweep(self, old: Collection[str]) -> None:
        """Delete backups, and unfinished files: one left by a crash may hold what was erased."""
        self.copies.adopt()
        with disk_errors(self.folder):
            for name in self._disk.names(self.folder):
                if name in old or name.endswith(TEMPORARY):
                    self._disk.remove(self.folder / name)
            self._disk.sync_folder(self.folder)


class Copies:
    """The nightly backups of one agent a second time, in a place of their own.

    Several installations may name one folder, and each has an agent "local". Whose a place is
    says a mark in it that lies beside the backups as well; so it stays the same wherever the data
    folder is moved to, and what is left of a lost one stays untouched. Raises OSError.
    """

    def __init__(self, among: Path | None, backups: Path, disk: Disk = REAL_DISK) -> None:
        self._among = among
        self._backups = backups
        self._disk = disk

    def place(self) -> Path | None:
        """Return the folder of the copies; None while there is none.

        It is called as the agent, or with a number if another installation was there before.
        """
        mark, among, agent_id = self._mark(), self._among, self._backups.name
        if among is None:
            return None
        numbered = re.compile(rf"{re.escape(agent_id)}(-\d+)?", re.ASCII)
        places = [
            among / each for each in sorted(self._disk.names(among)) if numbered.fullmatch(each)
        ]
        marked = (each for each in places if mark and self._disk.read(each / COPIES_MARK) == mark)
        return next(marked, None) or next(filter(self._was_ours, places), None)

    def are_away(self) -> bool:
        """Whether copies were made that are not there: their disk may not be mounted."""
        return self._among is not None and self._mark() is not None and self.place() is None

    def adopt(self) -> None:
        """Mark a place from before there were marks, while names still tell whose it is."""
        with suppress(OSError):  # a disk that is away
            if self._among is not None and self._mark() is None and self.place() is not None:
                self._claimed(self._among)

    def make(self, names: Collection[str]) -> bool:
        """Let there be copies of these backups and of no others; True if they are the same."""
        if self._among is None or not (names or self.place()):
            return True
        there = self._claimed(self._among)
        for name in self._disk.names(there):
            if name not in names and (_FILE_NAME.fullmatch(name) or name.endswith(TEMPORARY)):
                self._disk.remove(there / name)
        for name in sorted(names):
            data = self._disk.read(self._backups / name)
            if data is not None and self._disk.read(there / name) != data:
                replace_file(self._disk, there / name, data)
        self._disk.sync_folder(there)
        return all(
            self._disk.read(there / name) == self._disk.read(self._backups / name)
            for name in names
        )

    def _mark(self) -> bytes | None:
        return self._disk.read(self._backups / COPIES_MARK)

    def _was_ours(self, place: Path) -> bool:
        """Whether a place without a mark holds copies of ours from before marks, or no copy."""
        names, ours = self._disk.names(place), self._disk.names(self._backups)
        held = {each for each in names if _FILE_NAME.fullmatch(each)}
        return COPIES_MARK not in names and (not held or bool(held & ours))

    def _claimed(self, among: Path) -> Path:
        """Return our place, made and marked if need be."""
        there, mark, agent_id = self.place(), self._mark(), self._backups.name
        self._disk.make_folder(among)
        if there is None:
            if mark is not None:
                log.warning("copies of backups begin anew: those made before are not there")
            taken = self._disk.names(among)
            names = (f"{agent_id}-{n}" if n > 1 else agent_id for n in count(1))
            there = among / next(each for each in names if each not in taken)
            self._disk.make_folder(there)
        if mark is None:
            mark = token_hex(8).encode()
            self._disk.make_folder(self._backups)
            replace_file(self._disk, self._backups / COPIES_MARK, mark)
        if self._disk.read(there / COPIES_MARK) != mark:
            replace_file(self._disk, there / COPIES_MARK, mark)
        return there


COPIES_MARK: Final = "copies.mark"
"""The name of the file that says whose copies are in a place."""
