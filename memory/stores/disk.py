"""The file system as the stores use it: files, private folders, and the lock of a folder.

Everything that changes a file goes through :class:`Disk`, so that tests can let any single call
fail, kill the process at it, or take the power away. A whole file is written beside its place
and renamed into it; syncing the file and its folder makes that durable. Errors of the disk
become :class:`StoreUnwritable` in one place.
"""

import fcntl
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from errno import EIO, ELOOP
from mmap import ACCESS_READ, mmap
from pathlib import Path
from stat import S_ISDIR
from typing import Final

from memory import refusals
from memory.errors import StoreLocked, StoreUnwritable
from memory.refusals import said_by_disk

PRIVATE_FILE: Final = 0o600

PRIVATE_FOLDER: Final = 0o700

TEMPORARY: Final = ".tmp"
"""What the name of an unfinished file ends in; such a file may be deleted at any time."""

# macOS has no fdatasync. Where there is one it is enough: it leaves out only times of access.
_sync_data: Final[Callable[[int], None]] = getattr(os, "fdatasync", os.fsync)

# O_NOFOLLOW: whoever can write to the folder must not be able to redirect a private file by a
# symbolic link. O_CLOEXEC: a child process must neither hold a file open nor keep the lock.
_OPEN_FLAGS: Final = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC


def own_as_folder(path: Path) -> None:
    """Give what root has made to whoever owns the folder it is in; raises OSError.

    Where a service has a user of its own, root sets it up and helps it out, and it must be able to
    read and write what that left.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        _give_away(descriptor, path.parent)
    finally:
        os.close(descriptor)


def _give_away(descriptor: int, folder: Path) -> None:
    if os.geteuid() != _ROOT:
        return
    made, owner = os.fstat(descriptor), folder.stat()
    # A second name would be a file of root's that somebody has put there to be given it.
    alone = made.st_nlink == 1 or S_ISDIR(made.st_mode)
    if made.st_uid == _ROOT != owner.st_uid and alone:
        os.fchown(descriptor, owner.st_uid, owner.st_gid)


_ROOT: Final = 0


class Disk:
    """The real file system. Every method raises OSError as the system call does.

    It has no state: ``REAL_DISK`` serves everybody, tests give a subclass.
    """

    def open(self, path: Path, *, empty: bool = False) -> int:
        """Open a private file for appending, made if need be, emptied if asked."""
        descriptor = os.open(path, _OPEN_FLAGS | (os.O_TRUNC if empty else 0), PRIVATE_FILE)
        # The mode given to open() passes through the umask and is ignored for a file that exists.
        os.fchmod(descriptor, PRIVATE_FILE)
        _give_away(descriptor, path.parent)
        return descriptor

    def write(self, descriptor: int, data: bytes | memoryview) -> int:
        """Append what fits; returns how many bytes did."""
        return os.write(descriptor, data)

    def sync(self, descriptor: int) -> None:
        """Return once the content is on the disk."""
        _sync_data(descriptor)

    def truncate(self, descriptor: int, length: int) -> None:
        """Cut an open file to its first ``length`` bytes."""
        os.ftruncate(descriptor, length)

    def close(self, descriptor: int) -> None:
        """Give a descriptor back; a lock held through it ends."""
        os.close(descriptor)

    def replace(self, source: Path, target: Path) -> None:
        """Rename a file or folder in one step; a file under the new name is replaced."""
        source.replace(target)

    def remove(self, path: Path) -> None:
        """Delete a file, or a folder with all it holds; nothing there is no error."""
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)

    def sync_folder(self, folder: Path) -> None:
        """Return once the names in a folder are on the disk."""
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def read(self, path: Path) -> bytes | None:
        """Return the content of a file, or None where there is no file."""
        try:
            return path.read_bytes()
        except FileNotFoundError:
            return None

    def map(self, path: Path) -> memoryview:
        """Return the content of a file where it lies, nothing where there is no file.

        What is looked at comes from the disk, and can leave the memory again at any time. The file
        must not be written to while anybody holds the view; it may be replaced or deleted.
        """
        try:
            with path.open("rb") as file:
                return memoryview(mmap(file.fileno(), 0, access=ACCESS_READ))
        # There is no way to map nothing.
        except (FileNotFoundError, ValueError):
            return memoryview(b"")

    def names(self, folder: Path) -> frozenset[str]:
        """Return the names in a folder; none where there is no folder."""
        try:
            return frozenset(path.name for path in folder.iterdir())
        except (FileNotFoundError, NotADirectoryError):
            return frozenset()

    def lock(self, path: Path) -> int:
        """Own the lock of a file; closing the descriptor gives it back.

        Raises BlockingIOError while somebody else owns it.
        """
        descriptor = self.open(path)
        try:
            # The kernel gives a flock back when the process ends, however it ends; a file with a
            # process id in it would outlive a crash.
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.close(descriptor)
            raise
        return descriptor

    def make_folder(self, folder: Path) -> None:
        """Make a folder and its missing parents, each for its owner only, durably."""
        if not folder.is_dir():
            self.make_folder(folder.parent)
            try:
                folder.mkdir(PRIVATE_FOLDER)
            except FileExistsError:
                # Another process may have made it since the question.
                if not folder.is_dir():
                    raise
            else:
                own_as_folder(folder)
            folder.chmod(PRIVATE_FOLDER)
            self.sync_folder(folder.parent)

    def is_folder(self, path: Path) -> bool:
        """Whether there is a folder."""
        return path.is_dir()

    def size(self, path: Path) -> int:
        """Return how many bytes a file has."""
        return path.stat().st_size

    def sweep(self, folder: Path) -> None:
        """Let nothing that was deleted from a folder stand in the files of a database.

        What a file system does with the room of deleted files is not ours to say.
        """


REAL_DISK: Final = Disk()


_STRETCH: Final = 1 << 20
"""Bytes of a file that are written at once."""

# As Linux numbers it; the module has the name only where there is such a call.
_MADV_DONTNEED: Final = 4


def let_go(view: memoryview) -> None:
    """Let what was looked at of a mapped file leave the memory; it comes back when it is asked."""
    if isinstance(view.obj, mmap) and hasattr(view.obj, "madvise"):
        view.obj.madvise(_MADV_DONTNEED)


def looked_through(view: memoryview) -> Iterator[memoryview]:
    """Yield all of a mapped file, stretch by stretch; each leaves the memory after it."""
    for begin in range(0, len(view), _STRETCH):
        yield view[begin : begin + _STRETCH]
        let_go(view)


def write_all(disk: Disk, descriptor: int, data: bytes | memoryview) -> None:
    """Append every byte, however few the system takes at a time."""
    rest = memoryview(data)
    while rest:
        written = disk.write(descriptor, rest)
        # Zero bytes without an error would otherwise be tried again for ever.
        if written <= 0:
            raise OSError(EIO, "nothing was written")
        rest = rest[written:]


def replace_file(disk: Disk, path: Path, data: bytes | memoryview) -> None:
    """Let a file hold exactly ``data``, at no moment anything between old and new."""
    view = memoryview(data)
    with replacement_file(disk, path) as descriptor:
        for begin in range(0, len(view), _STRETCH):
            write_all(disk, descriptor, view[begin : begin + _STRETCH])
            let_go(view)


@contextmanager
def replacement_file(disk: Disk, path: Path, *, previous: Path | None = None) -> Iterator[int]:
    """Yield a descriptor to write a file through, which at the end takes its place at ``path``.

    What stood there stays under the name ``previous``, if given. After an error the old content
    stands under one of its two names and the unfinished file is gone, unless the error came from
    the last step, the sync of the folder: then the disk may hold the old or the new one.
    """
    unfinished = path.with_name(path.name + TEMPORARY)
    with ExitStack() as failed:
        failed.callback(_remove_quietly, disk, unfinished)
        descriptor = disk.open(unfinished, empty=True)
        try:
            yield descriptor
            disk.sync(descriptor)
        finally:
            disk.close(descriptor)
        if previous is not None and path.name in disk.names(path.parent):
            disk.replace(path, previous)
        disk.replace(unfinished, path)
        failed.pop_all()
    disk.sync_folder(path.parent)


def _remove_quietly(disk: Disk, path: Path) -> None:
    with suppress(OSError):
        disk.remove(path)


@contextmanager
def disk_errors(path: Path) -> Iterator[None]:
    """Turn an error of the disk at ``path`` into :class:`StoreUnwritable`."""
    try:
        yield
    except OSError as error:
        raise StoreUnwritable(refusals.UNUSABLE, path=path, why=said_by_disk(error)) from error


LOCK_FILE: Final = "lock"


class FolderLock:
    """The ownership of one folder, from :meth:`take` to :meth:`release` or the process's end.

    The file stays when the lock is released: whoever waits for it and whoever makes a new one
    would otherwise both own the folder.
    """

    def __init__(self, disk: Disk, descriptor: int) -> None:
        self._disk = disk
        self._descriptor = descriptor

    @classmethod
    def take(cls, folder: Path, disk: Disk = REAL_DISK) -> "FolderLock":
        """Own a folder, made private if need be.

        Raises :class:`StoreLocked` while somebody else owns it, :class:`StoreUnwritable` where it
        cannot be made or its lock file is a symbolic link.
        """
        with disk_errors(folder):
            disk.make_folder(folder)
            # A folder that was there before may be open to others.
            if folder.is_dir():
                folder.chmod(PRIVATE_FOLDER)
        path = folder / LOCK_FILE
        with disk_errors(path):
            try:
                return cls(disk, disk.lock(path))
            except BlockingIOError as error:
                raise StoreLocked(refusals.FOLDER_IN_USE, folder=folder) from error
            except OSError as error:
                if error.errno != ELOOP:
                    raise
                raise StoreUnwritable(refusals.SYMBOLIC_LINK, file=path) from error

    def release(self) -> None:
        """Give the folder up."""
        # A close that reports an error has closed all the same, and nothing was written here.
        with suppress(OSError):
            self._disk.close(self._descriptor)


REMOVAL_PREFIX: Final = ".leaving-"
"""What a folder is called while it goes; no agent has such a name."""


def remove_folder(folder: Path, disk: Disk = REAL_DISK) -> None:
    """Remove a folder nobody owns: for every reader at once, then for good.

    Cut short, it goes on when called again. Raises :class:`memory.errors.StoreUnwritable`.
    """
    leaving = folder.with_name(f"{REMOVAL_PREFIX}{folder.name}")
    with disk_errors(folder):
        disk.remove(leaving)
        if disk.is_folder(folder):
            # Renamed first: half a deleted folder must never be opened as an agent.
            disk.replace(folder, leaving)
            disk.remove(leaving)
