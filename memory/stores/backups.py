"""The backups: whole states kept, some of them made every night, and copies of those elsewhere.

A backup has the format of an export and lies in ``DATA_DIR/backups/<agent>`` under a name that
tells when and why it was made; it is verified when it is written. Everything here blocks: call it
in a thread.
"""

import logging
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Final, Literal, TypeAlias, get_args

from memory import refusals
from memory.errors import InputRefused, StoreUnwritable
from memory.state import MemoryState
from memory.stores.disk import (
    REAL_DISK,
    TEMPORARY,
    Disk,
    disk_errors,
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
_ONE_MICROSECOND: Final = timedelta(microseconds=1)
_TIMESTAMP_FORMAT: Final = "%Y%m%dT%H%M%S%f"


@dataclass(frozen=True, slots=True, kw_only=True)
class Backup:
    """One backup: its file name, when (UTC) and why it was made, and its size in bytes."""

    name: str
    at: datetime
    cause: str
    size: int


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

    def is_night_due(self, now: datetime) -> bool:
        """Return whether no nightly backup is younger than a night."""
        nights = (each for each in self.list_all() if each.cause == "night")
        last = next(nights, None)
        return last is None or not timedelta() <= now - last.at < NIGHT_APART

    def list_all(self) -> tuple[Backup, ...]:
        """Return every backup there is, newest first; raises :class:`StoreUnwritable`."""
        with disk_errors(self.folder):
            names = sorted(self._disk.names(self.folder), reverse=True)
            found = [
                self._backup_of_file(match)
                for name in names
                if (match := _FILE_NAME.fullmatch(name))
            ]
        return tuple(each for each in found if each is not None)

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
        self._delete_old({name, spare})
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
        with disk_errors(self.folder):
            self._disk.remove(self.folder / name)
            self._disk.sync_folder(self.folder)

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
            # Sweeps unfinished files too: one left by a crash may hold what was erased.
            self._delete_old({each.name for each in self.list_all()})
            self.mirror()
        return found

    def readable(self) -> Iterator[MemoryState]:
        """Yield what the backups hold that can be read, newest first."""
        found = (self._read_or_none(each.name) for each in self.list_all())
        return (each.state for each in found if each is not None)

    def mirror(self) -> bool:
        """Make the copies of the nightly backups what the backups are: the same files, no others.

        So what was erased, or is too old, goes from the copies as well. Return whether that was
        done; if not (a disk that is away), the log says so and the next night does it.
        """
        if self._rule.copies is None:
            return True
        there = self._rule.copies / self._agent_id
        nights = {each.name for each in self.list_all() if each.cause == "night"}
        try:
            self._copy(nights, there)
            good = all(
                self._disk.read(there / name) == self._disk.read(self.folder / name)
                for name in nights
            )
        except OSError as error:
            log.warning("the copies of backups are not up to date: %s", error.strerror)
            return False
        if not good:
            log.warning("the copies of backups are not what was written")
        return good

    def _copy(self, nights: set[str], there: Path) -> None:
        self._disk.make_folder(there)
        for name in self._disk.names(there):
            if name not in nights and (_FILE_NAME.fullmatch(name) or name.endswith(TEMPORARY)):
                self._disk.remove(there / name)
        for name in sorted(nights):
            data = self._disk.read(self.folder / name)
            if data is not None and self._disk.read(there / name) != data:
                replace_file(self._disk, there / name, data)
        self._disk.sync_folder(there)

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

    def _delete_old(self, spared: set[str]) -> None:
        """Delete the oldest backups of each cause beyond those kept, and unfinished files."""
        listed = self.list_all()
        stay = set(self._rule.kept_nights(b for b in listed if b.cause == "night"))
        for cause in get_args(BackupCause):
            others = [b.name for b in listed if b.cause == cause != "night"]
            stay.update(others[: self._rule.kept])
        old = {each.name for each in listed} - stay - spared
        with disk_errors(self.folder):
            for name in self._disk.names(self.folder):
                if name in old or name.endswith(TEMPORARY):
                    self._disk.remove(self.folder / name)
            self._disk.sync_folder(self.folder)
