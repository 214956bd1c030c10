"""One owner per folder, by a lock of the kernel that is free again whenever its owner is gone."""

import fcntl
import os
from errno import ELOOP
from pathlib import Path
from typing import Final

from memory.errors import StoreLocked, StoreUnwritable
from memory.stores.disk import PRIVATE_FILE, PRIVATE_FOLDER, disk_errors, make_private_folder

LOCK_FILE: Final = "lock"


class FolderLock:
    """The ownership of one folder, from :meth:`take` to :meth:`release` or the process's end.

    The file stays when the lock is released: deleting it would let two owners in.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    @classmethod
    def take(cls, folder: Path) -> "FolderLock":
        """Own a folder, made private if need be.

        Raises :class:`StoreLocked` while somebody else owns it, :class:`StoreUnwritable` where it
        cannot be made or its lock file is a symbolic link.
        """
        with disk_errors(folder):
            make_private_folder(folder)
            folder.chmod(PRIVATE_FOLDER)
        path = folder / LOCK_FILE
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        with disk_errors(path):
            try:
                descriptor = os.open(path, flags, PRIVATE_FILE)
            except OSError as error:
                if error.errno != ELOOP:
                    raise
                raise StoreUnwritable(f"{path} is a symbolic link: remove it") from error
        try:
            os.fchmod(descriptor, PRIVATE_FILE)
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(descriptor)
            raise StoreLocked(
                f"{folder} is in use by another process: stop the running `xiaoxiang`, or let it "
                "do the work"
            ) from error
        return cls(descriptor)

    def release(self) -> None:
        """Give the folder up."""
        os.close(self._descriptor)
