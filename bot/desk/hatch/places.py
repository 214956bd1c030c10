"""Where the socket of a running program is, and who may be at either end of it.

The socket stands in the data folder, for its owner only. It is made in a folder of its own that
nobody else may enter and then moved to its place, so it is at no moment open to others, and what
stood there before, a socket that a killed program left or a link that somebody laid, is replaced
and never followed.
"""

import os
import socket
import stat
import struct
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

SOCKET_NAMES: Final = ("desk.sock", "desk-2.sock", "desk-3.sock", "desk-4.sock")
"""One for each program that runs on one data folder."""

_ADDRESS_BYTES: Final = 90
"""Bytes an address may have: the kernel has room for 104 to 108, and its end is ours."""

_CREDENTIALS: Final = struct.Struct("3i")


@contextmanager
def short_path(folder: Path) -> Iterator[Path]:
    """Yield a way to a folder that leaves room for a name, however long its path is."""
    if len(os.fsencode(folder / SOCKET_NAMES[-1])) <= _ADDRESS_BYTES - len("/.hatch-12345678"):
        yield folder
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield Path(f"/proc/self/fd/{descriptor}")
    finally:
        os.close(descriptor)


def bind_socket(folder: Path) -> tuple[socket.socket, Path]:
    """Return a socket that listens in a folder, and where; raises OSError if none can."""
    name = next((each for each in SOCKET_NAMES if not _is_alive(folder, each)), None)
    if name is None:
        raise OSError("too many programs run on this data folder")
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        with short_path(folder) as near:
            hidden = Path(tempfile.mkdtemp(prefix=".hatch-", dir=near))  # mode 0700
            try:
                listening.bind(os.fspath(hidden / "s"))
                (hidden / "s").chmod(0o600)
                (hidden / "s").replace(near / name)
            finally:
                with suppress(FileNotFoundError):
                    (hidden / "s").unlink()
                hidden.rmdir()
    except OSError:
        listening.close()
        raise
    return listening, folder / name


def connect_socket(folder: Path, name: str, seconds: float) -> socket.socket | None:
    """Return a connection to a program of our own that listens there; None if none does."""
    path = folder / name
    try:
        found = path.lstat()
        if not stat.S_ISSOCK(found.st_mode) or found.st_uid != os.getuid():
            return None
        talking = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    except OSError:
        return None
    talking.settimeout(seconds)
    try:
        with short_path(folder) as near:
            talking.connect(os.fspath(near / name))
        if is_same_user(talking):
            return talking
    except OSError:
        pass
    talking.close()
    return None


def is_same_user(talking: socket.socket) -> bool:
    """Whether the same user is at the other end; where no kernel tells, the file's mode holds."""
    option = getattr(socket, "SO_PEERCRED", None)
    if option is None:
        return True
    told = talking.getsockopt(socket.SOL_SOCKET, option, _CREDENTIALS.size)
    _, user, _ = _CREDENTIALS.unpack(told)
    return bool(user == os.getuid())


def _is_alive(folder: Path, name: str) -> bool:
    talking = connect_socket(folder, name, 1.0)
    if talking is None:
        return False
    talking.close()
    return True
